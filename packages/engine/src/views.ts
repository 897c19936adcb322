// From a page's bytes to the views that a caller asked for, as plain data that can cross threads and be stored.
import type { PageFormat } from '@weft/contract';
import { isHtmlBody } from './extract/documents/body-kind.ts';
import { PageDocument } from './page-document.ts';
import type { DocumentSource, Scope } from './page-document.ts';
import type { Views } from './view-fields.ts';

export type { Views } from './view-fields.ts';

/** Which views of which page. */
export interface ViewRequest {
  readonly source: DocumentSource;
  readonly formats: readonly PageFormat[];
  readonly onlyMainContent: boolean;
  /** Whether what the page hides is read as if it were shown; default false. */
  readonly includeHidden?: boolean;
}

/** How many lists a record keeps. */
const RECORD_LISTS_MAX = 5;

/**
 * The views of one page, each only when it was asked for; `title` and `encoding` always. Documents that are not HTML have those views
 * that make sense for them, and no `page_type`. Throws PageError.
 */
export async function readViews(request: ViewRequest): Promise<Views> {
  const { body, contentType } = request.source;
  if (isHtmlBody(body, contentType)) return viewsOfPage(request);
  const { readOther, viewsOfOther } = await import('./other-views.ts');
  const document = await readOther(request.source);
  return document ? viewsOfOther(document, request.formats) : viewsOfPage(request);
}

async function viewsOfPage(request: ViewRequest): Promise<Views> {
  const document = new PageDocument(request.source, request);
  const scope = request.onlyMainContent ? 'main' : 'page';
  const { title } = document.metadata;
  const views: { [Name in keyof Views]: Views[Name] } = { encoding: document.decoded.encoding, ...(title === undefined ? {} : { title }) };
  for (const format of request.formats) Object.assign(views, await READERS[format](document, scope));
  return views;
}

/** What most pages are not read for is loaded when it is asked for. */
const loadData = () => import('./page-data.ts');

const READERS: Readonly<Record<PageFormat, (document: PageDocument, scope: Scope) => Views | Promise<Views>>> = {
  markdown: (document, scope) => ({
    markdown: document.markdown(scope),
    page_type: document.content.pageType,
    ...hiddenWords(document, scope),
  }),
  html: (document, scope) => ({ html: document.html(scope), ...hiddenWords(document, scope) }),
  raw_html: (document) => ({ raw_html: document.decoded.html }),
  text: (document, scope) => ({ text: document.text(scope), page_type: document.content.pageType, ...hiddenWords(document, scope) }),
  links: (document) => ({
    links: document.links.map(({ url, text, rel }) => ({ url, text, ...(rel.length > 0 ? { rel: rel.join(' ') } : {}) })),
  }),
  images: (document) => ({ images: [...document.images] }),
  metadata: (document) => ({ metadata: { ...document.metadata } }),
  structured: (document) => {
    const { jsonLd, microdata, rdfaLite, openGraph, states } = document.structured;
    return { structured: { json_ld: jsonLd, microdata, rdfa: rdfaLite, open_graph: openGraph, states } };
  },
  records: async (document) => {
    const [{ readRecords }, { plainList }] = await Promise.all([loadData(), import('./other-views.ts')]);
    return { records: readRecords(document).slice(0, RECORD_LISTS_MAX).map(plainList) };
  },
  product: async (document) => {
    const product = (await loadData()).readPageProduct(document);
    return product ? { product } : {};
  },
  forms: async (document) => ({ forms: [...(await loadData()).readForms(document)] }),
};

/** What was left out is said only where something was. */
function hiddenWords(document: PageDocument, scope: Scope): Views {
  const count = document.hiddenWords(scope);
  return count === 0 ? {} : { hidden_words: count };
}

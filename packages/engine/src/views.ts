// From a page's bytes to the views that a caller asked for, as plain data that can cross threads and be stored.
import type { PageFormat, PageRecord } from '@weft/contract';
import { Document } from './document.ts';
import type { DocumentSource } from './document.ts';
import type { RecordList } from './records/list.ts';

/** Which views of which page. */
export interface ViewRequest {
  readonly source: DocumentSource;
  readonly formats: readonly PageFormat[];
  readonly onlyMainContent: boolean;
}

/** The members of a page record that are read out of the page. */
export type Views = Pick<
  PageRecord,
  | 'encoding'
  | 'page_type'
  | 'title'
  | 'markdown'
  | 'html'
  | 'raw_html'
  | 'text'
  | 'links'
  | 'images'
  | 'metadata'
  | 'structured'
  | 'records'
  | 'product'
  | 'forms'
>;

/** How many lists a record keeps. */
const RECORD_LISTS_MAX = 5;

/** The views of one page, each only when it was asked for; `title` and `encoding` always. Throws PageError. */
export function readViews(request: ViewRequest): Views {
  const document = new Document(request.source);
  const scope = request.onlyMainContent ? 'main' : 'page';
  const { title } = document.metadata;
  const views: { [Name in keyof Views]: Views[Name] } = { encoding: document.decoded.encoding, ...(title === undefined ? {} : { title }) };
  for (const format of request.formats) Object.assign(views, READERS[format](document, scope));
  return views;
}

const READERS: Readonly<Record<PageFormat, (document: Document, scope: 'main' | 'page') => Views>> = {
  markdown: (document, scope) => ({ markdown: document.markdown(scope), page_type: document.content.pageType }),
  html: (document, scope) => ({ html: document.html(scope) }),
  raw_html: (document) => ({ raw_html: document.decoded.html }),
  text: (document, scope) => ({ text: document.text(scope), page_type: document.content.pageType }),
  links: (document) => ({
    links: document.links.map(({ url, text, rel }) => ({ url, text, ...(rel.length > 0 ? { rel: rel.join(' ') } : {}) })),
  }),
  images: (document) => ({ images: [...document.images] }),
  metadata: (document) => ({ metadata: { ...document.metadata } }),
  structured: (document) => {
    const { jsonLd, microdata, rdfaLite, openGraph, states } = document.structured;
    return { structured: { json_ld: jsonLd, microdata, rdfa: rdfaLite, open_graph: openGraph, states } };
  },
  records: (document) => ({ records: document.records.slice(0, RECORD_LISTS_MAX).map(plainList) }),
  product: (document) => (document.product ? { product: document.product } : {}),
  forms: (document) => ({ forms: [...document.forms] }),
};

/** A list without its elements, which can't leave the tree. */
export function plainList(list: RecordList) {
  const { score, source, selector, items, fields } = list;
  return { score, source, ...(selector === undefined ? {} : { selector }), fields, items };
}

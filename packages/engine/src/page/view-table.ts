// Every view of a page, in one table: how it is read from a page of HTML, and from a document that is none.
import type { PageFormat, PageRecord } from '@weft/contract';
import type { LeftOut } from '../extract/content/structure.ts';
import { textOfDocument } from '../extract/documents/plain-text.ts';
import type { ReadableDocument } from '../extract/documents/readable.ts';
import type { Paging } from '../extract/paging/paging.ts';
import type { Product } from '../extract/product/product.ts';
import type { Form } from '../extract/forms/forms.ts';
import { plainList } from '../records/list.ts';
import type { PlainList } from '../records/list.ts';
import type { PageDocument, Scope } from './page-document.ts';

/** The members of a page record that are read out of the page; a view that was not asked for is absent. */
export type Views = Pick<
  PageRecord,
  | 'encoding'
  | 'page_type'
  | 'title'
  | 'markdown'
  | 'html'
  | 'raw_html'
  | 'text'
  | 'hidden_words'
  | 'links'
  | 'images'
  | 'metadata'
  | 'structured'
  | 'records'
  | 'product'
  | 'forms'
>;

/** What else a saved page can be read for. */
export interface MoreViews {
  readonly paging?: Paging;
  readonly left_out?: readonly LeftOut[];
}

export interface View {
  /** From a page of HTML. */
  page(document: PageDocument, scope: Scope): ViewData | Promise<ViewData>;
  /** From a PDF, a table, a feed or another document; absent where that has no counterpart. */
  other?(document: ReadableDocument): ViewData | Promise<ViewData>;
}
/** What the table gives: the views, and of three of them what the record does not say. */
export type ViewData = Omit<Views, 'records' | 'product' | 'forms'> & {
  /** Best first. */
  readonly records?: PlainList[];
  readonly product?: Product;
  readonly forms?: Form[];
} & MoreViews;

/** What most pages are not read for is loaded when it is asked for. */
const loadData = () => import('./page-data.ts');
const loadOther = () => import('./other-documents.ts');

export const VIEWS: Readonly<Record<PageFormat | keyof MoreViews, View>> = {
  markdown: {
    page: (document, scope) => ({
      markdown: document.markdown(scope),
      page_type: document.content.pageType,
      ...hiddenWords(document, scope),
    }),
    other: ({ markdown }) => ({ markdown }),
  },
  html: { page: (document, scope) => ({ html: document.html(scope), ...hiddenWords(document, scope) }) },
  raw_html: { page: (document) => ({ raw_html: document.decoded.html }) },
  text: {
    page: (document, scope) => ({ text: document.text(scope), page_type: document.content.pageType, ...hiddenWords(document, scope) }),
    other: (document) => ({ text: textOfDocument(document) }),
  },
  links: {
    page: (document) => ({
      links: document.links.map(({ url, text, rel }) => ({ url, text, ...(rel.length > 0 ? { rel: rel.join(' ') } : {}) })),
    }),
    other: ({ links }) => ({ links: links.map(({ url, text }) => ({ url, text })) }),
  },
  images: { page: (document) => ({ images: [...document.images] }) },
  metadata: {
    page: (document) => ({ metadata: { ...document.metadata } }),
    other: ({ title }) => ({ metadata: title === undefined ? {} : { title } }),
  },
  structured: {
    page(document) {
      const { jsonLd, microdata, rdfaLite, openGraph, states } = document.structured;
      return { structured: { json_ld: jsonLd, microdata, rdfa: rdfaLite, open_graph: openGraph, states } };
    },
  },
  records: {
    page: async (document) => ({ records: (await loadData()).readRecords(document).map(plainList) }),
    other: async (document) => ({ records: (await loadOther()).listsOfOther(document) }),
  },
  product: {
    async page(document) {
      const product = (await loadData()).readPageProduct(document);
      return product ? { product } : {};
    },
  },
  forms: { page: async (document) => ({ forms: [...(await loadData()).readForms(document)] }) },
  paging: { page: async (document) => ({ paging: (await loadData()).readPaging(document) }) },
  left_out: { page: (document) => ({ left_out: document.content.leftOut }) },
};

/** What was left out is said only where something was. */
function hiddenWords(document: PageDocument, scope: Scope): Pick<Views, 'hidden_words'> {
  const count = document.hiddenWords(scope);
  return count === 0 ? {} : { hidden_words: count };
}

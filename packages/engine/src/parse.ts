// Every view of a saved page as one line of data: what `weft parse` prints.
import type { FormField } from './extract/forms/fields.ts';
import { Document } from './document.ts';
import type { DocumentSource } from './document.ts';
import { plainList } from './views.ts';

/** The views that a saved page can be read for. */
export const PARSE_VIEWS = ['text', 'markdown', 'metadata', 'records', 'product', 'paging', 'forms'] as const;
/** One view of a saved page. */
export type ParseView = (typeof PARSE_VIEWS)[number];

/** A saved page and the views that are wanted of it. */
export interface ParseRequest {
  readonly source: DocumentSource;
  readonly want: readonly ParseView[];
}

/** Only what was wanted is there; `page_type` comes with `text` and `markdown`, which need it. */
export interface ParseResult {
  readonly page_type?: string;
  /** The main content as block text. */
  readonly text?: string;
  readonly markdown?: string;
  readonly metadata?: object;
  /** Best first. */
  readonly records?: readonly ReturnType<typeof plainList>[];
  /** `price` is a decimal string; null where the page shows no product. */
  readonly product?: {
    readonly name?: string;
    readonly price?: string;
    readonly currency?: string;
    readonly sku?: string;
    readonly availability: string;
  } | null;
  readonly paging?: { readonly next: readonly string[]; readonly pages: readonly string[] };
  readonly forms?: readonly { readonly type: string; readonly selector: string; readonly fields: readonly FormField[] }[];
}

/** Reads one page. Throws PageError. */
export function parsePage(request: ParseRequest): ParseResult {
  const document = new Document(request.source);
  const result: ParseResult = {};
  for (const view of request.want) Object.assign(result, READERS[view](document));
  return result;
}

const READERS: Readonly<Record<ParseView, (document: Document) => ParseResult>> = {
  text: (document) => ({ page_type: document.content.pageType, text: document.text('main') }),
  markdown: (document) => ({ page_type: document.content.pageType, markdown: document.markdown('main') }),
  metadata: (document) => ({ metadata: document.metadata }),
  records: (document) => ({ records: document.records.map(plainList) }),
  product: (document) => ({ product: productLine(document) }),
  paging: (document) => ({ paging: { next: document.paging.next, pages: document.paging.pages } }),
  forms: (document) => ({ forms: document.forms.map(({ type, selector, fields }) => ({ type, selector, fields })) }),
};

function productLine({ product }: Document): NonNullable<ParseResult['product']> | null {
  if (!product) return null;
  return {
    ...(product.name === undefined ? {} : { name: product.name }),
    ...(product.price === undefined ? {} : { price: product.price.amount }),
    ...(product.currency === undefined ? {} : { currency: product.currency }),
    ...(product.sku === undefined ? {} : { sku: product.sku }),
    availability: product.availability.state,
  };
}

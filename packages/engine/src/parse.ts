// Every view of a saved page as one line of data: what `weft parse` prints.
import type { FormField } from './extract/forms/fields.ts';
import { Document } from './document.ts';
import type { DocumentSource } from './document.ts';
import { textOfMarkdown } from './extract/documents/plain-text.ts';
import { listsOfOther, plainList, readOther } from './other-views.ts';
import type { ReadableDocument } from './extract/documents/readable.ts';

/** The views that a saved page can be read for. */
export const PARSE_VIEWS = ['text', 'markdown', 'metadata', 'records', 'product', 'paging', 'forms', 'links'] as const;
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
  /** Absolute, in the order of the page. */
  readonly links?: readonly { readonly url: string; readonly text: string }[];
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

/** Reads one page, or a document that is not HTML: that has no `page_type`, no forms, no product and no paging. Throws PageError. */
export async function parsePage(request: ParseRequest): Promise<ParseResult> {
  const other = await readOther(request.source);
  const result: ParseResult = {};
  if (other) {
    for (const view of request.want) Object.assign(result, OTHER_READERS[view]?.(other));
    return result;
  }
  const document = new Document(request.source);
  for (const view of request.want) Object.assign(result, READERS[view](document));
  return result;
}

const OTHER_READERS: Readonly<Partial<Record<ParseView, (document: ReadableDocument) => ParseResult>>> = {
  text: ({ markdown }) => ({ text: textOfMarkdown(markdown) }),
  markdown: ({ markdown }) => ({ markdown }),
  metadata: ({ title }) => ({ metadata: title === undefined ? {} : { title } }),
  records: (document) => ({ records: listsOfOther(document) }),
  links: ({ links }) => ({ links }),
};

const READERS: Readonly<Record<ParseView, (document: Document) => ParseResult>> = {
  text: (document) => ({ page_type: document.content.pageType, text: document.text('main') }),
  markdown: (document) => ({ page_type: document.content.pageType, markdown: document.markdown('main') }),
  metadata: (document) => ({ metadata: document.metadata }),
  records: (document) => ({ records: document.records.map(plainList) }),
  product: (document) => ({ product: productLine(document) }),
  paging: (document) => ({ paging: { next: document.paging.next, pages: document.paging.pages } }),
  forms: (document) => ({ forms: document.forms.map(({ type, selector, fields }) => ({ type, selector, fields })) }),
  links: (document) => ({ links: document.links.map(({ url, text }) => ({ url, text })) }),
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

// Every view of a saved page as one line of data: what `weft parse` prints.
import type { FormField } from './extract/forms/fields.ts';
import { Document } from './document.ts';
import type { DocumentSource } from './document.ts';
import type { LeftOut } from './extract/content/structure.ts';
import { textOfDocument } from './extract/documents/plain-text.ts';
import { listsOfOther, plainList, readOther } from './other-views.ts';
import type { ReadableDocument } from './extract/documents/readable.ts';

/** The views that a saved page can be read for. */
export const PARSE_VIEWS = ['text', 'markdown', 'metadata', 'records', 'product', 'paging', 'forms', 'links', 'left_out'] as const;
/** One view of a saved page. */
export type ParseView = (typeof PARSE_VIEWS)[number];

/** A saved page and the views that are wanted of it. */
export interface ParseRequest {
  readonly source: DocumentSource;
  readonly want: readonly ParseView[];
  /** Whether what the page hides is read as if it were shown; default false. */
  readonly includeHidden?: boolean;
}

/** Only what was wanted is there; `page_type` comes with `text` and `markdown`, which need it. */
export interface ParseResult {
  readonly page_type?: string;
  /** The main content as block text. */
  readonly text?: string;
  readonly markdown?: string;
  /** Words that the page hides inside its main content; absent for none. Comes with `text` and `markdown`, which are without them. */
  readonly hidden_words?: number;
  readonly metadata?: object;
  /** Absolute, in the order of the page. */
  readonly links?: readonly { readonly url: string; readonly text: string }[];
  /** The lists, tables and other units that are no content, in the order of the page; `probability` is what the judges gave. */
  readonly left_out?: readonly {
    readonly element: string;
    readonly rule: string;
    readonly probability: number;
    readonly text: string;
  }[];
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
  const document = new Document(request.source, request);
  for (const view of request.want) Object.assign(result, READERS[view](document));
  return result;
}

const OTHER_READERS: Readonly<Partial<Record<ParseView, (document: ReadableDocument) => ParseResult>>> = {
  text: (document) => ({ text: textOfDocument(document) }),
  markdown: ({ markdown }) => ({ markdown }),
  metadata: ({ title }) => ({ metadata: title === undefined ? {} : { title } }),
  records: (document) => ({ records: listsOfOther(document) }),
  links: ({ links }) => ({ links }),
};

const READERS: Readonly<Record<ParseView, (document: Document) => ParseResult>> = {
  text: (document) => ({ page_type: document.content.pageType, text: document.text('main'), ...hiddenWords(document) }),
  markdown: (document) => ({ page_type: document.content.pageType, markdown: document.markdown('main'), ...hiddenWords(document) }),
  metadata: (document) => ({ metadata: document.metadata }),
  records: (document) => ({ records: document.records.map(plainList) }),
  product: (document) => ({ product: productLine(document) }),
  paging: (document) => ({ paging: { next: document.paging.next, pages: document.paging.pages } }),
  forms: (document) => ({ forms: document.forms.map(({ type, selector, fields }) => ({ type, selector, fields })) }),
  links: (document) => ({ links: document.links.map(({ url, text }) => ({ url, text })) }),
  left_out: (document) => ({ left_out: document.content.leftOut.map(leftOutLine) }),
};

/** Characters of a unit that show which one it is. */
const SAMPLE_CHARS = 120;

function leftOutLine({ unit, rule, probability }: LeftOut): NonNullable<ParseResult['left_out']>[number] {
  const text = unit.blocks.map((block) => block.text).join(' ');
  return {
    element: unit.box.element.name,
    rule,
    probability: Math.round(probability * 1000) / 1000,
    text: text.length > SAMPLE_CHARS ? `${text.slice(0, SAMPLE_CHARS)}…` : text,
  };
}

function hiddenWords(document: Document): ParseResult {
  const count = document.hiddenWords('main');
  return count === 0 ? {} : { hidden_words: count };
}

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

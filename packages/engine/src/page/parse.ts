// Every view of a saved page as one line of data: what `weft parse` prints.
import type { FormField } from '../extract/forms/fields.ts';
import type { LeftOut } from '../extract/content/structure.ts';
import type { Product } from '../extract/product/product.ts';
import type { PlainList } from '../records/list.ts';
import { readOther } from './other-documents.ts';
import { PageDocument } from './page-document.ts';
import type { DocumentSource } from './page-document.ts';
import { VIEWS } from './view-table.ts';
import type { ViewData } from './view-table.ts';

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
  readonly records?: readonly PlainList[];
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
  const document = other ? undefined : new PageDocument(request.source, request);
  const result: ParseResult = {};
  for (const name of request.want) {
    const view = VIEWS[name];
    const data = document ? await view.page(document, 'main') : other && (await view.other?.(other));
    if (data) Object.assign(result, LINES[name]?.(data) ?? data);
  }
  return result;
}

/** What a line shows of a view that holds more. */
const LINES: Readonly<Partial<Record<ParseView, (data: ViewData) => ParseResult>>> = {
  product: ({ product }) => ({ product: product ? productLine(product) : null }),
  paging: ({ paging }) => (paging ? { paging: { next: paging.next, pages: paging.pages } } : {}),
  forms: ({ forms = [] }) => ({ forms: forms.map(({ type, selector, fields }) => ({ type, selector, fields })) }),
  links: ({ links = [] }) => ({ links: links.map(({ url, text }) => ({ url, text })) }),
  left_out: ({ left_out = [] }) => ({ left_out: left_out.map(leftOutLine) }),
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

function productLine(product: Product): NonNullable<ParseResult['product']> {
  return {
    ...(product.name === undefined ? {} : { name: product.name }),
    ...(product.price === undefined ? {} : { price: product.price.amount }),
    ...(product.currency === undefined ? {} : { currency: product.currency }),
    ...(product.sku === undefined ? {} : { sku: product.sku }),
    availability: product.availability.state,
  };
}

// The views of documents that are not HTML: PDF, Word, Excel, CSV, feeds, JSON, plain text.
import type { PageFormat } from '@weft/contract';
import type { DocumentSource } from './page-document.ts';
import { PageError } from './errors.ts';
import { isHtmlBody } from './extract/documents/body-kind.ts';
import { readDocument } from './extract/documents/document.ts';
import { textOfDocument } from './extract/documents/plain-text.ts';
import type { ReadableDocument } from './extract/documents/readable.ts';
import { recordListOf } from './records/json.ts';
import type { ListSource, RecordList } from './records/list.ts';
import type { Views } from './view-fields.ts';

/** How many tables of one document are kept. */
const LISTS_MAX = 20;

/** The document that `source` is; undefined for a page of HTML. Throws PageError, `unsupported_type` for pictures and other binary data. */
export async function readOther(source: DocumentSource): Promise<ReadableDocument | undefined> {
  const { body, contentType, url } = source;
  if (isHtmlBody(body, contentType)) return undefined;
  const document = await readDocument(body, { contentType, url });
  if (document || body.length === 0) return document;
  throw new PageError('unsupported_type', `${url} is ${contentType ?? 'of an unknown type'}, which holds no text to read.`, { url });
}

/** Views that a document has no counterpart for are absent. */
export function viewsOfOther(document: ReadableDocument, formats: readonly PageFormat[]): Views {
  const { title } = document;
  const views: { [Name in keyof Views]: Views[Name] } = title === undefined ? {} : { title };
  for (const format of formats) Object.assign(views, READERS[format]?.(document));
  return views;
}

const READERS: Readonly<Partial<Record<PageFormat, (document: ReadableDocument) => Views>>> = {
  markdown: ({ markdown }) => ({ markdown }),
  text: (document) => ({ text: textOfDocument(document) }),
  links: ({ links }) => ({ links: links.map(({ url, text }) => ({ url, text })) }),
  metadata: ({ title }) => ({ metadata: title === undefined ? {} : { title } }),
  records: (document) => ({ records: [...listsOfOther(document)] }),
};

/** The tables of a document as lists; `place` is the sheet, the JSONPath or the path of elements that a list was found at. */
export function listsOfOther({ kind, records }: ReadableDocument) {
  const filled = records.filter(({ items }) => items.length > 0).slice(0, LISTS_MAX);
  return filled.map(({ source, items }) => ({ ...plainList(recordListOf(items, SOURCES[kind])), place: source }));
}

const SOURCES: Readonly<Record<ReadableDocument['kind'], ListSource>> = {
  pdf: 'table',
  docx: 'table',
  xlsx: 'table',
  csv: 'table',
  feed: 'feed',
  json: 'json',
  text: 'table',
  xml: 'xml',
};

/** A list without its elements, which can't leave the tree. */
export function plainList(list: RecordList) {
  const { score, source, selector, items, fields } = list;
  return { score, source, ...(selector === undefined ? {} : { selector }), fields, items };
}

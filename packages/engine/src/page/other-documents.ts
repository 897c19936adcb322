// Documents that are not HTML: PDF, Word, Excel, CSV, feeds, JSON, plain text.
import type { DocumentSource } from './page-document.ts';
import { PageError } from '../errors.ts';
import { isHtmlBody } from '../extract/documents/body-kind.ts';
import { readDocument } from '../extract/documents/document.ts';
import type { ReadableDocument } from '../extract/documents/readable.ts';
import { recordListOf } from '../records/json.ts';
import { plainList } from '../records/list.ts';
import type { ListSource } from '../records/list.ts';

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

// Reads everything that is not HTML: finds out what the bytes are and hands them to the reader of that kind.
import { PageError } from '../../errors.ts';
import { isArchive, listEntries } from './archive.ts';
import { isBinary, isHtml, isPdf, typeOf } from './body-kind.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './decode.ts';
import { readDocx } from './docx.ts';
import { isFeed, readFeed } from './feed.ts';
import { readJson } from './json.ts';
import { readPdf } from './pdf.ts';
import { DOCUMENT_BYTES_MAX } from './readable.ts';
import type { DocumentInfo, DocumentKind, ReadableDocument, Reading } from './readable.ts';
import { readText, readXml } from './text.ts';
import type { TextKind } from './text.ts';
import { readXlsx } from './xlsx.ts';
import { parseXml } from './xml.ts';

/**
 * The document in `body`, told by its bytes first and its type second; undefined for HTML and for what is not a document (pictures,
 * unknown archives, other binary data). Libraries are loaded when their kind first comes.
 * Throws PageError `body_too_large`, `page_too_complex` or `page_unreadable`, and the signal's reason when aborted.
 */
export async function readDocument(body: Uint8Array, info: DocumentInfo, signal?: AbortSignal): Promise<ReadableDocument | undefined> {
  if (body.length > DOCUMENT_BYTES_MAX) {
    throw new PageError('body_too_large', `The document has ${body.length} bytes; the limit is ${DOCUMENT_BYTES_MAX}.`, { url: info.url });
  }
  signal?.throwIfAborted();
  if (isPdf(body)) return as('pdf', await readPdf(body, signal));
  if (isArchive(body)) return readOffice(body, info, signal);
  if (isBinary(body)) return undefined;
  return readTextual(decodeText(body, info.contentType), info, signal);
}

function as(kind: DocumentKind, reading: Reading): ReadableDocument {
  return { kind, ...reading };
}

async function readOffice(body: Uint8Array, info: DocumentInfo, signal?: AbortSignal): Promise<ReadableDocument | undefined> {
  const entries = listEntries(body);
  const names = new Set(entries?.map((entry) => entry.name));
  signal?.throwIfAborted();
  if (entries && names.has('word/document.xml')) return as('docx', await readDocx(body, entries, info.url));
  if (entries && names.has('xl/workbook.xml')) return as('xlsx', await readXlsx(body, entries));
  return undefined;
}

async function readTextual(text: string, info: DocumentInfo, signal?: AbortSignal): Promise<ReadableDocument | undefined> {
  const type = typeOf(info.contentType);
  const suffix = /\.(\w{2,5})$/.exec(URL.parse(info.url)?.pathname ?? '')?.[1]?.toLowerCase() ?? '';
  const start = text.slice(0, 1000).trimStart();
  if (isHtml(start, type)) return undefined;
  if (/[/+]json\b|ndjson|jsonl/.test(type) || /^[[{]/.test(start)) {
    const reading = readJson(text);
    if (reading) return as('json', reading);
  }
  if (start.startsWith('<') && (start.startsWith('<?xml') || /[/+]xml$/.test(type) || suffix === 'xml'))
    return readMarkup(text, info, signal);
  if (/^text\/(?:csv|tab-separated-values)$/.test(type) || suffix === 'csv' || suffix === 'tsv') return as('csv', readCsv(text));
  if (/^(?:image|audio|video|font)\//.test(type)) return undefined;
  return as('text', readText(text, textKind(type, suffix)));
}

/** A type that says nothing says plain text, unless the name says more. */
function textKind(type: string, suffix: string): TextKind {
  if (type === 'text/markdown' || suffix === 'md') return 'markdown';
  return type === 'text/plain' || type === '' ? 'plain' : 'code';
}

async function readMarkup(text: string, info: DocumentInfo, signal?: AbortSignal): Promise<ReadableDocument> {
  const root = await parseXml(text);
  signal?.throwIfAborted();
  if (!root) return as('text', readText(text, 'code'));
  return isFeed(root) ? as('feed', readFeed(root, info.url)) : as('xml', readXml(root, text));
}

// Parts of a page as plain data: what a selector points at, its lists, its product, its forms.
import type { JsonValue } from '../html/loose-json.ts';
import { Document } from './document.ts';
import type { DocumentSource } from './document.ts';
import { PageError } from '../errors.ts';
import { decodeText } from '../extract/documents/decode.ts';
import { parseJsonText } from '../extract/documents/json.ts';
import type { ReadableDocument } from '../extract/documents/readable.ts';
import { textOfDocument } from '../extract/documents/plain-text.ts';
import type { Form } from '../extract/forms/forms.ts';
import type { Product } from '../extract/product/product.ts';
import { selectorError } from '../html/selectors/caps.ts';
import { compileRegex, matchRegexInText } from '../html/selectors/regex.ts';
import type { SelectorEvidence, SelectorMatch, SelectorResult } from '../html/selectors/resolve.ts';
import { MATCHES_MAX, resolveInJson, resolveValues } from '../html/selectors/resolve.ts';
import type { Selector } from '../html/selectors/selector.ts';
import { parseSelector } from '../html/selectors/selector.ts';
import { splitTake } from '../html/selectors/take.ts';
import type { Take } from '../html/selectors/take.ts';
import { plainList } from '../records/list.ts';
import type { PlainList } from '../records/list.ts';
import { listsOfOther, readOther } from './other-documents.ts';
import { readAnsweredList, readListPage } from './paged-list.ts';
import type { ListMemory, ListPage } from './paged-list.ts';

/** Which parts of which page; at least one of them. */
export interface SelectRequest {
  readonly source: DocumentSource;
  /** As users write it, with its prefix: `css/h1`, `css/a@href`, `xpath///h1`, `regex/a+/i`. */
  readonly selector?: string;
  readonly parts: readonly ('list' | 'product' | 'forms')[];
  /** Whether parts are also read from what the page hides; default false. A selector finds it in either case. */
  readonly includeHidden?: boolean;
  /** The list of a page that is one of several, as the pages before it showed it; nothing is remembered on the first one. */
  readonly paged?: { readonly memory?: ListMemory };
}

/** Only what was asked for is there. */
export interface SelectResult {
  readonly title?: string;
  /** In the order of the page, at most MATCHES_MAX. */
  readonly matches?: readonly Omit<SelectorMatch, 'node'>[];
  /** How many matches there are, those that were left out included. */
  readonly count?: number;
  readonly evidence?: SelectorEvidence;
  /** Best first. */
  readonly lists?: readonly PlainList[];
  /** Null where the page shows no product. */
  readonly product?: Product | null;
  readonly forms?: readonly Form[];
  readonly paged?: ListPage;
}

/** The parts of one page, or of a document that is not HTML. Throws PageError, `selector` for one that is wrong or that the document is not made for. */
export async function selectParts(request: SelectRequest): Promise<SelectResult> {
  const { source, selector: text } = request;
  const { selector: named, take } = text === undefined ? {} : splitTake(text);
  const selector = named === undefined ? undefined : parseSelector(named);
  const other = await readOther(source);
  return other ? partsOfOther(other, request, selector) : partsOfPage(new Document(source, request), request, selector, take);
}

function partsOfPage(
  document: Document,
  { parts, paged }: SelectRequest,
  selector: Selector | undefined,
  take: Take | undefined,
): SelectResult {
  const { title } = document.metadata;
  return {
    ...(title === undefined ? {} : { title }),
    ...(selector ? matchesOf(resolveValues(selector, take, document.tree)) : {}),
    ...(parts.includes('list') ? { lists: document.records.map(plainList) } : {}),
    ...(parts.includes('product') ? { product: document.product ?? null } : {}),
    ...(parts.includes('forms') ? { forms: document.forms } : {}),
    ...(paged ? { paged: readListPage(document, paged.memory) } : {}),
  };
}

function partsOfOther(document: ReadableDocument, { source, parts, paged }: SelectRequest, selector: Selector | undefined): SelectResult {
  const { title } = document;
  return {
    ...(title === undefined ? {} : { title }),
    ...(selector ? matchesOf(selectInOther(document, source, selector)) : {}),
    ...(parts.includes('list') ? { lists: listsOfOther(document) } : {}),
    ...(parts.includes('product') ? { product: null } : {}),
    ...(parts.includes('forms') ? { forms: [] } : {}),
    ...(paged ? { paged: listPageOfOther(document, source, paged.memory) } : {}),
  };
}

/** A document is one page, unless it is an answer to a request that can be counted on. */
function listPageOfOther(document: ReadableDocument, { body, contentType, url }: DocumentSource, memory: ListMemory | undefined): ListPage {
  const lists = listsOfOther(document);
  if (document.kind === 'json') return readAnsweredList(lists, { url, json: parseJsonText(decodeText(body, contentType))?.value }, memory);
  return lists[0] ? { list: lists[0] } : {};
}

/** Patterns run on the text of any document, JSONPath on JSON; everything else needs elements. */
function selectInOther(document: ReadableDocument, source: DocumentSource, selector: Selector): SelectorResult {
  const { kind } = document;
  if (selector.kind === 'regex') {
    const values = matchRegexInText(compileRegex(selector.expression), textOfDocument(document), MATCHES_MAX);
    const evidence = { kind: selector.kind, place: 'text', truncated: values.length >= MATCHES_MAX };
    return { matches: values.map((value) => ({ value })), count: values.length, evidence };
  }
  if (selector.kind === 'jsonpath' && kind === 'json') return resolveInJson(selector, parseJson(source));
  throw selectorError(selector.text, `needs a page of HTML, and ${source.url} is ${kind === 'json' ? 'JSON' : `a ${kind} document`}.`);
}

function parseJson({ body, contentType, url }: DocumentSource): JsonValue {
  try {
    // JSON.parse gives nothing but JSON.
    return JSON.parse(decodeText(body, contentType).replace(/^\ufeff/, '')) as JsonValue;
  } catch (cause) {
    throw new PageError('page_unreadable', `${url} holds JSON lines; JSONPath needs one JSON document.`, { url, cause });
  }
}

function matchesOf({ matches, count, evidence }: SelectorResult): Pick<SelectResult, 'matches' | 'count' | 'evidence'> {
  return { matches: matches.map(({ node: _node, ...match }) => match), count, evidence };
}

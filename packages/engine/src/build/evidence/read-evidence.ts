// What one page shows of a site, as plain data that crosses threads: its lists and how each is found again, its forms, links and data.
import type { Element } from 'domhandler';
import { isHtmlBody } from '../../extract/documents/body-kind.ts';
import { readField } from '../../extract/forms/fields.ts';
import { FORM_WORDS } from '../../extract/forms/vocabulary.ts';
import { cssPathOf, quoteString, readUniqueIds } from '../../html/selectors/css-path.ts';
import { isStableName } from '../../html/selectors/stable.ts';
import type { Form } from '../../extract/forms/forms.ts';
import type { PageTree } from '../../html/tree.ts';
import { decodeBody } from '../../html/encoding/decode.ts';
import { parseJson } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { elementsNamed } from '../../html/named-elements.ts';
import { detectObstacle } from '../../html/signs/challenge.ts';
import { textOf } from '../../html/selectors/text.ts';
import { attribute, elementsBelow, shownElementsBelow } from '../../html/walk.ts';
import { decideLane } from '../../lane/choose-lane.ts';
import { Document } from '../../page/document.ts';
import type { DocumentSource } from '../../page/document.ts';
import type { FieldSpec, ListSource, RecordList } from '../../records/list.ts';
import { readChangedTexts } from '../../records/changed-texts.ts';
import type { ListChange } from '../../records/changed-texts.ts';
import { learnBeside, learnWrapper } from '../../records/wrapper.ts';
import type { Wrapper } from '../../records/wrapper.ts';
import type { Row } from '../../run/reading/rows.ts';
import { plainValue } from '../../run/reading/typed.ts';
import { membersFrom } from '../../run/value.ts';
import { findJsonLists } from './json-lists.ts';
import type { JsonList } from './json-lists.ts';

/** One answer to be looked at. */
export interface EvidenceRequest {
  readonly source: DocumentSource;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** True for what a browser has rendered: no script is still to run. */
  readonly isRendered: boolean;
  /** Another answer of the same site, which holds nothing of what is looked for: lists are measured by what it does not say. */
  readonly without?: DocumentSource | undefined;
  /** Another answer with rows of the same kind: what all rows of one say is a value where those of the other say something else. */
  readonly beside?: DocumentSource | undefined;
}

/** A list of a page, and how it is found on others. */
export interface FoundList {
  readonly source: ListSource;
  readonly score: number;
  readonly fields: readonly FieldSpec[];
  /** At most ROWS_MAX. */
  readonly rows: readonly Row[];
  /** Visible text of each of them. */
  readonly texts: readonly string[];
  readonly count: number;
  /** How far it is what the answer `without` does not say; absent for data, and where no such answer was given. */
  readonly change?: ListChange;
  /** In the markup. */
  readonly wrapper?: Wrapper;
  /** In data: where it stands, and the JSONPath of its rows. */
  readonly place?: { readonly from: 'json' | 'state' | 'jsonld'; readonly path: string };
}

/** A control for words to search for. */
export interface SearchControl {
  /** By its name where no other control has that: an id may be made anew with each load. */
  readonly selector: string;
  /** The selector of the form that it stands in; absent for one without a form. */
  readonly form?: string;
  readonly name: string;
  readonly label: string;
}

/** What is known of a page. */
export interface PageEvidence {
  readonly url: string;
  readonly status: number;
  readonly title: string;
  readonly kind: 'html' | 'json' | 'other';
  /** What stands in front of the page, if anything does. */
  readonly obstacle?: string;
  /** True for a page that scripts have yet to fill. */
  readonly isShell: boolean;
  /** True for a page that asks to stay out of indexes (`<meta name="robots">`). */
  readonly isUnlisted: boolean;
  readonly forms: readonly Form[];
  /** Controls into which words to search for are typed, in a form or not. */
  readonly controls: readonly SearchControl[];
  /** What the data lists of its text fields suggest, by the name of the field. */
  readonly suggestions: Readonly<Record<string, readonly string[]>>;
  /** Best first. */
  readonly lists: readonly FoundList[];
  readonly states: readonly { readonly name: string; readonly path?: string; readonly rows: number }[];
  /** Of its own site, in document order. */
  readonly links: readonly { readonly url: string; readonly text: string; readonly isUnfollowed: boolean }[];
  /** Where its list goes on. */
  readonly onward?: string;
  /** Metas that hold a token. */
  readonly tokens: readonly { readonly name: string; readonly value: string }[];
  /** Words of its headings. */
  readonly headings: readonly string[];
  /** What it says, from its beginning, with what stands around its content. */
  readonly text: string;
}

const LISTS_MAX = 5;
/** What changes may be a list that looks little like one. */
const COMPARED_LISTS_MAX = 10;
const ROWS_MAX = 60;
const LINKS_MAX = 1_000;
const TEXT_MAX = 2_000;
const PAGE_TEXT_MAX = 6_000;
const SUGGESTIONS_MAX = 50;
const CONTROLS_MAX = 5;
const TOKEN_NAME = /(?:csrf|xsrf|authenticity|request-?verification)/i;

/** Looks at one answer. Throws PageError `page_too_complex`. */
export function readEvidence(request: EvidenceRequest): PageEvidence {
  const { source, status } = request;
  const empty = { url: source.url, status, title: '', isShell: false, isUnlisted: false, ...NOTHING };
  if (isHtmlBody(source.body, source.contentType)) return readHtml(request);
  const json = parseJson(decodeBody(source.body, source.contentType).html);
  if (json === undefined) return { ...empty, kind: 'other' };
  return { ...empty, kind: 'json', lists: findJsonLists(json).map((list) => jsonList(list, 'json')) };
}

const NOTHING = { forms: [], controls: [], suggestions: {}, lists: [], states: [], links: [], tokens: [], headings: [], text: '' };

function readHtml({ source, status, headers, isRendered, without, beside }: EvidenceRequest): PageEvidence {
  const document = new Document(source);
  const { html } = document.decoded;
  const obstacle = detectObstacle({ status, headers, html, url: source.url })?.kind;
  const isShell = !isRendered && decideLane({ status, headers, html, url: source.url }).kind === 'render';
  const { onward } = document.paging;
  return {
    url: source.url,
    status,
    title: document.metadata.title ?? '',
    kind: 'html',
    ...(obstacle === undefined ? {} : { obstacle }),
    isShell,
    isUnlisted: document.metadata.robots.noindex,
    forms: document.forms,
    controls: controlsOf(document),
    suggestions: suggestionsOf(document),
    lists: [...listsOf(document, without, beside), ...dataLists(document)]
      .toSorted((a, b) => b.score - a.score)
      .slice(0, without ? COMPARED_LISTS_MAX : LISTS_MAX),
    states: statesOf(document),
    links: document.links
      .filter(({ kind }) => kind === 'internal')
      .slice(0, LINKS_MAX)
      .map(({ url, text, nofollow }) => ({ url, text: text.slice(0, 200), isUnfollowed: nofollow })),
    ...(onward === undefined ? {} : { onward }),
    tokens: tokensOf(document),
    headings: headingsOf(document),
    text: textOf(document.tree.body, PAGE_TEXT_MAX),
  };
}

/** Lists of the markup; what structured data says in the same words is read by its path. */
function listsOf(document: Document, without: DocumentSource | undefined, beside: DocumentSource | undefined): readonly FoundList[] {
  const silent = treeOf(without);
  const changed = silent && readChangedTexts(document.tree, silent);
  const other = treeOf(beside);
  return document.records
    .filter(({ nodes, items }) => nodes.length > 0 && items.length > 0)
    .slice(0, changed ? COMPARED_LISTS_MAX : LISTS_MAX)
    .map((list) => {
      const learnt = other ? learnBeside(document.tree, list, other) : list;
      return {
        ...plainList(learnt),
        ...(changed ? { change: changed.measure(list.nodes) } : {}),
        wrapper: learnWrapper(document.tree, learnt),
      };
    });
}

function treeOf(source: DocumentSource | undefined): PageTree | undefined {
  return source && isHtmlBody(source.body, source.contentType) ? new Document(source).tree : undefined;
}

function plainList(list: RecordList): FoundList {
  const { source, score, fields, items } = list;
  const rows = items
    .slice(0, ROWS_MAX)
    .map((item) => membersFrom(fields.map(({ name }) => [name, item.fields[name] === undefined ? null : plainValue(item.fields[name])])));
  return { source, score, fields, rows, texts: items.slice(0, ROWS_MAX).map(({ text }) => text.slice(0, TEXT_MAX)), count: items.length };
}

/** The best list of each state and of the linked data, behind those of the markup unless these say less. */
function dataLists({ structured }: Document): readonly FoundList[] {
  const states = structured.states.slice(0, 20).flatMap(({ value }) => findJsonLists(value).slice(0, 1));
  // JSON-LD was parsed as JSON.
  const linked = findJsonLists(structured.jsonLd as unknown as JsonValue).slice(0, 1);
  return [...states.map((list) => jsonList(list, 'state')), ...linked.map((list) => jsonList(list, 'jsonld'))];
}

function jsonList({ path, rows: count, fields, items }: JsonList, from: 'json' | 'state' | 'jsonld'): FoundList {
  const rows = items
    .slice(0, ROWS_MAX)
    .map((item) => membersFrom(fields.map(({ name }) => [name, item.fields[name] === undefined ? null : plainValue(item.fields[name])])));
  return {
    source: from === 'json' ? 'json' : from,
    score: from === 'json' ? 10 : 1,
    fields,
    rows,
    texts: items.slice(0, ROWS_MAX).map(({ text }) => text.slice(0, TEXT_MAX)),
    count,
    place: { from, path },
  };
}

function statesOf({ structured }: Document): PageEvidence['states'] {
  return structured.states.slice(0, 20).map(({ name, value }) => {
    const [list] = findJsonLists(value);
    return { name, rows: list?.rows ?? 0, ...(list ? { path: list.path } : {}) };
  });
}

function controlsOf({ tree, forms }: Document): readonly SearchControl[] {
  const elements = [...shownElementsBelow(tree.root)];
  const isUniqueId = readUniqueIds(elements);
  const isOnlyName = readOnlyNames(elements);
  const refused = new Set(forms.filter(({ type }) => type !== 'search' && type !== 'other').map(({ selector }) => selector));
  const found: SearchControl[] = [];
  for (const element of elements) {
    if (element.name !== 'input' || found.length >= CONTROLS_MAX) continue;
    const { type, control, label = '', name } = readField(element, new Map());
    const said = [
      label,
      name,
      element.attribs['placeholder'],
      element.attribs['aria-label'],
      element.attribs['class'],
      element.attribs['id'],
    ].join(' ');
    const isSearch = control === 'search' || type === 'search_query' || (control === 'text' && FORM_WORDS.search.test(said.toLowerCase()));
    const place = cssPathOf(element, isUniqueId);
    const form = forms.find((each) => place.startsWith(each.selector))?.selector;
    if (!isSearch || (form !== undefined && refused.has(form))) continue;
    const selector = isOnlyName(name) ? `input[name=${quoteString(name)}]` : cssPathOf(element, (id) => isUniqueId(id) && isStableName(id));
    found.push({ selector, ...(form === undefined ? {} : { form }), name, label: label.slice(0, 100) });
  }
  return found;
}

/** Whether one input alone has a name. */
function readOnlyNames(elements: readonly Element[]): (name: string) => boolean {
  const names = elements.filter((element) => element.name === 'input').map(({ attribs }) => attribs['name'] ?? '');
  return (name) => name !== '' && names.filter((each) => each === name).length === 1;
}

function suggestionsOf({ tree }: Document): Readonly<Record<string, readonly string[]>> {
  const lists = new Map<string, string[]>();
  const fields: Element[] = [];
  for (const element of elementsBelow(tree.root)) {
    if (element.name === 'datalist' && element.attribs['id']) lists.set(element.attribs['id'], optionsOf(element));
    if (element.name === 'input' && element.attribs['list'] && element.attribs['name']) fields.push(element);
  }
  return membersFrom(fields.map(({ attribs }) => [attribs['name'] ?? '', lists.get(attribs['list'] ?? '') ?? []]));
}

function optionsOf(list: Element): string[] {
  const values: string[] = [];
  for (const element of elementsBelow(list))
    if (element.name === 'option' && values.length < SUGGESTIONS_MAX) values.push(attribute(element, 'value') ?? '');
  return values.filter((value) => value !== '');
}

function tokensOf({ tree }: Document): PageEvidence['tokens'] {
  return elementsNamed(tree, 'meta').flatMap(({ attribs }) => {
    const { name = '', content = '' } = attribs;
    return TOKEN_NAME.test(name) && content !== '' ? [{ name, value: content }] : [];
  });
}

function headingsOf({ tree, metadata }: Document): readonly string[] {
  const headings: string[] = [metadata.title ?? ''];
  for (const element of elementsBelow(tree.body)) {
    if (headings.length > 20) break;
    if (!/^h[1-3]$/.test(element.name)) continue;
    const text = textOf(element, 200);
    headings.push(text);
  }
  return headings.filter((heading) => heading.trim() !== '');
}

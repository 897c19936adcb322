// Tells from requests that were seen which of them answer lists, what in them was asked for, and how their pages are counted.
import { parseJson } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import type { CapturedRequest } from '../../run/session.ts';
import { isMembers, membersFrom } from '../../run/value.ts';
import { OFFSET_NAME, PAGE_NAME, SIZE_NAME } from '../../url/turn-names.ts';
import { canNamePath } from '../functions/item-path.ts';
import type { AskingWay, PagingWay, Parameter } from './catalogue.ts';
import type { Ids } from './ids.ts';
import { findJsonLists, memberStep } from './json-lists.ts';
import type { JsonList } from './json-lists.ts';
import type { FoundList } from './read-evidence.ts';
import { titlesOf } from './titles.ts';
import { fold } from './words.ts';

/** A request whose answer has a list, and how it is asked again. */
export interface Endpoint {
  readonly request: CapturedRequest;
  readonly list: FoundList;
  readonly way: AskingWay;
  readonly parameters: readonly Parameter[];
  /** The parameter that a word was typed for. */
  readonly input: Parameter | undefined;
  readonly paging: PagingWay | undefined;
  /** The meta of its page that a header repeats. */
  readonly hasToken: boolean;
}

/** What else is known where endpoints are looked for. */
export interface EndpointContext {
  readonly ids: Ids;
  /** The words that were typed, in order; the last request for each is looked for. */
  readonly words: readonly string[];
  /** Metas of pages that hold tokens. */
  readonly tokens: readonly { readonly name: string; readonly value: string }[];
}

const END_NAME = /^_?(?:end|to|until|stop)$/i;
const CURSOR_NAME = /cursor|after|next|continu|token|since|marker|scroll_?id/i;
const MOMENT = /^1[5-9]\d{8}(?:\d{3})?$/;
const FOLLOWED_PAGES_MAX = 5;
const WINDOW_MAX = 1_000;

/** The endpoints among `requests`, one for each address without its query and each operation, best list first. */
export function findEndpoints(requests: readonly CapturedRequest[], context: EndpointContext): readonly Endpoint[] {
  const groups = Map.groupBy(
    requests.filter(({ status }) => status >= 200 && status < 300),
    operationOf,
  );
  const found = [...groups.values()].flatMap((group) => endpointOf(group, context));
  return found.toSorted((a, b) => Number(b.input !== undefined) - Number(a.input !== undefined) || b.list.count - a.list.count);
}

/** What the rows are called that these requests were answered with. */
export function titlesAnswered(requests: readonly CapturedRequest[]): readonly string[] {
  return requests.flatMap(({ json }) => {
    const list = bestList(json);
    return list ? titlesOf(foundList(list)) : [];
  });
}

/** GraphQL asks everything at one address, and says in the body which operation is meant. */
function operationOf({ method, url, body }: CapturedRequest): string {
  const { origin = '', pathname = '' } = URL.parse(url) ?? {};
  const json = parsed(body);
  const operation = isMembers(json) ? (json['operationName'] ?? json['query'] ?? '') : '';
  return `${method} ${origin}${pathname} ${typeof operation === 'string' ? operation.slice(0, 500) : ''}`;
}

function endpointOf(group: readonly CapturedRequest[], context: EndpointContext): readonly Endpoint[] {
  const [word, other] = context.words;
  const asked = word === undefined ? undefined : group.find((request) => holdsValue(request, word));
  const request = asked ?? group.find(({ json }) => bestList(json) !== undefined);
  const list = request && bestList(request.json);
  if (!request || !list || (request.method !== 'GET' && request.method !== 'POST')) return [];
  const again = asked && other !== undefined ? group.find((each) => holdsValue(each, other)) : undefined;
  const places = new Places(request, again, asked ? word : undefined, group, context);
  const way = places.way();
  if (!way || (way.kind === 'request' && !canNamePath(list.path))) return [];
  const { input, parameters, hasToken } = places;
  return [{ request, list: foundList(list), way, parameters, input, paging: places.paging(list), hasToken }];
}

function bestList(json: unknown): JsonList | undefined {
  // What a page fetched was parsed as JSON.
  return findJsonLists(json as JsonValue)[0];
}

function foundList({ path, rows, fields, items }: JsonList): FoundList {
  return {
    source: 'xhr',
    score: 10,
    fields,
    rows: items.map((item) => membersFrom(fields.map(({ name }) => [name, rawOf(item.fields[name])]))),
    texts: items.map(({ text }) => text.slice(0, 2_000)),
    count: rows,
    place: { from: 'json', path },
  };
}

function rawOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(rawOf).join(' ');
  return isMembers(value) && typeof value['raw'] === 'string' ? value['raw'] : null;
}

function holdsValue({ url, body }: CapturedRequest, value: string): boolean {
  const sought = fold(value);
  const { searchParams, pathname = '' } = URL.parse(url) ?? {};
  const inAddress = [...(searchParams?.values() ?? []), ...pathname.split('/').map(decoded)].some((each) => fold(each).includes(sought));
  return inAddress || (body !== undefined && leaves(parsed(body) ?? bodyPairs(body)).some((each) => fold(each).includes(sought)));
}

/** The places of one request: which hold the word, a page, a token or the moment, and which stay as they are. */
class Places {
  readonly parameters: Parameter[] = [];
  input: Parameter | undefined;
  hasToken = false;
  private page: Parameter | undefined;
  private tokenFrom: Extract<AskingWay, { kind: 'request' }>['tokenFrom'];
  private readonly request: CapturedRequest;
  private readonly word: string | undefined;
  private readonly group: readonly CapturedRequest[];
  private readonly context: EndpointContext;
  private readonly made: AskingWay | undefined;

  constructor(
    request: CapturedRequest,
    again: CapturedRequest | undefined,
    word: string | undefined,
    group: readonly CapturedRequest[],
    context: EndpointContext,
  ) {
    this.request = request;
    this.word = word;
    this.group = again ? [again, ...group] : group;
    this.context = context;
    this.made = this.write();
  }

  way(): AskingWay | undefined {
    return this.made;
  }

  /** How it goes on: by a page or an offset that it is asked with, else by a cursor of its answer that a later request sent. */
  paging(_list: JsonList): PagingWay | undefined {
    if (this.page) return { mode: 'input', parameter: this.page.id };
    if (this.made?.kind !== 'address') return undefined;
    const scalars = scalarsOf(this.request.json, '$');
    const own = URL.parse(this.request.url)?.searchParams;
    for (const later of this.group) {
      for (const [name, value] of URL.parse(later.url)?.searchParams ?? []) {
        const source = scalars.find((each) => each.value === value && CURSOR_NAME.test(each.path));
        if (own?.get(name) !== value && source && value.length >= 2)
          return { mode: 'cursor', param: name, path: source.path, pagesMax: FOLLOWED_PAGES_MAX };
      }
    }
    const next = scalars.find(({ path, value }) => /next/i.test(path) && /^https?:\/\//.test(value));
    return next && { mode: 'next_url', path: next.path, pagesMax: FOLLOWED_PAGES_MAX };
  }

  private write(): AskingWay | undefined {
    const { method, url: asked, body } = this.request;
    const headers = this.headers();
    const url = this.address(asked);
    if (method === 'GET') return headers ? this.asRequest('GET', url, headers) : { kind: 'address', url };
    if (body === undefined) return this.asRequest('POST', url, headers);
    const json = parsed(body);
    if (json !== undefined) return { ...this.asRequest('POST', url, headers), json: this.json(json, '') };
    const form = bodyPairs(body);
    if (!isMembers(form)) return undefined;
    const fields = Object.entries(form).map(([name, value]) => [name, this.text(name, String(value))] as const);
    return { ...this.asRequest('POST', url, headers), form: membersFrom(fields) };
  }

  private asRequest(method: 'GET' | 'POST', url: string, headers: Readonly<Record<string, string>> | undefined) {
    return {
      kind: 'request' as const,
      method,
      url,
      ...(headers ? { headers } : {}),
      ...(this.tokenFrom ? { tokenFrom: this.tokenFrom } : {}),
    };
  }

  /** Headers of the site's own, and those that its tokens are sent in; undefined where it needs none. */
  private headers(): Readonly<Record<string, string>> | undefined {
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.request.headers)) {
      if (name === 'content-type') continue;
      if (name === 'accept') {
        if (/json/.test(value)) kept[name] = value;
        continue;
      }
      const token = this.context.tokens.find((each) => each.value === value);
      kept[name] = token ? this.token(token.name) : value;
    }
    const isPlain = Object.keys(kept).every((name) => name === 'accept' || name === 'x-requested-with');
    return Object.keys(kept).length === 0 || (isPlain && this.request.method === 'GET') ? undefined : kept;
  }

  private token(name: string): string {
    const id = this.context.ids.next('P');
    this.hasToken = true;
    this.parameters.push({ id, name: 'token', role: 'token', type: 'string', required: true, examples: [] });
    this.tokenFrom = { pageUrl: this.request.pageUrl, selector: `meta[name="${name}"]`, attr: 'content', parameter: id };
    return `{${id}}`;
  }

  private address(asked: string): string {
    const url = new URL(asked);
    const path = url.pathname
      .split('/')
      .map((segment) => (this.isWord(decoded(segment)) ? this.inputPlace('query') : segment))
      .join('/');
    const pairs = [...url.searchParams].flatMap(([name, value]) => {
      if (MOMENT.test(value)) return [];
      const written = this.text(name, value);
      return [`${encodeURIComponent(name)}=${written === value ? encodeURIComponent(value) : written}`];
    });
    return `${url.origin}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  }

  private json(value: JsonValue, name: string): JsonValue {
    if (typeof value === 'string') return this.text(name, value);
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => this.json(item, name));
    if (typeof value === 'number' && Number.isInteger(value)) {
      const written = this.counted(name, String(value));
      return written ?? value;
    }
    if (!isMembers(value)) return value;
    return membersFrom(Object.entries(value).map(([member, item]) => [member, this.json(item as JsonValue, member)] as const));
  }

  /** `value` as it is sent again: a place where it holds the word or a page. */
  private text(name: string, value: string): string {
    if (this.isWord(value)) return this.inputPlace(name);
    const end = this.windowEnd(name, value);
    if (end !== undefined) return end;
    const { word } = this;
    if (word !== undefined && fold(value).includes(fold(word)) && value.includes(word)) return value.replace(word, this.inputPlace(name));
    return this.counted(name, value) ?? value;
  }

  private isWord(value: string): boolean {
    return this.word !== undefined && fold(value) === fold(this.word);
  }

  private inputPlace(name: string): string {
    this.input ??= {
      id: this.context.ids.next('P'),
      name,
      role: 'input',
      type: 'string',
      required: true,
      examples: this.context.words.map((value) => ({ id: this.context.ids.next('X'), value, seenIn: 'row' as const })),
    };
    if (!this.parameters.includes(this.input)) this.parameters.unshift(this.input);
    return `{${this.input.id}}`;
  }

  /** Where an answer begins and where it ends: the end goes on as far as the beginning does. */
  private windowEnd(name: string, value: string): string | undefined {
    if (!END_NAME.test(name) || !/^\d{1,6}$/.test(value)) return undefined;
    const [start, from] = [...(URL.parse(this.request.url)?.searchParams ?? [])].find(([each]) => OFFSET_NAME.test(each)) ?? [];
    const size = Number(value) - Number(from);
    if (start === undefined || from === undefined || !Number.isInteger(size) || size < 1 || size > WINDOW_MAX) return undefined;
    this.counted(start, from);
    return this.page?.name === start ? `{${this.page.id}+${size}}` : undefined;
  }

  /** A place for a page or an offset, where the name says so. */
  private counted(name: string, value: string): string | undefined {
    if (this.page?.name === name) return `{${this.page.id}}`;
    if (this.page || !/^\d{1,6}$/.test(value)) return undefined;
    const role = PAGE_NAME.test(name) ? 'page' : OFFSET_NAME.test(name) ? 'offset' : undefined;
    if (role === undefined) return undefined;
    const step = role === 'page' ? 1 : (this.pageSize() ?? bestList(this.request.json)?.rows ?? 10);
    const initial = Math.min(Number(value), role === 'page' ? 1 : 0);
    this.page = {
      id: this.context.ids.next('P'),
      name,
      role,
      type: 'integer',
      required: false,
      initial: String(initial),
      step,
      pageRows: this.pageSize() ?? this.mostRows(),
      examples: [],
    };
    this.parameters.push(this.page);
    return `{${this.page.id}}`;
  }

  /** The longest list that was seen is the best guess at what a page holds. */
  private mostRows(): number {
    return Math.max(...this.group.map(({ json }) => bestList(json)?.rows ?? 0));
  }

  private pageSize(): number | undefined {
    const values = [...(URL.parse(this.request.url)?.searchParams ?? [])];
    const inBody = scalarsOf(parsed(this.request.body), '$').map(
      ({ path, value }) => [/\['([^']+)'\]$/.exec(path)?.[1] ?? '', value] as const,
    );
    const numbered = (pattern: RegExp) => Number(values.find(([name]) => pattern.test(name))?.[1]);
    const span = numbered(END_NAME) - numbered(OFFSET_NAME);
    const size = span > 0 ? span : Number([...values, ...inBody].find(([name]) => SIZE_NAME.test(name))?.[1]);
    return Number.isInteger(size) && size > 0 && size <= 1_000 ? size : undefined;
  }
}

function scalarsOf(value: unknown, path: string, depth = 0): readonly { readonly path: string; readonly value: string }[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, value: String(value) }];
  if (!isMembers(value) || depth > 5) return [];
  return Object.entries(value).flatMap(([name, item]) => scalarsOf(item, `${path}${memberStep(name)}`, depth + 1));
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function parsed(body: string | undefined): JsonValue | undefined {
  return body !== undefined && /^\s*[[{]/.test(body) ? parseJson(body) : undefined;
}

/** The fields of a body that is coded as a form; undefined for any other. */
function bodyPairs(body: string): JsonValue | undefined {
  return /^[\w.%[\]+-]+=/.test(body) && !/[\s{<]/.test(body) ? membersFrom([...new URLSearchParams(body)]) : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

// Decides whether a request that a page's scripts sent only asked for something: it alone may be sent again. Whoever is in doubt says why.
import { FORM_WORDS } from '../../extract/forms/vocabulary.ts';
import { parseJson } from '../../html/loose-json.ts';
import { isCommand, plainWord } from '../../url/act-words.ts';
import { findAct } from '../../url/acts.ts';
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { isMembers } from '../value.ts';
import type { CapturedRequest } from '../session.ts';
import { graphqlKind } from './graphql.ts';

/** RFC 9110, 9.2.1. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What an address is called that answers a question: a word of asking in front, or one that stands for the question behind. */
const ASKS_FIRST = words('search find query filter lookup browse suggest autocomplete list get fetch read');
const ASKS_LAST = words('search query lookup filter finder suggest suggestions autocomplete typeahead');
/** Beside a word of asking these make of it something that is kept: a search is saved, recorded, or told of by mail. */
const KEEPS = words(
  'save saved saves store stored create created new log logs logged track tracking record recent history alert alerts notify job jobs ' +
    'export import schedule share shared put post insert upsert replace move copy rename send start run execute buy order pay checkout register ' +
    'login logout sign and or then',
);
/** Members that say what is to be done, or hold a language in which that can be said. */
const ACTION_MEMBERS = words('action act do op operation cmd command task method func function fn event mutation procedure');
const LANGUAGE_MEMBERS = words('sql cypher sparql statement statements script code expression');
/** Switched on, members called so have something kept beside the answer; `track_total_hits` of Elasticsearch has not. */
const KEEPING_MEMBERS = words('store stored create insert upsert remember persist notify alert record');
/** How an order begins in the languages of databases. */
const ORDER = /^\s*(?:insert|update|delete|drop|alter|create|merge|replace|truncate|grant|revoke|call|exec(?:ute)?|load|copy|set)\s+\S/i;
const DEPTH_MAX = 8;
const LEAVES_MAX = 2_000;

/** True for a method that says of itself that it changes nothing. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Why a request may have changed something at the far end, to stand behind what was sent; undefined for one that only asked: by its method, as
 * a query of GraphQL, or as JSON that was sent to an address which is called after asking, neither of which says anything else.
 */
export function doubtOf(request: CapturedRequest): string | undefined {
  const { method, url, status, body } = request;
  if (isSafeMethod(method)) return undefined;
  if (method !== 'POST') return `${method} is sent to change something`;
  if (status !== 200) return `its answer is ${status}, and that of a question is 200`;
  const act = findAct(url);
  if (act !== undefined) return `its address says that it would change something (${act})`;
  const sent = parseJson(body ?? '');
  const kind = graphqlKind(sent);
  if (kind) return kind === 'query' ? undefined : 'it is no query of GraphQL, or does not show that it is one';
  if (!isMembers(sent)) return 'what it sends is no JSON object that a question could be';
  if (!isCalledAfterAsking(url)) return 'neither its address nor what it sends says that it only asks';
  const command = commandIn(sent);
  if (command !== undefined) return `what it sends has "${command}", which may be told to change something`;
  return isEchoed(sent, request.json) ? 'what it sends stands in its answer as in a row that was made of it' : undefined;
}

/** By the last part of its path that is no version and no number. */
function isCalledAfterAsking(url: string): boolean {
  const path = decodeLoosely(URL.parse(url)?.pathname ?? '');
  if (/graphql|gql/i.test(path)) return false;
  const parts = path.split('/').filter((part) => part !== '' && !/^v?\d+$/i.test(part));
  const tokens = tokensOf((parts.at(-1) ?? '').replace(/\.\w{1,5}$/, ''));
  if (tokens.some((token) => KEEPS.has(token) || isCommand(plainWord(token)))) return false;
  const [first = '', end = ''] = [tokens[0], tokens.at(-1)];
  if (tokens.length > 1) return ASKS_FIRST.has(first) || ASKS_LAST.has(end);
  // Behind a collection it is what is done with it; alone it may be a thing of which another is made.
  if (/^(?:filter|refine|list)$/.test(first)) return /[a-z]s$/i.test(parts.at(-2) ?? '');
  // A plural is a collection itself; `get`, `fetch` and `read` say too little alone.
  return ASKS_LAST.has(first) || (FORM_WORDS.search.test(first) && !/^[a-z]+s$/.test(first));
}

/** `_search`, `product-search`, `searchProducts` and `SearchProducts` in their words, lower-case. */
function tokensOf(text: string): readonly string[] {
  return text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '');
}

/** The member that says what is to be done, unless that is to ask, or that is called after doing something and switched on. */
function commandIn(sent: unknown): string | undefined {
  return leavesOf(sent).find(({ name, value }) => {
    const plain = name.toLowerCase();
    if (LANGUAGE_MEMBERS.has(plain) || (typeof value === 'string' && ORDER.test(value))) return true;
    if (ACTION_MEMBERS.has(plain)) return !(typeof value === 'string' && isAsking(value));
    const isOn = value === true || value === 1 || value === '1' || value === 'true';
    return isOn && tokensOf(name).some((token) => KEEPING_MEMBERS.has(token) || isCommand(plainWord(token)));
  })?.name;
}

function isAsking(word: string): boolean {
  const tokens = tokensOf(word);
  return ASKS_FIRST.has(tokens[0] ?? '') && !tokens.some((token) => KEEPS.has(token) || isCommand(plainWord(token)));
}

/** A text that was sent stands under the same name in some rows of a list, and not in all: a filter's would stand in all. */
function isEchoed(sent: unknown, answer: unknown): boolean {
  const texts = leavesOf(sent).filter(({ value }) => typeof value === 'string' && value !== '');
  for (const items of listsIn(answer, 0)) {
    const rows = items.map((item) => new Set(leavesOf(item).map(({ name, value }) => JSON.stringify([name, value]))));
    for (const { name, value } of texts) {
      const count = rows.filter((row) => row.has(JSON.stringify([name, value]))).length;
      if (count > 0 && count < rows.length) return true;
    }
  }
  return false;
}

interface Leaf {
  readonly name: string;
  readonly value: unknown;
}

function leavesOf(root: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown, name: string, depth: number): void => {
    if (leaves.length >= LEAVES_MAX || depth > DEPTH_MAX) return;
    if (Array.isArray(value)) for (const item of value) visit(item, name, depth + 1);
    else if (isMembers(value)) for (const [inner, item] of Object.entries(value)) visit(item, inner, depth + 1);
    else leaves.push({ name, value });
  };
  visit(root, '', 0);
  return leaves;
}

function* listsIn(value: unknown, depth: number): Generator<readonly unknown[]> {
  if (depth > DEPTH_MAX) return;
  if (Array.isArray(value)) {
    if (value.length > 1) yield value;
    for (const item of value.slice(0, 1)) yield* listsIn(item, depth + 1);
  } else if (isMembers(value)) for (const item of Object.values(value)) yield* listsIn(item, depth + 1);
}

// Reads the requests of an HTTP archive (HAR 1.2), and says which of them a run has no need of.
import { isMembers } from '../value.ts';
import { ExchangeError, numberIn, objectIn, objectsIn, parseObject, textIn } from './untrusted.ts';
import type { LeftOut } from './untrusted.ts';

/** One request of an archive and what it was answered in the end, redirects followed. */
export interface HarEntry {
  readonly path: string;
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: HarBody | undefined;
  readonly status: number;
  readonly answer: { readonly contentType: string; readonly text: string; readonly headers: ReadonlyMap<string, string> };
}

/** What was sent. */
export interface HarBody {
  readonly contentType: string;
  readonly text: string;
  /** Fields, where the archive names them. */
  readonly fields: readonly HarField[];
}

/** A field of a form; `isFile` for one that sent a file. */
export interface HarField {
  readonly name: string;
  readonly value: string;
  readonly isFile: boolean;
}

/** The requests that matter, in the order in which they were sent, and what it was about. */
export interface HarLog {
  readonly title: string | undefined;
  readonly entries: readonly HarEntry[];
  readonly leftOut: readonly LeftOut[];
}

type Members = Readonly<Record<string, unknown>>;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const STATIC_TYPE = /^(?:image|font|audio|video)\/|^text\/css|javascript|ecmascript|wasm|^application\/(?:font|vnd\.ms-fontobject|x-font)/i;
const STATIC_KIND = /^(?:image|font|media|stylesheet|script|texttrack|manifest)$/i;
const STATIC_ENDING = /\.(?:png|jpe?g|gif|webp|avif|ico|svg|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|webm|wasm)$/i;
const TELLING_KIND = /^(?:ping|beacon|preflight|csp-?violation-?report|reporting|websocket|eventsource)$/i;
const TELLING_WORD =
  /^(?:analytics|beacon|beacons|collect|telemetry|metrics|pixel|rum|stats|track|tracking|tracker|events?-?collector|csp-report|gtm|ga|doubleclick|hotjar|sentry|segment|clarity)$/i;

/** Reads an archive. Throws ExchangeError for a file that is none. */
export function readHar(text: string): HarLog {
  const log = objectIn(parseObject(text, 'an HTTP archive'), 'log');
  if (!log || !Array.isArray(log['entries'])) throw new ExchangeError('An HTTP archive has "log.entries".');
  const counts = new Map<string, number>();
  const leftOut: LeftOut[] = [];
  const all = (log['entries'] as readonly unknown[]).map((entry, place) => ({ place, entry }));
  const sorted = all
    .filter((each): each is { place: number; entry: Members } => isMembers(each.entry))
    .toSorted((a, b) => (textIn(a.entry, 'startedDateTime') ?? '').localeCompare(textIn(b.entry, 'startedDateTime') ?? ''));
  const entries: HarEntry[] = [];
  const awaited: { url: string; entry: HarEntry }[] = [];
  for (const { place, entry } of sorted) {
    const read = readEntry(entry, `entries.${place}`);
    const reason = typeof read === 'string' ? read : reasonToLeave(read, entry);
    if (typeof read === 'string' || reason !== undefined) {
      counts.set(reason ?? '', (counts.get(reason ?? '') ?? 0) + 1);
      continue;
    }
    const target = redirectOf(read);
    const followed = awaited.findIndex(({ url }) => url === read.url.href);
    const origin = awaited.splice(followed, followed === -1 ? 0 : 1)[0]?.entry;
    const whole = origin ? { ...origin, status: read.status, answer: read.answer } : read;
    if (target !== undefined) awaited.push({ url: target, entry: whole });
    if (origin) entries.splice(entries.indexOf(origin), 1, whole);
    else entries.push(whole);
  }
  for (const [reason, count] of counts) leftOut.push({ path: 'entries', message: `${count} ${reason}` });
  const [page] = objectsIn(log, 'pages');
  return { title: page && textIn(page, 'title'), entries, leftOut };
}

/** The entry, or why it is left out, to stand behind a number. */
function readEntry(entry: Members, path: string): HarEntry | string {
  const [request, response] = [objectIn(entry, 'request'), objectIn(entry, 'response')];
  const url = request && URL.parse(textIn(request, 'url') ?? '');
  if (!request || !response || !url || !/^https?:$/.test(url.protocol))
    return 'entries are left out: they are no http requests with their answers.';
  const method = (textIn(request, 'method') ?? 'GET').toUpperCase();
  if (!METHODS.has(method)) return `${method.slice(0, 10)} requests are left out: browsers ask them by themselves.`;
  const content = objectIn(response, 'content') ?? {};
  return {
    path,
    method,
    url,
    headers: readHeaders(request),
    body: readBody(request),
    status: numberIn(response, 'status') ?? 0,
    answer: { contentType: textIn(content, 'mimeType') ?? '', text: readContent(content), headers: readHeaders(response) },
  };
}

function reasonToLeave({ url, status, answer }: HarEntry, entry: Members): string | undefined {
  const kind = textIn(entry, '_resourceType') ?? '';
  if (status <= 0 || status === 101) return 'requests are left out: they were not answered.';
  if (TELLING_KIND.test(kind)) return 'messages of the page about itself are left out.';
  const isPage = /html|json|xml/i.test(answer.contentType);
  if (STATIC_KIND.test(kind) || STATIC_TYPE.test(answer.contentType) || (!isPage && STATIC_ENDING.test(url.pathname)))
    return 'static files are left out: pictures, styles, scripts, fonts and media.';
  const words = [...url.hostname.split('.'), ...url.pathname.split('/')];
  return words.some((word) => TELLING_WORD.test(word)) ? 'requests that count and watch are left out.' : undefined;
}

function redirectOf({ status, url, answer }: HarEntry): string | undefined {
  const location = answer.headers.get('location');
  return status > 300 && status < 309 && location !== undefined ? URL.parse(location, url.href)?.href : undefined;
}

function readHeaders(of: Members): ReadonlyMap<string, string> {
  return new Map(objectsIn(of, 'headers').map((header) => [(textIn(header, 'name') ?? '').toLowerCase(), textIn(header, 'value') ?? '']));
}

function readContent(content: Members): string {
  const text = textIn(content, 'text') ?? '';
  if (textIn(content, 'encoding') !== 'base64') return text;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return '';
  }
}

function readBody(request: Members): HarBody | undefined {
  const data = objectIn(request, 'postData');
  if (!data) return undefined;
  const text = textIn(data, 'text') ?? '';
  const contentType = textIn(data, 'mimeType') ?? '';
  const named = objectsIn(data, 'params').map((param) => ({
    name: textIn(param, 'name') ?? '',
    value: textIn(param, 'value') ?? '',
    isFile: textIn(param, 'fileName') !== undefined,
  }));
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  if (isForm && text !== '')
    return { contentType, text, fields: [...new URLSearchParams(text)].map(([name, value]) => ({ name, value, isFile: false })) };
  return { contentType, text, fields: named.length > 0 ? named : readParts(contentType, text) };
}

/** The fields of a `multipart/form-data` body (RFC 7578). */
function readParts(contentType: string, text: string): readonly HarField[] {
  const boundary = /^multipart\/form-data.*boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  return text.split(`--${boundary}`).flatMap((part) => {
    const [, head = '', value = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)\r?\n?$/s.exec(part) ?? [];
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    return name === undefined ? [] : [{ name, value, isFile: /;\s*filename=/i.test(head) }];
  });
}

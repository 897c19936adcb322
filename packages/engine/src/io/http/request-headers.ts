// Builds the headers of a request: ours, the caller's, and what a redirect to another origin must not carry along.
import { ACCEPTED_ENCODINGS } from './decompress.ts';
import { HOP_BY_HOP } from './hop-by-hop.ts';

/** Connection-level headers, and those that the lane owns; a caller's value is dropped and named. */
const OWNED: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'accept-encoding', 'content-length', 'expect', 'host']);

/** What proves who the caller is; it stays with the origin that it was meant for. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'cookie2', 'x-api-key', 'x-auth-token', 'x-csrf-token']);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A caller's headers, sorted. */
export interface CallerHeaders {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** `headers.<name>` of each one dropped because it is the lane's own or not valid. */
  readonly ignored: readonly string[];
}

/** Sorts the caller's headers into those that are sent and those that are not. */
export function acceptCallerHeaders(given: Readonly<Record<string, string>> = {}): CallerHeaders {
  const entries = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isSent = ([name, value]: readonly [string, string]) => TOKEN.test(name) && FIELD_VALUE.test(value) && !OWNED.has(name);
  return {
    headers: Object.fromEntries(entries.filter(isSent)),
    ignored: entries.filter((entry) => !isSent(entry)).map(([name]) => `headers.${name.replace(/[^\x21-\x7e]/g, '?')}`),
  };
}

/** The caller's headers without credentials, for an origin that they were not meant for. */
export function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));
}

/** Everything that goes out on one hop. The jar's cookies come before a Cookie header of the caller's own. */
export function outgoingHeaders(userAgent: string, caller: Readonly<Record<string, string>>, cookies: string): Record<string, string> {
  const cookie = [cookies, caller['cookie'] ?? ''].filter((part) => part !== '').join('; ');
  return {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en,*;q=0.5',
    ...caller,
    'accept-encoding': ACCEPTED_ENCODINGS,
    ...(cookie === '' ? {} : { cookie }),
  };
}

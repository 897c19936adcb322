// Cookies and storage of a browser in the form that Playwright writes: what a persona's session is kept as.
import type { StorageState, StoredCookie, StoredOrigin } from '../session.ts';
import { flagIn, numberIn, objectsIn, textIn } from './untrusted.ts';
import type { LeftOut } from './untrusted.ts';

/** A session that was read, and what of the file is not in it. */
export interface ReadState {
  readonly state: StorageState;
  readonly leftOut: readonly LeftOut[];
}

type Members = Readonly<Record<string, unknown>>;

const SAME_SITE = ['Strict', 'Lax', 'None'] as const;

/** Reads a storage state as Playwright writes one. Cookies that have expired at `nowMs` (epoch) are left out, and what is none. */
export function readStorageState(file: Members, nowMs: number): ReadState {
  const leftOut: LeftOut[] = [];
  const cookies = objectsIn(file, 'cookies').flatMap((cookie, place): StoredCookie[] => {
    const read = readCookie(cookie, nowMs);
    if (typeof read !== 'string') return [read];
    leftOut.push({ path: `cookies.${place}`, message: read });
    return [];
  });
  const origins = objectsIn(file, 'origins').flatMap((origin, place): StoredOrigin[] => {
    const read = readOrigin(origin);
    if (!read) leftOut.push({ path: `origins.${place}`, message: 'It is left out: it names no http or https origin.' });
    return read ? [read] : [];
  });
  return { state: { cookies, origins }, leftOut };
}

/** The cookie, or why it is left out; its value is told in neither case. */
function readCookie(cookie: Members, nowMs: number): StoredCookie | string {
  const [name, value, domain] = [textIn(cookie, 'name'), textIn(cookie, 'value'), textIn(cookie, 'domain')];
  if (!name || value === undefined || !domain) return 'It is left out: it has no name, no value or no domain.';
  const expires = numberIn(cookie, 'expires') ?? -1;
  if (expires !== -1 && expires * 1000 <= nowMs) return `${name.slice(0, 80)} of ${domain.slice(0, 200)} is left out: it has expired.`;
  const sameSite = SAME_SITE.find((each) => each === cookie['sameSite']) ?? 'Lax';
  return {
    name,
    value,
    domain,
    path: textIn(cookie, 'path') ?? '/',
    expires,
    httpOnly: flagIn(cookie, 'httpOnly') ?? false,
    secure: flagIn(cookie, 'secure') ?? false,
    sameSite,
  };
}

function readOrigin(stored: Members): StoredOrigin | undefined {
  const url = URL.parse(textIn(stored, 'origin') ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const localStorage = objectsIn(stored, 'localStorage').flatMap((item) => {
    const [name, value] = [textIn(item, 'name'), textIn(item, 'value')];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  const { indexedDB } = stored;
  return { origin: url.origin, localStorage, ...(Array.isArray(indexedDB) ? { indexedDB: indexedDB as readonly unknown[] } : {}) };
}

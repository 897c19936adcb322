// A bounded cookie jar with the browsers' rules, for one persona or one job.
import { Cookie, CookieJar } from 'tough-cookie';
import type { CookieStore } from '../ports.ts';
import type { StoredCookie } from '../run/session.ts';

/** A cookie store that can be written down and read back. */
export interface CookieJarStore extends CookieStore {
  records(): readonly StoredCookie[];
}

/** Chrome's bounds for one line and for one host; the rest keeps a hostile site from filling memory or requests. */
const LINE_BYTES_MAX = 4_096;
const PER_URL_MAX = 180;
const JAR_MAX = 3_000;
const HEADER_BYTES_MAX = 32_768;

/** An empty jar, or one that holds `records`. Cookies for a public suffix such as `co.uk` are refused. */
export function createCookieStore(records: readonly StoredCookie[] = []): CookieJarStore {
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: true, looseMode: true });
  let addedCount = records.length;
  for (const record of records) jar.setCookieSync(toCookie(record), originOf(record), { ignoreError: true, loose: true });
  return {
    headerFor(url) {
      if (addedCount === 0) return '';
      const pairs = jar.getCookiesSync(url).map((cookie) => cookie.cookieString());
      let left = HEADER_BYTES_MAX;
      return pairs.filter((pair) => (left -= pair.length + 2) >= 0).join('; ');
    },
    keep(url, setCookie) {
      const lines = setCookie.filter((line) => line !== '' && line.length <= LINE_BYTES_MAX);
      if (lines.length === 0) return;
      const known = new Set(jar.getCookiesSync(url, { allPaths: true }).map((cookie) => cookie.key));
      // Counting is slow and rarely needed: what was ever added is an upper bound of what is there.
      if (addedCount + lines.length > JAR_MAX) addedCount = countOf(jar);
      let free = Math.min(PER_URL_MAX - known.size, JAR_MAX - addedCount);
      for (const line of lines) {
        const isReplacement = known.has(line.split(/[=;]/, 1)[0]?.trim() ?? '');
        if (!isReplacement && free-- <= 0) continue;
        if (jar.setCookieSync(line, url, { ignoreError: true }) && !isReplacement) addedCount += 1;
      }
    },
    records: () => cookiesOf(jar).map(toRecord),
  };
}

function cookiesOf(jar: CookieJar): readonly Cookie[] {
  const serialized = jar.serializeSync()?.cookies ?? [];
  return serialized.map((each) => Cookie.fromJSON(each)).filter((cookie) => cookie !== undefined);
}

function countOf(jar: CookieJar): number {
  return jar.serializeSync()?.cookies.length ?? 0;
}

function originOf(record: StoredCookie): string {
  return `${record.secure ? 'https' : 'http'}://${record.domain.replace(/^\./, '')}${record.path}`;
}

function toCookie(record: StoredCookie): Cookie {
  const isForSubdomains = record.domain.startsWith('.');
  return new Cookie({
    key: record.name,
    value: record.value,
    path: record.path,
    secure: record.secure,
    httpOnly: record.httpOnly,
    sameSite: record.sameSite.toLowerCase(),
    expires: record.expires < 0 ? 'Infinity' : new Date(record.expires * 1000),
    ...(isForSubdomains ? { domain: record.domain.slice(1) } : {}),
  });
}

function toRecord(cookie: Cookie): StoredCookie {
  const expiresMs = cookie.expiryTime();
  return {
    name: cookie.key,
    value: cookie.value,
    domain: `${cookie.hostOnly ? '' : '.'}${cookie.domain ?? ''}`,
    path: cookie.path ?? '/',
    expires: expiresMs !== undefined && Number.isFinite(expiresMs) ? Math.floor(expiresMs / 1000) : -1,
    httpOnly: cookie.httpOnly,
    secure: cookie.secure,
    sameSite: cookie.sameSite === 'strict' ? 'Strict' : cookie.sameSite === 'none' ? 'None' : 'Lax',
  };
}

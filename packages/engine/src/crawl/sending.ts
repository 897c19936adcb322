// Sends what a caller gave with requests to the origin that it named, and to no other, and masks it in what comes back (D34).
import type { Send } from '@weft/contract';
import { PageError } from '../errors.ts';
import { hidingInPictures } from '../mask/hide-in-pictures.ts';
import { maskingFetcher } from '../mask/mask-page.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { CookieStore, FetchRequest, Fetcher } from '../ports.ts';
import type { StoredCookie } from '../run/session.ts';

/** Headers that tell nothing of who asks: their values stay in what a page says, and go wherever it leads. */
const OPEN = new Set(['accept', 'accept-language', 'cache-control', 'content-type', 'dnt', 'pragma', 'referer', 'x-requested-with']);
/** What is shorter is no secret (NIST SP 800-63B, 5.1.1.1), and stands in many pages for something else. */
const SECRET_CHARS_MIN = 8;
const FORM = 'application/x-www-form-urlencoded';

/** The method with which the page itself is asked for. */
export function methodOf({ method, body }: Send): NonNullable<FetchRequest['method']> {
  return method ?? (body === undefined ? 'GET' : 'POST');
}

/** The cookies for `url`, with what is not said of them. */
export function cookiesOf({ cookies = [] }: Send, url: string): readonly StoredCookie[] {
  const { hostname } = new URL(url);
  return cookies.map(({ name, value, domain = hostname, path = '/', expires = -1, secure = false, http_only: httpOnly = false }) => ({
    name,
    value,
    domain,
    path,
    expires,
    secure,
    httpOnly,
    sameSite: 'Lax',
  }));
}

/** `fetcher`, which sends what `send` holds to the origin of `url`: headers with each request, method and body with that for `url`. Cookies are those of `cookies`. */
export function sendingFetcher(
  { fetcher, views }: { readonly fetcher: Pick<Fetcher, 'fetch'>; readonly views: ViewReader },
  send: Send,
  url: string,
  cookies: CookieStore | undefined,
): Pick<Fetcher, 'fetch'> {
  const { origin } = new URL(url);
  const headers = Object.fromEntries(Object.entries(send.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const isBound = Object.keys(headers).some((name) => !OPEN.has(name)) || send.body !== undefined;
  const secrets = secretsOf(headers, send);
  const masking = maskingFetcher(fetcher, secrets, views);
  const method = methodOf(send);
  return {
    async fetch(request, signal) {
      const own = request.url === url && method !== 'GET' ? { method, ...bodyOf(send) } : {};
      const isMeant = new URL(request.url).origin === origin;
      const beforeRedirect: NonNullable<FetchRequest['beforeRedirect']> = async (next, status, reach) => {
        if (isBound && new URL(next).origin !== origin) throw leadsAway(url, next);
        await request.beforeRedirect?.(next, status, reach);
      };
      const sent: FetchRequest = {
        ...(cookies ? { cookies } : {}),
        ...request,
        ...own,
        ...(isMeant ? { headers: { ...request.headers, ...contentType(own, headers), ...headers }, beforeRedirect } : {}),
        // A browser sends headers to wherever its page leads: they go over HTTP.
        ...(isMeant && Object.keys(headers).length > 0 ? { lane: 'http' as const } : {}),
      };
      // A picture is masked where it is taken.
      const browser = hidingInPictures(request.browser, secrets);
      return await masking.fetch({ ...sent, ...(browser ? { browser } : {}) }, signal);
    },
  };
}

function bodyOf({ body }: Send): Pick<FetchRequest, 'body'> {
  return body === undefined ? {} : { body: new TextEncoder().encode(body) };
}

function contentType(own: Pick<FetchRequest, 'body'>, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return own.body === undefined || headers['content-type'] !== undefined ? {} : { 'content-type': FORM };
}

/** Values that say who asks, and what is behind the scheme of one. */
function secretsOf(headers: Readonly<Record<string, string>>, { cookies = [] }: Send): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => (OPEN.has(name) ? [] : [value, value.replace(/^\S+\s+/, '')]));
  const password = values.flatMap((value) => passwordOf(value));
  return [...values, ...password, ...cookies.map(({ value }) => value)].filter((value) => value.length >= SECRET_CHARS_MIN);
}

/** The password of HTTP basic (RFC 7617). */
function passwordOf(value: string): readonly string[] {
  const [, text] = /^Basic\s+(\S+)$/i.exec(value) ?? [];
  if (text === undefined) return [];
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
    return [pair.slice(pair.indexOf(':') + 1)];
  } catch {
    // It is no base64: the value as a whole is all that there is to hide.
    return [];
  }
}

function leadsAway(url: string, next: string): PageError {
  const [from, to] = [new URL(url).origin, new URL(next).origin];
  return new PageError('address', `${url} redirects to ${to}, and what is sent is for ${from} alone. Name the address that it leads to.`, {
    url,
  });
}

// Carries cookies between a caller's store and a browser context.
import type { BrowserContext, Cookie } from 'playwright-core';
import type { CookieStore } from '../../ports.ts';
import type { CookieJarStore } from '../cookies.ts';

const DAYS_MAX_MS = 400 * 86_400_000;

/** Gives the context what `store` holds for `url`, and a Cookie header of the caller's own. */
export async function lendCookies(context: BrowserContext, store: CookieStore | undefined, url: string, callerCookie = ''): Promise<void> {
  const { hostname } = new URL(url);
  const whole = isJar(store) ? store.records().filter((cookie) => matchesDomain(hostname, cookie.domain)) : [];
  const text = isJar(store) ? callerCookie : [store?.headerFor(url) ?? '', callerCookie].join('; ');
  const pairs = text.split('; ').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim(), domain: hostname, path: '/' }] : [];
  });
  const cookies = [...whole, ...pairs];
  if (cookies.length === 0) return;
  try {
    await context.addCookies(cookies);
  } catch {
    // One that the browser refuses must not keep the others out.
    for (const cookie of cookies) await context.addCookies([cookie]).catch(() => undefined);
  }
}

/** Hands `store` every cookie that the context holds by now. */
export async function returnCookies(context: BrowserContext, store: CookieStore): Promise<void> {
  for (const cookie of await context.cookies()) store.keep(urlOf(cookie), [setCookieLine(cookie)]);
}

/** A jar tells its cookies with domain and path; any other store only the header. */
function isJar(store: CookieStore | undefined): store is CookieJarStore {
  return store !== undefined && 'records' in store && typeof store.records === 'function';
}

function matchesDomain(hostname: string, domain: string): boolean {
  return hostname === domain || (domain.startsWith('.') && `.${hostname}`.endsWith(domain));
}

function urlOf({ secure, domain, path }: Cookie): string {
  return `${secure ? 'https' : 'http'}://${domain.replace(/^\./, '')}${path}`;
}

function setCookieLine(cookie: Cookie): string {
  const expires = new Date(Math.min(cookie.expires * 1000, Date.now() + DAYS_MAX_MS)).toUTCString();
  return [
    `${cookie.name}=${cookie.value}`,
    `Path=${cookie.path}`,
    ...(cookie.domain.startsWith('.') ? [`Domain=${cookie.domain.slice(1)}`] : []),
    ...(cookie.expires > 0 ? [`Expires=${expires}`] : []),
    ...(cookie.secure ? ['Secure'] : []),
    ...(cookie.httpOnly ? ['HttpOnly'] : []),
    `SameSite=${cookie.sameSite}`,
  ].join('; ');
}

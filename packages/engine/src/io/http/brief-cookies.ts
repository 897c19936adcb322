// Cookies that live for one request and its redirects: most requests never see one, so the jar is made when the first arrives.
import type { CookieStore } from '../../ports.ts';
import { createCookieStore } from '../cookies.ts';

/** A cookie store that is empty and costs nothing until an answer sets a cookie. */
export function createBriefCookies(): CookieStore {
  let jar: CookieStore | undefined;
  return {
    headerFor: (url) => jar?.headerFor(url) ?? '',
    keep(url, setCookie) {
      if (setCookie.length === 0) return;
      jar ??= createCookieStore();
      jar.keep(url, setCookie);
    },
  };
}

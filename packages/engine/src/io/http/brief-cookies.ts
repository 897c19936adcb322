// Cookies that live for one request and its redirects: most requests never see one, so the jar is made when the first arrives.
import { createCookieStore } from '../cookies.ts';
import type { CookieJarStore } from '../cookies.ts';

/** A cookie store that is empty and costs nothing until an answer sets a cookie. */
export class BriefCookies implements CookieJarStore {
  private jar: CookieJarStore | undefined;

  headerFor(url: string): string {
    return this.jar?.headerFor(url) ?? '';
  }

  keep(url: string, setCookie: readonly string[]): void {
    if (setCookie.length === 0) return;
    this.jar ??= createCookieStore();
    this.jar.keep(url, setCookie);
  }

  records(): ReturnType<CookieJarStore['records']> {
    return this.jar?.records() ?? [];
  }
}

// Cookies of a job whose pages are each asked for as by somebody who has just come: what a page says must not depend on what was read before it.
import type { CookieStore } from '../../ports.ts';
import { BriefCookies } from './brief-cookies.ts';

/** Hosts that let nobody in without a cookie, by the store of the job that met them. */
const GATED = new WeakMap<CookieStore, Set<string>>();

/**
 * The cookies for one request: those that its own answers set, and those of `store` only where the host has shown that it asks for them. All
 * that is set goes into `store`, for a browser and for such hosts.
 */
export class FreshCookies implements CookieStore {
  private readonly own = new BriefCookies();
  private readonly bare = new Set<string>();
  private readonly store: CookieStore;

  constructor(store: CookieStore) {
    this.store = store;
  }

  headerFor(url: string): string {
    if (GATED.get(this.store)?.has(new URL(url).host)) return this.store.headerFor(url);
    const header = this.own.headerFor(url);
    if (header === '') this.bare.add(url);
    // Sent back to where it began, with a cookie: each page of this host would cost as many requests.
    else if (this.bare.has(url)) noteGate(this.store, url);
    return header;
  }

  keep(url: string, setCookie: readonly string[]): void {
    this.own.keep(url, setCookie);
    this.store.keep(url, setCookie);
  }
}

/** From now on the host of `url` is sent what `store` has for it. */
export function noteGate(store: CookieStore, url: string): void {
  const hosts = GATED.get(store) ?? new Set();
  GATED.set(store, hosts.add(new URL(url).host));
}

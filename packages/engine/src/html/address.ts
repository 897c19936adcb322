// Makes the addresses of a page absolute, and keeps those out that run code or carry data.
import type { PageTree } from './tree.ts';

/** Schemes that a reader can follow; everything else (`javascript:`, `data:`, `blob:`, ...) is refused. */
const FOLLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'ftp:', 'ftps:', 'sftp:', 'magnet:', 'geo:']);

/** Letters, digits and marks that the URL parser leaves as they are in a path, query or fragment. */
const PLAIN = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&()*+,;=:@/?#%') PLAIN[char.charCodeAt(0)] = 1;

const DOT = 0x2e;
const SLASH = 0x2f;

/** Resolves the addresses of one page; `resolve` answers the same as the WHATWG URL parser, mostly without running it. */
export class Addresses {
  private readonly baseUrl: string;
  private readonly origin: string;
  private readonly resolved = new Map<string, string | undefined>();

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
    const base = URL.parse(baseUrl);
    this.origin = base && /^https?:$/.test(base.protocol) ? base.origin : '';
  }

  /** The absolute form of `href`; undefined when it can't be parsed or its scheme is not one that a reader follows. */
  resolve(href: string): string | undefined {
    if (this.origin !== '') {
      if (href.charCodeAt(0) === SLASH && href.charCodeAt(1) !== SLASH && isPlain(href, 0)) return this.origin + href;
      const path = this.origin.length;
      if (href.charCodeAt(path) === SLASH && href.startsWith(this.origin) && isPlain(href, path)) return href;
    }
    if (this.resolved.has(href)) return this.resolved.get(href);
    const url = URL.parse(href, this.baseUrl);
    const address = url && FOLLOWED.has(url.protocol) ? url.href : undefined;
    this.resolved.set(href, address);
    return address;
  }
}

/** Trees never change, so the addresses of a page are resolved once, whoever asks for them. */
const known = new WeakMap<PageTree, Addresses>();

/** `href` made absolute against the page; undefined unless it is a valid http(s) address. */
export function absoluteUrl(href: string | undefined, tree: PageTree): string | undefined {
  if (href === undefined) return undefined;
  let addresses = known.get(tree);
  if (!addresses) known.set(tree, (addresses = new Addresses(tree.baseUrl)));
  const url = addresses.resolve(href);
  return url !== undefined && /^https?:/.test(url) ? url : undefined;
}

/** `value` as an absolute address, or as written where it is none. */
export function resolveUrl(value: string, baseUrl: string): string {
  return URL.parse(value.trim(), baseUrl)?.href ?? value.trim();
}

/** True for a path that the URL parser would not change: plain characters and no segment that begins with a dot, written or encoded. */
function isPlain(href: string, from: number): boolean {
  for (let i = from; i < href.length; i++) {
    const code = href.charCodeAt(i);
    if (code >= 128 || PLAIN[code] === 0) return false;
    if (code === SLASH && (href.charCodeAt(i + 1) === DOT || href.startsWith('%2', i + 1))) return false;
  }
  return true;
}

// Turns the addresses of one page into absolute ones, by hand where that is safe: `new URL` costs more than finding the link.
import { routeIn } from '../../url/route.ts';

/** Marks, folders and names that `new URL` reads or rewrites in its own way; such addresses are left to it. */
const NEEDS_PARSER = /[^\w\-./~?=&+,;:@!$()*%]|\/\.|^\.|%2e|xn--/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const PLAIN_ABSOLUTE = /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\//;

/** Resolves addresses against one base; keeps nothing between calls but the base's parts. */
export class LinkResolver {
  readonly baseUrl: string;
  private readonly origin: string;
  /** The base without query and fragment. */
  private readonly file: string;
  private readonly query: string;
  /** The base's folders from the innermost out, each as a whole URL that ends in a slash. */
  private readonly folders: readonly string[];

  /** Throws TypeError when `baseUrl` is no absolute URL. */
  constructor(baseUrl: string) {
    const base = new URL(baseUrl);
    this.baseUrl = base.href;
    this.origin = base.origin;
    this.file = base.origin + base.pathname;
    this.query = base.search;
    const folders: string[] = [];
    for (let path = base.pathname; path !== ''; path = path.slice(0, -1)) {
      path = path.slice(0, path.lastIndexOf('/') + 1);
      folders.push(base.origin + path);
    }
    this.folders = folders;
  }

  /** Everything that an address which begins with neither `?` nor `#` resolves against. */
  get folder(): string {
    return this.folders[0] ?? this.origin;
  }

  /**
   * The absolute http or https address of `text`, exactly as `new URL` writes it without the fragment; undefined for other schemes, for
   * places on the page itself and for what is no address. With `keepsRoutes`, a fragment such as `#/cart` or `#!cart` stays.
   */
  find(text: string, keepsRoutes = false): string | undefined {
    const hash = text.indexOf('#');
    const address = trimBlanks(hash < 0 ? text : text.slice(0, hash));
    const route = keepsRoutes && hash >= 0 ? routeIn(text) : '';
    if (address === '') return route === '' ? undefined : this.file + this.query + route;
    const found = this.findWhole(address);
    return found === undefined || route === '' ? found : found + route;
  }

  private findWhole(address: string): string | undefined {
    const up = /^(?:\.\.?\/)+/.exec(address)?.[0] ?? '';
    const rest = up === '' ? address : address.slice(up.length);
    if (NEEDS_PARSER.test(rest)) return this.parse(address);
    if (up !== '') return rest.startsWith('/') ? this.parse(address) : this.below(up.split('../').length - 1, rest);
    const first = rest.charCodeAt(0);
    if (first === 47) return rest.charCodeAt(1) === 47 ? this.parse(rest) : this.origin + rest;
    if (first === 63) return this.file + rest;
    if (!SCHEME.test(rest)) return this.below(0, rest);
    return PLAIN_ABSOLUTE.test(rest) || rest.startsWith(`${this.origin}/`) ? rest : this.parse(rest);
  }

  /** `rest` in the folder that lies `up` levels above the base; the top folder is its own parent. */
  private below(up: number, rest: string): string | undefined {
    const folder = this.folders[Math.min(up, this.folders.length - 1)];
    return folder === undefined ? this.parse(`${'../'.repeat(up)}${rest}`) : folder + rest;
  }

  private parse(address: string): string | undefined {
    const parsed = URL.parse(address, this.baseUrl);
    if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
    parsed.hash = '';
    return parsed.href;
  }
}

/** Blanks and controls as the URL standard trims them: a no-break space is no blank. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

// Finds the pages of a site by following its links with cheerio alone: a truth that owes nothing to the engine.
import { createHash } from 'node:crypto';
import { load } from 'cheerio';
import type { Page } from './app.ts';

const IN_FLIGHT = 8;
const PAGES_MAX = 20_000;

export interface WalkOptions {
  /** Path of the first page. */
  readonly entry: string;
  /** Whether an address of the same origin is one a reader would open; left out, all are. */
  readonly follows?: (url: URL) => boolean;
  /** The page that an address shows; left out, each address is a page. */
  readonly pageOf?: (url: URL) => string;
  /** Whether addresses whose bodies show the same text are one page; the first is the one it is named by. */
  readonly isOneByText?: boolean;
  /** CSS selector of what is no text of a page when they are compared: menus, and the trail that says how it was reached. */
  readonly frame?: string;
}

/** The HTML pages of `origin` that links lead to from the entry, each with its title, in order of discovery. Throws past 20,000. */
export async function walkSite(origin: string, options: WalkOptions): Promise<readonly Page[]> {
  const { entry, follows = () => true, pageOf = addressOf, isOneByText = false, frame } = options;
  const first = new URL(entry, origin);
  const seen = new Set([pageOf(first)]);
  const pages: (Page & { readonly text: string })[] = [];
  let wave = [first];
  while (wave.length > 0) {
    const links: URL[] = [];
    for (let index = 0; index < wave.length; index += IN_FLIGHT) {
      const read = await Promise.all(wave.slice(index, index + IN_FLIGHT).map((url) => readPage(url, frame)));
      for (const page of read) {
        if (!page) continue;
        pages.push({ path: pageOf(page.url), title: page.title, text: page.text });
        links.push(...page.links);
      }
    }
    wave = links.filter((url) => {
      if (url.origin !== origin || !follows(url) || seen.has(pageOf(url))) return false;
      seen.add(pageOf(url));
      return true;
    });
    if (seen.size > PAGES_MAX) throw new Error(`${origin} has more than ${PAGES_MAX} pages`);
  }
  const distinct = [...new Map(pages.map((page) => [page.path, page])).values()];
  return [...Map.groupBy(distinct, ({ path, text }) => (isOneByText ? text : path)).values()].map(([first, ...others]) => ({
    path: first?.path ?? '',
    title: first?.title ?? '',
    ...(others.length > 0 ? { also: others.map(({ path }) => path) } : {}),
  }));
}

/** Path and query of an address. */
export function addressOf(url: URL): string {
  return url.pathname + url.search;
}

interface ReadPage {
  readonly url: URL;
  readonly title: string;
  readonly text: string;
  readonly links: readonly URL[];
}

/** Nothing for an address that leads away or to no page. */
async function readPage(url: URL, frame: string | undefined): Promise<ReadPage | undefined> {
  const response = await fetch(url);
  const end = new URL(response.url);
  if (!response.ok || end.origin !== url.origin || !/html/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  const page = load(await response.text());
  const base = new URL(page('base[href]').attr('href') ?? '', end);
  const links = page('a[href], area[href], frame[src], iframe[src]')
    .toArray()
    .map((element) => URL.parse(page(element).attr('href') ?? page(element).attr('src') ?? '', base.href))
    .filter((link) => link !== null);
  for (const link of links) link.hash = '';
  if (frame !== undefined) page(frame).remove();
  return { url: end, title: page('title').first().text().trim(), text: digestOf([page('body').text().replace(/\s+/g, ' ')]), links };
}

/** A digest of texts, in their order. */
export function digestOf(texts: Iterable<string | Buffer>): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex');
}

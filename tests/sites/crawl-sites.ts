// Local sites for tests of the crawl: a shop joined by next links alone, a site of traps, and one of bad manners.
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on a loopback port of its own. */
export interface LocalSite {
  readonly origin: string;
  /** Path and query of each request, in order. */
  readonly requests: readonly string[];
  /** When each of them came, in epoch milliseconds. */
  readonly arrivals: readonly number[];
  /** The most requests that were under way at one time. */
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
  /** Listens again at its address, after it was closed. */
  open(): Promise<void>;
}

/** What a site answers: a page as a string, or anything more particular. */
export type Answer =
  | string
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array }
  | undefined;

/** Starts a site that answers by path; `undefined` is a 404. */
export async function startSite(
  answer: (path: string, url: URL, request: IncomingMessage) => Answer | Promise<Answer>,
): Promise<LocalSite> {
  const requests: string[] = [];
  const arrivals: number[] = [];
  let atOnce = 0;
  let most = 0;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    arrivals.push(Date.now());
    most = Math.max(most, ++atOnce);
    response.on('close', () => atOnce--);
    const url = new URL(request.url ?? '/', 'http://localhost');
    void Promise.resolve(answer(url.pathname, url, request)).then((page) => send(response, page));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const open = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${port}`, requests, arrivals, mostAtOnce: () => most, close, open };
}

function send(response: ServerResponse, page: Answer): void {
  const {
    status,
    headers = {},
    body = '',
  } = typeof page === 'string' ? { status: 200, body: page } : (page ?? { status: 404, body: 'Not found' });
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(body);
}

function page(title: string, text: string, links: readonly string[], head = '', showsAddresses = false): string {
  const label = (href: string) =>
    showsAddresses ? href : (/([\w-]+)\W*(?:\.html)?$/.exec(href)?.[1] ?? 'home').replace(/^[0-9a-z]{7,}$/, 'visit');
  const anchors = links.map((href) => `<li><a href="${href}">${label(href)}</a></li>`).join('\n');
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><h1>${title}</h1><p>${text}</p><ul>${anchors}</ul></body></html>`;
}

/** Starts a site from a table of answers; `body` gets it, and it is closed whatever happens. */
export async function onSite(
  pages: Readonly<Record<string, Answer | (() => Answer)>>,
  body: (site: LocalSite) => Promise<void>,
): Promise<void> {
  const site = await startSite((path, url) => {
    const answer = pages[path + url.search] ?? pages[path];
    return typeof answer === 'function' ? answer() : answer;
  });
  try {
    await body(site);
  } finally {
    await site.close();
  }
}

/** A shop of 1,000 products on 50 listing pages that are joined only by a next link; 20 products are forbidden by robots.txt beside them. */
export function shopSite(): Promise<LocalSite> {
  return startSite((path) => {
    if (path === '/robots.txt')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private/\n' };
    if (path === '/') return page('Shop', 'Welcome to a shop with very many things in it.', ['/list/1']);
    const listing = Number(/^\/list\/(\d+)$/.exec(path)?.[1]);
    if (listing >= 1 && listing <= 50) return listingPage(listing);
    const product = /^\/product\/(\d+)$/.exec(path)?.[1];
    return (
      product && page(`Product ${product}`, `Product number ${product} costs ${Number(product) * 3} and is in stock at our store.`, ['/'])
    );
  });
}

function listingPage(number: number): string {
  const products = Array.from({ length: 20 }, (_, i) => `/product/${(number - 1) * 20 + i + 1}`);
  const forbidden = number <= 20 ? [`/private/${number}`] : [];
  const next = number < 50 ? `<a class="next" href="/list/${number + 1}">Next</a>` : '';
  return page(`Things, part ${number}`, `All things from ${number * 20 - 19} on are listed here.`, ['/', ...products, ...forbidden]) + next;
}

/** How the traps of the trap site look. */
export interface TrapLook {
  /** Whether real pages name their canonical address, also inside sessions. */
  readonly hasCanonical: boolean;
  /** Whether the text of a link is its address, so that sessions show in the text of every page. */
  readonly showsAddresses: boolean;
  /** Calendar pages by path, `/calendar/2026/11`, or by query, `/events?month=2026-11`. */
  readonly calendar: 'path' | 'query';
  /** What the echoing search does with its own query: lengthens it, repeats the parameter, or carries its whole address. */
  readonly echo: 'longer' | 'repeated' | 'nested';
}

/** Addresses of the real pages of the trap site: home, 10 sections, 200 articles. */
export const TRAP_SITE_PAGES: readonly string[] = [
  '/',
  ...Array.from({ length: 10 }, (_, i) => `/section-${i}/`),
  ...Array.from({ length: 200 }, (_, i) => `/section-${i % 10}/article-${Math.floor(i / 10)}.html`),
];

/**
 * A site of 211 real pages between four endless spaces: a calendar, sessions in the path, a search that takes its query up into its links,
 * and a folder that contains itself.
 */
export function trapSite(look: TrapLook): Promise<LocalSite> {
  const answer = trapSiteAnswers(look);
  return startSite((_path, url) => answer(url));
}

/** What that site answers, for whoever reads it without a server. */
export function trapSiteAnswers(look: TrapLook): (url: URL) => Answer {
  const traps = new TrapPages(look);
  return (url) => traps.answer(url.pathname, url);
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

class TrapPages {
  private readonly look: TrapLook;
  private visits = 0;

  constructor(look: TrapLook) {
    this.look = look;
  }

  answer(path: string, url: URL): Answer {
    const inSession = /^(\/s\/[0-9a-z]+)(\/.*)$/.exec(path);
    if (inSession) return this.realPage(inSession[2] ?? '/', inSession[1] ?? '');
    const month = /(\d{4})[/-](\d\d)$/.exec(this.look.calendar === 'path' ? path : url.search);
    if (month && /^\/(?:calendar|events)/.test(path)) return this.calendarPage(Number(month[1]), Number(month[2]));
    if (path === '/search') return this.searchPage(url);
    const inFolder = /^\/files(?:\/current)*\/(readme-\d)?$/.exec(path);
    if (!inFolder) return this.realPage(path, '');
    const text = `The file ${inFolder[1]} explains how everything here is put together.`;
    return inFolder[1]
      ? this.page(inFolder[1], text, ['./'])
      : this.page('Files', FOLDER_TEXT, ['readme-1', 'readme-2', 'readme-3', 'current/']);
  }

  private page(title: string, text: string, links: readonly string[], head = ''): string {
    return page(title, text, links, head, this.look.showsAddresses);
  }

  private realPage(path: string, prefix: string): Answer {
    if (!TRAP_SITE_PAGES.includes(path)) return undefined;
    const head = this.look.hasCanonical ? `<link rel="canonical" href="${path}">` : '';
    const session = `/s/${(0x5bd1e995 * ++this.visits + 0x1000000000).toString(36)}/`;
    const traps = [session, this.month(2026, 11), '/search?q=news', '/files/'];
    const sections = Array.from({ length: 10 }, (_, i) => `${prefix}/section-${i}/`);
    if (path === '/') return this.page('Home', 'The home of a site with ten sections and many articles.', [...sections, ...traps], head);
    const [, section, article] = /^\/section-(\d+)\/(?:article-(\d+)\.html)?$/.exec(path) ?? [];
    const articles = Array.from({ length: 20 }, (_, i) => `${prefix}/section-${section}/article-${i}.html`);
    if (article === undefined)
      return this.page(`Section ${section}`, `What section ${section} has to say.`, [`${prefix}/`, ...articles, ...traps], head);
    const text = `Article ${article} of section ${section} says something that no other article says.`;
    return this.page(`Article ${section}-${article}`, text, [`${prefix}/`, `${prefix}/section-${section}/`, ...traps], head);
  }

  private month(year: number, month: number): string {
    const date = new Date(Date.UTC(year, month - 1, 1));
    const number = String(date.getUTCMonth() + 1).padStart(2, '0');
    return this.look.calendar === 'path'
      ? `/calendar/${date.getUTCFullYear()}/${number}`
      : `/events?month=${date.getUTCFullYear()}-${number}`;
  }

  private calendarPage(year: number, month: number): string {
    const days = Array.from({ length: 28 }, (_, i) => i + 1).join(' ');
    const links = [-1, 1, 12].map((by) => this.month(year, month + by));
    const text = `Monday Tuesday Wednesday Thursday Friday Saturday Sunday ${days}`;
    return this.page(`${MONTHS[(month - 1) % 12]} ${year}`, text, ['/', ...links]);
  }

  private searchPage(url: URL): string {
    const query = url.searchParams.getAll('q').join(' ');
    const links = {
      longer: [`/search?q=${encodeURIComponent(`${query} more`)}`, `/search?q=${encodeURIComponent(`best ${query}`)}`],
      repeated: [`/search${url.search}&q=more`, `/search${url.search}&q=best`],
      nested: [`/search?q=more&back=${encodeURIComponent(url.pathname + url.search)}`],
    };
    return this.page(`Search for ${query}`, `Nothing was found for ${query}, please try one of the searches below.`, [
      '/',
      ...links[this.look.echo],
    ]);
  }
}

const FOLDER_TEXT = 'This folder holds three files and, in a manner of speaking, itself.';

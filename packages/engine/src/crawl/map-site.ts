// Lists the addresses of a site without keeping its pages: sitemaps, the links of one page, and those of further pages where sitemaps say little.
import { PageError } from '../errors.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { Page } from '../ports.ts';
import { decideRobots } from '../robots/decide.ts';
import type { RobotsRules, UnaskedHost } from '../robots/rules.ts';
import { refuseStatus } from '../lane/page-status.ts';
import { findAct } from '../url/acts.ts';
import { dedupeKey } from '../url/dedupe-key.ts';
import { decideScope } from '../url/scope.ts';
import { STAY_MS, askForOneWhoStays } from './hosts/paced-fetcher.ts';
import type { AskingOfOne, AskingPorts } from './hosts/paced-fetcher.ts';
import { ROBOTS_SHARED_MS } from './hosts/robots-cache.ts';
import { isPageType } from './links/scan-page.ts';
import { scoreLinks } from './links/rank-links.ts';
import { sitemapCandidates, walkSitemaps } from './sitemap/sitemap-walk.ts';

/** What is mapped, and how far. */
export interface MapOptions {
  /** Absolute, http or https. */
  readonly url: string;
  /** How many links are returned. */
  readonly limit: number;
  /** Words that rank the links. */
  readonly search: string | undefined;
  readonly sitemap: 'include' | 'skip' | 'only';
  readonly allowSubdomains: boolean;
  /** False asks also for what robots.txt forbids. */
  readonly obeysRobots: boolean;
  /** Private addresses that the caller named, as `host:port`; handed to the fetcher. */
  readonly privateTargets: readonly string[];
}

/** One address of a site. */
export interface MapLink {
  readonly url: string;
  /** Where it was first found. */
  readonly source: 'sitemap' | 'link' | 'crawl';
  /** The words of the first link to it. */
  readonly title?: string;
  /** With a search: how well it fits; 0 where no word is found. */
  readonly score?: number;
}

/** The addresses of a site; with a search the best first, else in the order found. */
export interface SiteMap {
  readonly links: readonly MapLink[];
  /** False where a limit or the minute's end left addresses or files unread. */
  readonly complete: boolean;
  /** Why the page that was named could not be read, where its site was found all the same. */
  readonly failure: PageError | undefined;
  /** What the page that was named answered with; undefined where it was not asked for or did not answer. */
  readonly status: number | undefined;
}

/** What asks hosts and reads pages for one who stays for the map. */
interface MapPorts extends AskingOfOne {
  readonly agent: string;
  readonly views: ViewReader;
  /** True once nothing further is asked for: a host that answers at once would be asked as long as it has links. */
  readonly isOver: () => boolean;
}

const SITEMAP_BYTES_MAX = 52_428_800;
const SITEMAP_FILES_MAX = 200;
/** A search looks through more links than it returns. */
const SEARCHED_MAX = 50_000;
/** A sitemap with fewer addresses than this is not taken for the whole site: pages are read as well. */
const RICH_LINKS = 50;
const AT_ONCE = 2;
/** Of what is said of an address, so many are heard: a page's title and the ways in which a few links name it. */
const SAID_MAX = 4;

/** The map of the site of `options.url`, for a caller who stays for it: nothing is asked for after a minute. Throws PageError when nothing could be had at all. */
export async function mapSite(
  options: MapOptions,
  { views, ...asking }: AskingPorts & { readonly views: ViewReader },
  signal: AbortSignal,
): Promise<SiteMap> {
  const robotsSinceMs = asking.clock.steadyMs() - ROBOTS_SHARED_MS;
  const untilMs = asking.clock.steadyMs() + STAY_MS;
  const isOver = () => asking.clock.steadyMs() >= untilMs;
  const ports = { ...askForOneWhoStays(asking, options.privateTargets, robotsSinceMs), agent: asking.agent, views, isOver };
  const found = new Collection(options);
  const rules = await ports.robots.rulesFor(new URL(options.url).origin, signal);
  if (rules.unasked && options.obeysRobots) throw unaskedHost(rules.unasked, options.url);
  if (options.sitemap !== 'skip') await addSitemaps(options, ports, rules, found, signal);
  const start = options.sitemap === 'only' ? undefined : await addPages(options, ports, rules, found, signal);
  if (start?.failure && found.size === 0) throw start.failure;
  return { links: found.ranked(), complete: found.isComplete, failure: start?.failure, status: start?.status };
}

async function addSitemaps(options: MapOptions, ports: MapPorts, rules: RobotsRules, found: Collection, signal: AbortSignal) {
  if (rules.access === 'disallow_all' && options.obeysRobots) return;
  const open = (url: string) => openSitemap(url, options, ports, found, signal);
  for await (const step of walkSitemaps(sitemapCandidates(options.url, rules.sitemaps), open, { filesMax: SITEMAP_FILES_MAX })) {
    signal.throwIfAborted();
    if (step.kind === 'pages') for (const { url } of step.pages) found.add(url, 'sitemap');
    else if (!['complete', 'unavailable', 'cycle', 'no_sitemap'].includes(step.file.end)) found.isComplete = false;
    if (found.isFull && !found.isComplete) return;
    if (!ports.isOver()) continue;
    found.isComplete = false;
    return;
  }
}

async function openSitemap(url: string, { privateTargets }: MapOptions, { fetcher }: MapPorts, found: Collection, signal: AbortSignal) {
  try {
    const page = await fetcher.fetch({ url, lane: 'http', bodyBytesMax: SITEMAP_BYTES_MAX, privateTargets }, signal);
    return page.status === 200 ? once(Uint8Array.from(page.body)) : undefined;
  } catch (error) {
    if (!(error instanceof PageError) || error.next === 'stop') throw error;
    if (error.code === 'rate_limited') found.isComplete = false;
    return undefined;
  }
}

/** What came of the page that was named. */
interface Start {
  readonly failure: PageError | undefined;
  readonly status: number | undefined;
}

/** Reads the page itself and, unless a sitemap told the site, pages that it leads to, breadth first, until there are links enough or their host gives no more turns. */
async function addPages(options: MapOptions, ports: MapPorts, rules: RobotsRules, found: Collection, signal: AbortSignal): Promise<Start> {
  const isTold = found.size >= RICH_LINKS;
  const first = await readPage(options.url, options, ports, rules, signal);
  if (first instanceof PageError) return { failure: first, status: first.status };
  const queued = new Set([dedupeKey(options.url)]);
  const queue = addLinks(first, 'link', found, queued);
  for (let read = 0; read < queue.length && !isTold && !found.isFull;) {
    if (ports.isOver()) {
      found.isComplete = false;
      break;
    }
    const batch = queue.slice(read, read + AT_ONCE);
    read += batch.length;
    const outcomes = await Promise.all(batch.map((url) => readPage(url, options, ports, rules, signal)));
    for (const outcome of outcomes) if (!(outcome instanceof PageError)) queue.push(...addLinks(outcome, 'crawl', found, queued));
    // Its host did not let itself be asked in time: what is left might lead further.
    if (!outcomes.some((outcome) => outcome instanceof PageError && outcome.code === 'rate_limited')) continue;
    found.isComplete = false;
    break;
  }
  return { failure: undefined, status: first.status };
}

/** Adds a page and what it links to; those that may lead further, each once. What acts is listed, and not asked for. */
function addLinks(page: ReadPage, source: 'link' | 'crawl', found: Collection, queued: Set<string>): string[] {
  found.add(page.url, source, page.title);
  return page.links
    .filter(({ url, text }) => {
      const key = dedupeKey(url);
      const leads = found.add(url, source, text) && findAct(url) === undefined && !queued.has(key);
      queued.add(key);
      return leads;
    })
    .map(({ url }) => url);
}

interface ReadPage {
  readonly url: string;
  readonly status: number;
  readonly title?: string;
  readonly links: readonly { readonly url: string; readonly text: string }[];
}

/** An error of one page is no error of the map. */
async function readPage(
  url: string,
  options: MapOptions,
  ports: MapPorts,
  rules: RobotsRules,
  signal: AbortSignal,
): Promise<ReadPage | PageError> {
  try {
    const isOwnHost = new URL(url).origin === new URL(options.url).origin;
    const robots = isOwnHost ? rules : await ports.robots.rulesFor(new URL(url).origin, signal);
    if (robots.unasked && options.obeysRobots) throw unaskedHost(robots.unasked, url);
    const decision = decideRobots(robots, ports.agent, url);
    if (options.obeysRobots && !decision.allowed)
      throw new PageError('robots', `${url} may not be asked for: ${decision.rule ?? 'robots.txt forbids it'}.`, { url });
    const wantsBody = (contentType: string | undefined) => isPageType(contentType, url === options.url);
    const page = await ports.fetcher.fetch({ url, privateTargets: options.privateTargets, wantsBody }, signal);
    const refusal = refuseStatus(page, page.fetchedAtMs);
    if (refusal) throw refusal;
    if (!wantsBody(page.contentType)) return { url: page.url, status: page.status, links: [] };
    return { url: page.url, status: page.status, ...(await readLinks(page, ports.views, signal)) };
  } catch (error) {
    if (error instanceof PageError && error.next !== 'stop') return error;
    throw error;
  }
}

/** The links of a page, and its title. Throws PageError. */
async function readLinks(page: Page, views: ViewReader, signal: AbortSignal) {
  const { result } = await views.run('views', { source: page, formats: ['links'], onlyMainContent: false }, signal);
  return { ...(result.title === undefined ? {} : { title: result.title }), links: result.links ?? [] };
}

function unaskedHost({ code, message }: UnaskedHost, url: string): PageError {
  return new PageError(code, message, { url, next: 'drop' });
}

/** Addresses by their key, each once, those of the site alone. */
class Collection {
  isComplete = true;
  private readonly links = new Map<string, MapLink>();
  /** All that is said of an address: titles, and the words of links to it. */
  private readonly said = new Map<string, Set<string>>();
  private readonly options: MapOptions;

  constructor(options: MapOptions) {
    this.options = options;
  }

  get size(): number {
    return this.links.size;
  }

  /** True once further addresses would not be looked at. */
  get isFull(): boolean {
    return this.size >= (this.options.search === undefined ? this.options.limit : SEARCHED_MAX);
  }

  /** True when the address is of the site and there was room for it. */
  add(address: string, source: MapLink['source'], text?: string): boolean {
    const { url: seed, allowSubdomains } = this.options;
    const url = address.split('#', 1)[0] ?? address;
    const scope = { allowSubdomains, allowExternalLinks: false, crawlEntireDomain: true };
    if (!/^https?:/.test(url) || !decideScope(scope, [seed], url).allowed) return false;
    const key = dedupeKey(url);
    const known = this.links.get(key);
    const words = text === undefined || text === '' ? undefined : text;
    const title = known?.title ?? words;
    if (!known && this.isFull) {
      this.isComplete = false;
      return false;
    }
    if (words !== undefined) this.hear(key, words);
    this.links.set(key, { ...(known ?? { url, source }), ...(title === undefined ? {} : { title }) });
    return true;
  }

  /** Pages that all others link to are called the same again and again. */
  private hear(key: string, words: string): void {
    const said = this.said.get(key) ?? new Set();
    if (said.size < SAID_MAX) this.said.set(key, said.add(words));
  }

  ranked(): readonly MapLink[] {
    const { limit, search } = this.options;
    const links = [...this.links.values()];
    if (links.length > limit) this.isComplete = false;
    if (search === undefined) return links.slice(0, limit);
    const said = [...this.links].map(([key, { url }]) => ({ url, title: [...(this.said.get(key) ?? [])].join(' ') }));
    const scores = scoreLinks(said, search);
    const scored = links.map((link, i) => ({ ...link, score: scores[i] ?? 0 }));
    return scored.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

// Learns which views of a site say nothing that its other pages have not said: a form for each table, a tool for each article.
import { couldBeAction } from '../../url/trap-class.ts';
import type { QueryPair } from '../../url/query-pairs.ts';
import { queryPairs } from '../../url/query-pairs.ts';
import { BoundedMap } from '../bounded-map.ts';
import { isPageName } from '../links/paging-links.ts';
import { hashOf } from './page-orders.ts';
import { SeenNumbers } from './seen-numbers.ts';

/** What a page brought. */
export interface BroughtPage {
  readonly url: string;
  /** A number for each text between two tags. */
  readonly texts: Iterable<number>;
  /** Addresses that it links to and that are asked for. */
  readonly links: readonly string[];
  /** Whether it shows what a kept page shows: that is said of its address, and says nothing of the others of its kind. */
  readonly isCopy?: boolean;
}

/** What was seen of one kind of views. */
interface ViewRecord {
  /** Pages that said something new or led somewhere new. */
  own: number;
  /** Pages in a row that did neither. */
  barren: number;
  /** Addresses since then that were up for being left out. */
  passed: number;
}

export type SavedBarren = Readonly<Record<string, readonly [own: number, barren: number, passed: number]>>;

/** When a kind of views is ended. What each number costs and saves on recorded applications: `npm run bench -- views`. */
export interface BarrenLimits {
  /** Pages in a row that brought nothing. */
  readonly barrenMax: number;
  /** New texts that are none yet: a clock, a counter, the name of the thing in a form. */
  readonly textsMax: number;
}

export const BARREN_LIMITS: BarrenLimits = { barrenMax: 4, textsMax: 0 };
/** The first page of a kind shows the words of its form. */
const OWN_MAX = 1;
const RECORDS_MAX = 5_000;
const SAMPLES_MAX = 10_000;

/**
 * A kind is one parameter that could name an action with the names of all others (`route=/table/search` beside `db` and `table`), the last
 * word of a path below a thing (`/projects/.../history`), or a tool of a namespace (`/wiki/Special:Links/...`). One that brought nothing so
 * often in a row is asked for last, and then only as samples: the second, fourth, eighth address and so on. A sample that brings anything
 * ends the belief for good.
 */
export class BarrenViews {
  private readonly records = new BoundedMap<string, ViewRecord>(RECORDS_MAX);
  /** Not saved: after a restart everything looks new, and kinds are ended later. */
  private readonly texts = new SeenNumbers();
  private readonly links = new SeenNumbers();
  /** Addresses that were chosen as samples: they are asked for, however often that is decided. */
  private readonly samples = new BoundedMap<string, true>(SAMPLES_MAX);
  private readonly limits: BarrenLimits;
  private endedCount = 0;

  constructor(saved: SavedBarren = {}, limits: BarrenLimits = BARREN_LIMITS) {
    this.limits = limits;
    for (const [key, [own, barren, passed]] of Object.entries(saved)) {
      this.records.set(key, { own, barren, passed });
      if (this.isEnded(this.records.get(key))) this.endedCount++;
    }
  }

  /** Notes a page that was read. */
  observe({ url, texts, links, isCopy = false }: BroughtPage): void {
    let fresh = 0;
    for (const text of texts) if (this.texts.add(text)) fresh++;
    let leads = 0;
    for (const link of links) if (this.links.add(hashOf(link)) && !this.isDoubted(link)) leads++;
    if (isCopy) return;
    const isFull = this.texts.isFull || this.links.isFull;
    this.count(kindsOf(url), isFull || fresh > this.limits.textsMax || leads > 0);
  }

  /** Notes an address behind which there was no page. Links that pages carry for themselves are judged by where they stand, see empty-links. */
  observeNothing(url: string): void {
    const parsed = URL.parse(url);
    if (parsed) this.count(kindsByQuery(parsed), false);
  }

  /** Whether `url` is of a kind that is asked for last. */
  isLate(url: string): boolean {
    return this.endedCount > 0 && kindsOf(url).some((kind) => this.isEnded(this.records.get(kind)));
  }

  /** Why `url` is left out, in words; undefined where it is asked for, also as a sample of its kind. Each address is decided once. */
  find(url: string): string | undefined {
    if (this.endedCount === 0 || this.samples.has(url)) return undefined;
    const kind = kindsOf(url).find((each) => this.isEnded(this.records.get(each)));
    const record = kind === undefined ? undefined : this.records.get(kind);
    if (!record) return undefined;
    record.passed++;
    if (isSample(record.passed)) {
      this.samples.set(url, true);
      return undefined;
    }
    return `${kind}: ${record.barren} pages in a row said nothing new and led nowhere new; of those after them the second, fourth, eighth are tried, and this is number ${record.passed}`;
  }

  /** The kinds of `url` of which the last page brought nothing, too few of them to end the kind. */
  findDoubts(url: string): readonly string[] {
    return kindsOf(url).filter((kind) => {
      const record = this.records.get(kind);
      return record !== undefined && record.barren > 0 && record.own <= OWN_MAX && !this.isEnded(record);
    });
  }

  toJSON(): SavedBarren {
    return Object.fromEntries([...this.records].map(([key, { own, barren, passed }]) => [key, [own, barren, passed] as const]));
  }

  /** Links into kinds that have brought nothing so far don't make a page new: every one of them is different. */
  private isDoubted(url: string): boolean {
    return kindsOf(url).some((kind) => {
      const record = this.records.get(kind);
      return record !== undefined && record.barren > 0 && record.own <= OWN_MAX;
    });
  }

  private count(kinds: readonly string[], isOwn: boolean): void {
    for (const kind of kinds) {
      const record = this.records.use(kind, () => ({ own: 0, barren: 0, passed: 0 }));
      const wasEnded = this.isEnded(record);
      if (isOwn) {
        record.own += wasEnded ? OWN_MAX + 1 : 1;
        record.barren = 0;
      } else record.barren++;
      this.endedCount += Number(this.isEnded(record)) - Number(wasEnded);
    }
  }

  private isEnded(record: ViewRecord | undefined): boolean {
    return record !== undefined && record.own <= OWN_MAX && record.barren >= this.limits.barrenMax;
  }
}

/** The second, fourth, eighth and so on. */
function isSample(passed: number): boolean {
  return passed > 1 && (passed & (passed - 1)) === 0;
}

/** The kinds of views that `url` could be of; a list's page is none. */
export function kindsOf(url: string): readonly string[] {
  const parsed = URL.parse(url);
  return parsed ? [...kindsByQuery(parsed), ...kindsByPath(parsed)] : [];
}

function kindsByQuery(url: URL): readonly string[] {
  if (!/[&;]/.test(url.search)) return [];
  const pairs = queryPairs(url);
  if (pairs.some(({ name }) => isPageName(name))) return [];
  const names = [...new Set(pairs.map(({ name }) => name))].toSorted();
  if (names.length < 2) return [];
  return [...new Set(pairs.filter(isAction).map(({ text }) => `${url.host}${url.pathname}?${text} beside ${names.join('&')}`))];
}

/** A route may begin with a slash: `route=/table/search`. */
function isAction({ name, value, text }: QueryPair): boolean {
  return couldBeAction({ name, value: value.replace(/^(?:\/|%2f)/i, ''), text });
}

function kindsByPath({ host, pathname }: URL): readonly string[] {
  const parts = pathname.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const tool = parts.findIndex((part) => /^[^:]{1,30}:./.test(part));
  if (tool >= 0) return tool < parts.length - 1 ? [`${host}/${parts.slice(0, tool + 1).join('/')}/*`] : [];
  return parts.length > 2 && /^[a-z][a-z_-]{1,30}$/i.test(last) ? [`${host}/${parts[0]}/**/${last}`] : [];
}

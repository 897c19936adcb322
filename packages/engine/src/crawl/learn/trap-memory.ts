// Learns which classes of addresses lead nowhere new, and ends them: calendars, echoed queries, sessions, parameters without effect.
import type { TrapClass, TrapClassKind } from '../../url/trap-class.ts';
import { BoundedMap } from '../bounded-map.ts';
import { EmptyLinks } from './empty-links.ts';
import type { LinkEnd, SavedLinks } from './empty-links.ts';
import { fingerprint } from '../judge/fingerprint.ts';
import { ListOrders } from './list-orders.ts';
import { PageOrders } from './page-orders.ts';
import { ParameterKinds } from './parameter-kinds.ts';
import type { SavedKinds } from './parameter-kinds.ts';
import { isRandomLooking, trapClassesOf } from '../../url/trap-class.ts';
import { routeAsPath } from '../../url/route.ts';
import type { TrapDecision } from '../../url/traps.ts';
import { UnlistedViews } from './unlisted-views.ts';
import type { SavedViews } from './unlisted-views.ts';

/** What a fetched page shows about its class. */
export interface VisitedPage {
  readonly url: string;
  /** The address that had the same content before, if one had. */
  readonly duplicateOf: string | undefined;
  /** The address that it calls its own, believed only of parts that look like a session. */
  readonly canonical: string | undefined;
  /** What it says to robots, and the address that led to it. */
  readonly robots?: string | undefined;
  readonly parent?: string | undefined;
  /** Addresses that it links to. */
  readonly links: readonly string[];
  /** The words of its text; asked for only where a calendar or an echo is suspected. */
  readonly words: () => Iterable<string>;
  /** A number for its words in whatever order; asked for only where a page could be another order of a known one. */
  readonly wordSum: () => number;
}

interface ClassRecord {
  /** Pages with content of their own. */
  distinct: number;
  /** Pages whose content was known from outside or from another address of the class; of a wide class, parts that had any. */
  duplicates: number;
  /** Those among the duplicates whose other address is of the class, too: one of the two is a page of it. */
  inner: number;
  /** Pages in a row that brought neither a new word nor a link that earlier ones had not; of a wide class, parts in a row. */
  barren: number;
  readonly linkSets: string[];
  readonly words: Set<string>;
  /** Parts of a wide class that were counted already. */
  readonly parts: Set<string>;
}

type SavedRecord = readonly [
  distinct: number,
  duplicates: number,
  inner: number,
  barren: number,
  linkSets: readonly string[],
  words: readonly string[],
  parts: readonly string[],
];

/** When a class of addresses is ended. What each number costs and saves: `npm run bench -- traps`. */
export interface TrapLimits {
  /** Pages with known content after which a class is ended. One set of names anywhere on a host is the widest class and needs the most. */
  readonly duplicatesMax: Readonly<Record<TrapClassKind, number>>;
  /** Pages in a row without anything new. Most of a year of empty months; an echo shows itself sooner. */
  readonly barrenMax: Readonly<Partial<Record<TrapClassKind, number>>>;
  /** So many duplicates outweigh one page with content of its own: an address that the session reached before the plain one did. */
  readonly duplicatesPerDistinct: number;
}

export const TRAP_LIMITS: TrapLimits = {
  duplicatesMax: { calendar: Infinity, echo: Infinity, query: 3, parameters: 5, session: 3 },
  barrenMax: { calendar: 10, echo: 4 },
  duplicatesPerDistinct: 10,
};
/** The names of the month and of its neighbours are new on every page of a calendar. */
const NEW_WORDS_MAX = 2;
const WORDS_MAX = 2_000;
const LINK_SETS_MAX = 16;
const CLASSES_MAX = 5_000;
const PARTS_MAX = 32;

/** What was learnt, as JSON. */
export interface SavedTraps extends SavedKinds {
  readonly classes: Readonly<Record<string, SavedRecord>>;
  readonly views: SavedViews;
  readonly lists: Readonly<Record<string, number>>;
  readonly empty: SavedLinks;
}

/** What was learnt about classes of addresses. Pages that are judged by it are never those that a class began with. */
export class TrapMemory {
  private readonly classes = new BoundedMap<string, ClassRecord>(CLASSES_MAX);
  private readonly kinds: ParameterKinds;
  /** Not saved: what it would find again costs few requests. */
  private readonly orders = new PageOrders();
  private readonly views: UnlistedViews;
  private readonly lists: ListOrders;
  private readonly empty: EmptyLinks;
  private readonly limits: TrapLimits;
  /** Whether anything speaks against any class: on most sites nothing does, and every address that is found would be sorted for nothing. */
  private isSuspicious: boolean;

  constructor(
    saved: SavedTraps = { classes: {}, grown: [], things: [], views: { marks: {}, places: [] }, lists: {}, empty: {} },
    limits: TrapLimits = TRAP_LIMITS,
  ) {
    for (const [key, [distinct, duplicates, inner, barren, linkSets, words, parts]] of Object.entries(saved.classes))
      this.classes.set(key, { distinct, duplicates, inner, barren, linkSets: [...linkSets], words: new Set(words), parts: new Set(parts) });
    this.kinds = new ParameterKinds(saved);
    this.views = new UnlistedViews(saved.views);
    this.lists = new ListOrders(saved.lists);
    this.empty = new EmptyLinks(saved.empty);
    this.limits = limits;
    this.isSuspicious = [...this.classes.values()].some((record) => record.duplicates > 0 || record.barren > 0);
  }

  /** The trap that `url` lies in by what was learnt, or undefined; with `allViews`, none because views of its kind want no index. */
  find(url: string, allViews = false): TrapDecision<TrapClassKind | 'view' | 'order' | 'empty'> | undefined {
    const isSuspicious = this.isSuspicious || this.views.isSuspicious || this.lists.isSuspicious || this.empty.isSuspicious;
    const parsed = isSuspicious ? URL.parse(routeAsPath(url)) : null;
    if (!parsed) return undefined;
    const view = allViews ? undefined : this.views.find(parsed);
    if (view !== undefined) return { trap: 'view', rule: view };
    const order = this.lists.find(parsed);
    if (order !== undefined) return { trap: 'order', rule: order };
    const empty = this.empty.find(parsed);
    if (empty !== undefined) return { trap: 'empty', rule: empty };
    for (const trapClass of this.classesOf(parsed)) {
      const rule = this.ruleOf(trapClass);
      if (rule !== undefined) return { trap: trapClass.kind, rule };
    }
    return undefined;
  }

  /** The classes of `url` that are neither ended nor have shown a page of their own. */
  findDoubts(url: string): readonly string[] {
    const mayOrder = this.lists.mayOrder(url);
    const mayBeView = url.includes('?');
    const parsed = mayOrder || mayBeView || this.empty.isSuspicious ? URL.parse(routeAsPath(url)) : null;
    if (!parsed) return [];
    const order = mayOrder ? this.lists.findDoubt(parsed) : undefined;
    return [...(order === undefined ? [] : [order]), ...this.views.findDoubts(parsed), ...this.empty.findDoubts(parsed)];
  }

  /** Notes a fetched page. */
  observe(page: VisitedPage): void {
    const url = URL.parse(routeAsPath(page.url));
    if (!url) return;
    this.kinds.observeValues(url);
    this.views.observe(url, page.robots, page.parent);
    const classes = trapClassesOf(url, this.kinds.namesThings);
    const sameWords = page.duplicateOf === undefined ? this.orders.find(url, page.links, page.wordSum) : undefined;
    const duplicateOf = page.duplicateOf ?? sameWords;
    this.lists.observe(url, page.links, duplicateOf !== undefined);
    if (duplicateOf === undefined) {
      for (const trapClass of classes) {
        const record = this.recordOf(trapClass);
        const part = trapClass.kind === 'session' ? declaredSession(url, page.canonical, trapClass) : undefined;
        // A part that could be a word proves nothing either way.
        if (part === undefined) record.distinct++;
        else if (isRandomLooking(part)) this.suspect(record, trapClass);
      }
    } else {
      this.observeDuplicate(url, classes, duplicateOf, sameWords !== undefined);
    }
    this.kinds.observeGrowth(url, page.links);
    for (const trapClass of [...classes, ...this.kinds.echoesOf(url)])
      if (trapClass.kind === 'calendar' || trapClass.kind === 'echo') this.observeNovelty(trapClass, page);
  }

  /** Notes what the link to `address` on the page `parent` led to. */
  observeEnd(address: string, parent: string | undefined, end: LinkEnd): void {
    const url = URL.parse(routeAsPath(address));
    if (url) this.empty.observe(url, parent, end);
  }

  /** Notes an address behind which there was no page. */
  observeNothing(address: string): void {
    const url = URL.parse(routeAsPath(address));
    if (!url) return;
    for (const trapClass of trapClassesOf(url, this.kinds.namesThings))
      if (trapClass.kind === 'query') this.suspect(this.recordOf(trapClass), trapClass);
  }

  toJSON(): SavedTraps {
    const classes: Record<string, SavedRecord> = {};
    for (const [key, { distinct, duplicates, inner, barren, linkSets, words, parts }] of this.classes)
      classes[key] = [distinct, duplicates, inner, barren, linkSets, [...words], [...parts]];
    return {
      classes,
      ...this.kinds.toJSON(),
      views: this.views.toJSON(),
      lists: this.lists.toJSON(),
      empty: this.empty.toJSON(),
    };
  }

  private classesOf(url: URL): readonly TrapClass[] {
    return [...trapClassesOf(url, this.kinds.namesThings), ...this.kinds.echoesOf(url)];
  }

  private ruleOf(trapClass: TrapClass): string | undefined {
    const record = this.classes.get(keyOf(trapClass));
    if (!record) return undefined;
    const { duplicatesMax, barrenMax, duplicatesPerDistinct } = this.limits;
    // A parameter whose values bring something new as often as not is no trap, whatever the last pages were like.
    const isHonest = trapClass.kind === 'echo' && record.distinct > record.barren;
    if (!isHonest && record.barren >= (barrenMax[trapClass.kind] ?? Infinity))
      return `${trapClass.key}: ${record.barren} pages in a row brought nothing new`;
    const isEmpty = record.duplicates >= duplicatesMax[trapClass.kind] && record.duplicates >= record.distinct * duplicatesPerDistinct;
    return isEmpty
      ? `${trapClass.key}: ${trapClass.part === undefined ? `${record.duplicates} addresses` : 'addresses in all its parts were'} without content of their own`
      : undefined;
  }

  /** The plainer address of the two is the page; the other one speaks against its class. Of two in one class, the first stays its page. */
  private observeDuplicate(url: URL, classes: readonly TrapClass[], other: string, isOrder: boolean): void {
    const first = URL.parse(routeAsPath(other));
    const firstClasses = first ? trapClassesOf(first, this.kinds.namesThings) : [];
    const isFirstPlainer = !first || weightOf(first) <= weightOf(url);
    const isOfBoth = (trapClass: TrapClass) => [classes, firstClasses].every((own) => own.some((each) => keyOf(each) === keyOf(trapClass)));
    for (const trapClass of classes) {
      if (first && !speaksOf(trapClass, url, first)) continue;
      const record = this.recordOf(trapClass);
      if (isOfBoth(trapClass)) record.inner++;
      if (isFirstPlainer || isOfBoth(trapClass)) this.suspect(record, trapClass, isOrder);
      else record.distinct++;
    }
    if (isFirstPlainer) return;
    for (const trapClass of firstClasses) {
      if ((first && !speaksOf(trapClass, first, url)) || isOfBoth(trapClass)) continue;
      const record = this.recordOf(trapClass);
      if (record.distinct > (record.inner > 0 ? 1 : 0)) record.distinct--;
      this.suspect(record, trapClass);
    }
  }

  private observeNovelty(trapClass: TrapClass, page: VisitedPage): void {
    const record = this.recordOf(trapClass);
    let newWords = 0;
    for (const word of page.words()) {
      if (record.words.has(word)) continue;
      newWords++;
      if (record.words.size < WORDS_MAX) record.words.add(word);
    }
    const linkSet = this.foreignLinks(trapClass, page.links);
    const isKnown = record.linkSets.includes(linkSet);
    if (!isKnown && record.linkSets.length < LINK_SETS_MAX) record.linkSets.push(linkSet);
    const { part } = trapClass;
    if (!isKnown || newWords > NEW_WORDS_MAX) {
      record.barren = 0;
      record.parts.clear();
      if (trapClass.kind === 'echo') record.distinct++;
    } else if (part === undefined || isFirstOf(record, part)) record.barren++;
    this.isSuspicious ||= record.barren > 0;
  }

  /**
   * Counts a page without content of its own. A wide class is as empty as its parts: one that is ended counts, and one in which an order of
   * a list was seen; a single known page says little (`h=HEAD` is no other page, `h=c0ffee` is).
   */
  private suspect(record: ClassRecord, { kind, part }: TrapClass, isOrder = false): void {
    this.isSuspicious = true;
    if (part === undefined) record.duplicates++;
    else if ((isOrder || this.ruleOf({ kind, key: part, part: undefined }) !== undefined) && isFirstOf(record, part)) record.duplicates++;
  }

  /** A short text for the set of links that lead out of the class and into no class that leads nowhere. */
  private foreignLinks(own: TrapClass, links: readonly string[]): string {
    const foreign = links.filter((link) => {
      const parsed = URL.parse(link);
      if (!parsed) return false;
      return !this.classesOf(parsed).some((candidate) => keyOf(candidate) === keyOf(own) || this.isSuspect(candidate));
    });
    return fingerprint(foreign.toSorted().join('\n')).toString(36);
  }

  /** Links into a class that has shown nothing of its own so far don't make a page new: every one of them is different. */
  private isSuspect(trapClass: TrapClass): boolean {
    const record = this.classes.get(keyOf(trapClass));
    if (!record) return false;
    return this.ruleOf(trapClass) !== undefined || (record.duplicates > 0 && record.distinct === 0);
  }

  private recordOf(trapClass: TrapClass): ClassRecord {
    const make = () => ({
      distinct: 0,
      duplicates: 0,
      inner: 0,
      barren: 0,
      linkSets: [],
      words: new Set<string>(),
      parts: new Set<string>(),
    });
    return this.classes.use(keyOf(trapClass), make);
  }
}

/** Whether `part` was not counted against the record before; notes it. */
function isFirstOf({ parts }: ClassRecord, part: string): boolean {
  if (parts.has(part) || parts.size >= PARTS_MAX) return false;
  parts.add(part);
  return true;
}

function keyOf(trapClass: TrapClass): string {
  return `${trapClass.kind} ${trapClass.key}`;
}

/** How much an address carries beside a plain path. */
function weightOf(url: URL): number {
  return url.search.length * 100 + url.pathname.split('/').length * 10 + url.pathname.length / 100;
}

/** Whether equal content at `url` and `other` says anything of a class of `url`: other paths may have equal text for reasons of their own. */
function speaksOf(trapClass: TrapClass, url: URL, other: URL): boolean {
  return trapClass.kind === 'session' ? isSessionTwin(url, other, trapClass) : url.pathname === other.pathname;
}

/**
 * Whether `other` is what remains of `url` without its changing part, or has another one in its place. Empty lists have equal content too,
 * but their addresses don't fit into each other.
 */
function isSessionTwin(url: URL, other: URL, trapClass: TrapClass): boolean {
  if (other.pathname !== '/' && url.pathname.endsWith(other.pathname)) return true;
  const prefix = trapClass.key.slice(url.host.length, -1);
  if (!url.pathname.startsWith(prefix)) return false;
  const [part = '', ...rest] = url.pathname.slice(prefix.length).split('/');
  const remainder = `/${rest.join('/')}`;
  if (other.pathname === remainder || other.pathname === `${prefix}${rest.join('/')}`) return true;
  return isRandomLooking(part) && other.pathname.startsWith(prefix) && other.pathname.endsWith(remainder);
}

/** The changing part of an address whose page says that it belongs to the address without that part; undefined where it does not. */
function declaredSession(url: URL, canonical: string | undefined, trapClass: TrapClass): string | undefined {
  const other = canonical === undefined ? null : URL.parse(canonical);
  if (!other || other.host !== url.host || other.pathname === url.pathname || !url.pathname.endsWith(other.pathname)) return undefined;
  return url.pathname.slice(trapClass.key.length - 1 - url.host.length).split('/', 1)[0];
}

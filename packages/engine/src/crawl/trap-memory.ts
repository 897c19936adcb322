// Learns which classes of addresses lead nowhere new, and ends them: calendars, echoed queries, sessions, parameters without effect.
import type { TrapClass, TrapClassKind } from '../url/trap-class.ts';
import { isEcho, isRandomLooking, trapClassesOf } from '../url/trap-class.ts';
import type { TrapDecision } from '../url/traps.ts';

/** What a fetched page shows about its class. */
export interface VisitedPage {
  readonly url: string;
  /** The address that had the same content before, if one had. */
  readonly duplicateOf: string | undefined;
  /** The address that it calls its own, believed only of parts that look like a session. */
  readonly canonical: string | undefined;
  /** Addresses that it links to. */
  readonly links: readonly string[];
  /** The words of its text; asked for only where a calendar or an echo is suspected. */
  readonly words: () => Iterable<string>;
}

interface ClassRecord {
  /** Pages with content of their own. */
  distinct: number;
  /** Pages whose content was known from outside or from another address of the class. */
  duplicates: number;
  /** Pages in a row that brought neither a new word nor a link that earlier ones had not. */
  barren: number;
  readonly linkSets: string[];
  readonly words: Set<string>;
}

type SavedRecord = readonly [distinct: number, duplicates: number, barren: number, linkSets: readonly string[], words: readonly string[]];

/** Pages with known content after which a class is ended. One set of names anywhere on a host is the widest class and needs the most. */
const DUPLICATES_MAX: Readonly<Record<TrapClassKind, number>> = { calendar: Infinity, echo: 8, query: 3, parameters: 5, session: 3 };
/** Most of a year of empty months; an echo shows itself sooner. */
const BARREN_MAX: Readonly<Partial<Record<TrapClassKind, number>>> = { calendar: 10, echo: 4 };
/** The names of the month and of its neighbours are new on every page of a calendar. */
const NEW_WORDS_MAX = 2;
const WORDS_MAX = 2_000;
const LINK_SETS_MAX = 16;
const CLASSES_MAX = 5_000;

/** What was learnt about classes of addresses. Pages that are judged by it are never those that a class began with. */
export class TrapMemory {
  private readonly classes: Map<string, ClassRecord>;
  /** Whether anything speaks against any class: on most sites nothing does, and every address that is found would be sorted for nothing. */
  private isSuspicious: boolean;

  constructor(saved: Readonly<Record<string, SavedRecord>> = {}) {
    this.classes = new Map(
      Object.entries(saved).map(([key, [distinct, duplicates, barren, linkSets, words]]) => [
        key,
        { distinct, duplicates, barren, linkSets: [...linkSets], words: new Set(words) },
      ]),
    );
    this.isSuspicious = [...this.classes.values()].some((record) => record.duplicates > 0 || record.barren > 0);
  }

  /** The trap that `url` lies in by what was learnt, or undefined. */
  find(url: string): TrapDecision<TrapClassKind> | undefined {
    const parsed = this.isSuspicious ? URL.parse(url) : null;
    if (!parsed) return undefined;
    for (const trapClass of trapClassesOf(parsed)) {
      const rule = this.ruleOf(trapClass);
      if (rule !== undefined) return { trap: trapClass.kind, rule };
    }
    return undefined;
  }

  /** Notes a fetched page. */
  observe(page: VisitedPage): void {
    const url = URL.parse(page.url);
    if (!url) return;
    const classes = trapClassesOf(url);
    if (page.duplicateOf === undefined) {
      for (const trapClass of classes) {
        const record = this.recordOf(trapClass);
        const part = trapClass.kind === 'session' ? declaredSession(url, page.canonical, trapClass) : undefined;
        // A part that could be a word proves nothing either way.
        if (part === undefined) record.distinct++;
        else if (isRandomLooking(part)) this.suspect(record);
      }
    } else {
      this.observeDuplicate(url, classes, page.duplicateOf);
    }
    for (const trapClass of classes) {
      if (trapClass.kind === 'calendar' || (trapClass.kind === 'echo' && this.echoes(url, page))) this.observeNovelty(trapClass, page);
    }
  }

  toJSON(): Readonly<Record<string, SavedRecord>> {
    const saved: Record<string, SavedRecord> = {};
    for (const [key, record] of this.classes)
      saved[key] = [record.distinct, record.duplicates, record.barren, record.linkSets, [...record.words]];
    return saved;
  }

  private ruleOf(trapClass: TrapClass): string | undefined {
    const record = this.classes.get(keyOf(trapClass));
    if (!record) return undefined;
    if (record.barren >= (BARREN_MAX[trapClass.kind] ?? Infinity))
      return `${trapClass.key}: ${record.barren} pages in a row brought nothing new`;
    // One page in ten may be its own: an address that the session reached before the plain one did.
    const isEmpty = record.duplicates >= DUPLICATES_MAX[trapClass.kind] && record.duplicates >= record.distinct * 10;
    return isEmpty ? `${trapClass.key}: ${record.duplicates} pages with known content` : undefined;
  }

  /** The plainer address of the two is the page; the other one speaks against its class. */
  private observeDuplicate(url: URL, classes: readonly TrapClass[], other: string): void {
    const first = URL.parse(other);
    const firstClasses = first ? trapClassesOf(first) : [];
    const isFirstPlainer = !first || weightOf(first) <= weightOf(url);
    for (const trapClass of classes) {
      if (first && !speaksOf(trapClass, url, first)) continue;
      const record = this.recordOf(trapClass);
      if (isFirstPlainer || firstClasses.some((candidate) => keyOf(candidate) === keyOf(trapClass))) this.suspect(record);
      else record.distinct++;
    }
    if (isFirstPlainer) return;
    for (const trapClass of firstClasses) {
      if (first && !speaksOf(trapClass, first, url)) continue;
      const record = this.recordOf(trapClass);
      if (record.distinct > 0) record.distinct--;
      this.suspect(record);
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
    record.barren = isKnown && newWords <= NEW_WORDS_MAX ? record.barren + 1 : 0;
    this.isSuspicious ||= record.barren > 0;
  }

  private suspect(record: ClassRecord): void {
    record.duplicates++;
    this.isSuspicious = true;
  }

  /** A short text for the set of links that lead out of the class and into no class that leads nowhere. */
  private foreignLinks(own: TrapClass, links: readonly string[]): string {
    const foreign = links.filter((link) => {
      const parsed = URL.parse(link);
      if (!parsed) return false;
      return !trapClassesOf(parsed).some((candidate) => keyOf(candidate) === keyOf(own) || this.isSuspect(candidate));
    });
    return fingerprint(foreign.toSorted().join('\n'));
  }

  /** Links into a class that has shown nothing of its own so far don't make a page new: every one of them is different. */
  private isSuspect(trapClass: TrapClass): boolean {
    const record = this.classes.get(keyOf(trapClass));
    if (!record) return false;
    return this.ruleOf(trapClass) !== undefined || (record.duplicates > 0 && record.distinct === 0);
  }

  private echoes(url: URL, page: VisitedPage): boolean {
    return page.links.some((link) => {
      const child = link.includes(`${url.pathname}?`) ? URL.parse(link) : null;
      return child !== null && isEcho(url, child);
    });
  }

  private recordOf(trapClass: TrapClass): ClassRecord {
    const key = keyOf(trapClass);
    let record = this.classes.get(key);
    if (!record) {
      record = { distinct: 0, duplicates: 0, barren: 0, linkSets: [], words: new Set() };
      this.classes.set(key, record);
      if (this.classes.size > CLASSES_MAX) this.forgetOldest();
    }
    return record;
  }

  private forgetOldest(): void {
    const oldest = this.classes.keys().next();
    if (!oldest.done) this.classes.delete(oldest.value);
  }
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

/** 53 bits of a text, in base 36. */
function fingerprint(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 2654435761);
    high = Math.imul(high ^ text.charCodeAt(i), 1597334677);
  }
  return (4294967296 * (high & 0x1fffff) + (low >>> 0)).toString(36);
}

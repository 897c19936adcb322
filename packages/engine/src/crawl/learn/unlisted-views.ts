// Learns which parameters and namespaces hold views that a site wants neither listed nor followed: histories, indexes, backlinks.
import { couldBeAction, placeOf } from '../../url/trap-class.ts';
import { queryPairs } from '../../url/query-pairs.ts';
import { BoundedMap } from '../bounded-map.ts';
import { hashOf } from './page-orders.ts';

/** What was seen with one parameter of a script, with one value of it, or in one namespace. */
interface MarkRecord {
  unlisted: number;
  /** Pages that may be listed, and those that only an unlisted page of the mark led to. */
  listed: number;
}

export interface SavedViews {
  readonly marks: Readonly<Record<string, readonly [unlisted: number, listed: number]>>;
  /** Those that are believed; each page of a site is a place of its own, and is forgotten. */
  readonly places: readonly string[];
}

/** Unlisted pages after which a value is believed, as many as for other classes of addresses; a name or namespace holds more that was not seen. */
const UNLISTED_MIN = 3;
const UNLISTED_NAME_MIN = 8;
/** Listed pages of a script or folder, or of such that lead to its unlisted ones, that show that pages are told apart: one may be an error. */
const LISTED_MIN = 3;
const LISTED_MAX = 20_000;
/** So many unlisted pages outweigh one that is or led to a page of its own. */
const UNLISTED_PER_LISTED = 10;
const MARKS_MAX = 5_000;
/** What stands before a colon, in a part of a path or in a value: `Special:` of a wiki. */
const NAMESPACE = /^([^:/?=&;]{2,30}):([^:/?=&;]+\/)?/;

/**
 * DokuWiki, MediaWiki, Redmine and forums say `noindex, nofollow` on each view of a page. A site that says it everywhere says nothing:
 * only parameters and namespaces are believed, where other pages of the same script or folder are listed, or those that lead there.
 */
export class UnlistedViews {
  private readonly marks = new BoundedMap<string, MarkRecord>(MARKS_MAX);
  /** By script and folder: the pages there that are listed, or unlisted and beside such. */
  private readonly places = new BoundedMap<string, number>(MARKS_MAX);
  /** Pages that are listed; not saved, as pages after a restart show it anew. */
  private readonly listed = new Set<number>();
  /** Whether any mark could be believed: on most sites none can, and no address need be sorted. */
  isSuspicious = false;

  constructor({ marks, places }: SavedViews = { marks: {}, places: [] }) {
    for (const place of places) this.places.set(place, LISTED_MIN);
    for (const [key, [unlisted, listed]] of Object.entries(marks)) {
      this.marks.set(key, { unlisted, listed });
      this.isSuspicious ||= unlisted >= UNLISTED_MIN;
    }
  }

  /** Notes what a page says of itself to robots; `parent` is the address that led to it first. */
  observe(url: URL, robots: string | undefined, parent: string | undefined): void {
    const isUnlisted = robots !== undefined && isUnlistedPage(robots);
    // One parameter alone names the thing itself: that it is listed counts for its views, that it is not says nothing of them.
    const ofScript = isUnlisted && !isView(url) ? namespacesOf(url) : [...marksOf(url), ...namespacesOf(url)];
    const marks = this.isOfListed(url) ? [...ofScript, ...folderMarksOf(url)] : ofScript;
    const isBesideListed = isUnlisted && parent !== undefined && this.listed.has(hashOf(parent));
    if (!isUnlisted && this.listed.size < LISTED_MAX) this.listed.add(hashOf(url.href));
    if (!isUnlisted || isBesideListed) for (const place of placesOf(url)) this.places.set(place, (this.places.get(place) ?? 0) + 1);
    for (const mark of marks) {
      const record = this.marks.use(mark, newMark);
      if (isUnlisted) record.unlisted++;
      else record.listed++;
      this.isSuspicious ||= record.unlisted >= UNLISTED_MIN;
    }
    const led = isUnlisted || !this.isSuspicious || parent === undefined ? null : URL.parse(parent);
    // `?id=bean&do=` on `?id=bean&do=recent` is the page that it is a view of, not one that it led to.
    const from = led && namesOf(led) === namesOf(url) ? null : led;
    for (const mark of from ? [...marksOf(from), ...namespacesOf(from), ...folderMarksOf(from)] : []) {
      const record = this.marks.get(mark);
      if (record && record.unlisted > record.listed) record.listed++;
    }
  }

  /** What was learnt that speaks against asking for `url`, in words; undefined when nothing does. */
  find(url: URL): string | undefined {
    if (!this.isSuspicious) return undefined;
    const ofScript = isView(url) ? [...marksOf(url), ...namespacesOf(url)] : namespacesOf(url);
    const isPlace = placesOf(url).some((place) => this.isKnown(place));
    const marks = [...(isPlace ? ofScript : []), ...(this.isKnown(folderOf(url)) ? folderMarksOf(url) : [])];
    const mark = marks.find((key) => this.isBelieved(key));
    return mark && `${mark}: ${this.marks.get(mark)?.unlisted ?? 0} pages asked robots neither to list nor to follow them`;
  }

  /** The values of `url` that no page had so far, or only unlisted ones, too few of them to believe it. */
  findDoubts(url: URL): readonly string[] {
    const isOpen = (mark: string) => mark.includes('=') && (this.marks.get(mark)?.listed ?? 0) === 0;
    return [...(isView(url) ? marksOf(url) : []), ...(this.isOfListed(url) ? folderMarksOf(url) : [])].filter(isOpen);
  }

  toJSON(): SavedViews {
    const marks = [...this.marks].map(([key, { unlisted, listed }]) => [key, [unlisted, listed] as const]);
    return { marks: Object.fromEntries(marks), places: [...this.places].flatMap(([place, pages]) => (pages >= LISTED_MIN ? [place] : [])) };
  }

  /** Whether the address without its query is a page that is listed: then the query asks for a view of it. */
  private isOfListed({ search, origin, pathname }: URL): boolean {
    return search.length > 1 && this.listed.has(hashOf(origin + pathname));
  }

  private isKnown(place: string): boolean {
    return (this.places.get(place) ?? 0) >= LISTED_MIN;
  }

  private isBelieved(mark: string): boolean {
    const record = this.marks.get(mark);
    const least = mark.includes('=') && !mark.endsWith('*') ? UNLISTED_MIN : UNLISTED_NAME_MIN;
    return record !== undefined && record.unlisted >= least && record.unlisted > record.listed * UNLISTED_PER_LISTED;
  }
}

const newMark = (): MarkRecord => ({ unlisted: 0, listed: 0 });

/** `noindex, follow` is said of the further pages of lists, which lead to what is on them. */
export function isUnlistedPage(robots: string): boolean {
  const words = robots.toLowerCase();
  return /\bnone\b/.test(words) || (/\bnoindex\b/.test(words) && /\bnofollow\b/.test(words));
}

/** Where a page that is listed shows that the others could be: the script, and the folder of a wiki's pages. */
function placesOf({ host, pathname, search }: URL): readonly string[] {
  const folder = pathname.replace(/[^/]*(?::.*)?$/, '');
  return search === '' && folder !== '/' ? [host + pathname, host + folder] : [host + pathname];
}

/** Where pages stand that have addresses of their own. */
function folderOf({ host, pathname }: URL): string {
  return host + pathname.slice(0, pathname.lastIndexOf('/') + 1);
}

/** The parameters of a view of any page of a folder, by name, and by value where that could name an action. */
function folderMarksOf(url: URL): readonly string[] {
  return queryPairs(url).flatMap((pair) => {
    const named = `${folderOf(url)}*?${pair.name}`;
    return pair.value !== '' && couldBeAction(pair) ? [named, `${folderOf(url)}*?${pair.text}`] : [named];
  });
}

/** Script and names of parameters. */
function namesOf(url: URL): string {
  const names = queryPairs(url).map(({ name }) => name);
  return names.length < 2 ? url.href : `${url.host}${url.pathname}?${names.toSorted().join('&')}`;
}

function isView({ search }: URL): boolean {
  return /[&;]/.test(search);
}

/** The parameters of an address, by name, and by value where that could name an action. */
function marksOf(url: URL): readonly string[] {
  return queryPairs(url).flatMap((pair) => {
    const named = placeOf(url, pair.name);
    return pair.value !== '' && couldBeAction(pair) ? [named, placeOf(url, pair.text)] : [named];
  });
}

/** The namespaces that an address lies in. */
function namespacesOf(url: URL): readonly string[] {
  if (!url.href.includes(':', url.origin.length)) return [];
  const path = /^(.*?\/[^:/]{2,30}):([^/]+\/)?/.exec(url.pathname);
  const values = queryPairs(url).flatMap(({ name, value }) => {
    const [, space, tool] = NAMESPACE.exec(value) ?? [];
    if (space === undefined || /^https?$/i.test(space)) return [];
    return spacesOf(placeOf(url, `${name}=${space}`), tool);
  });
  return path ? [...spacesOf(url.host + path[1], path[2]), ...values] : values;
}

/** A namespace, and the tool in it that an address is below: `Special:Links/Garden`. */
function spacesOf(space: string, tool: string | undefined): readonly string[] {
  return tool === undefined ? [`${space}:*`] : [`${space}:*`, `${space}:${tool}*`];
}

// Learns which links that pages carry for themselves lead to no page: forms that only members see, tools without a result, addresses that only send on.
import { actOfWord, plainWord } from '../../url/act-words.ts';
import { queryPairs } from '../../url/query-pairs.ts';
import { couldBeAction, placeOf } from '../../url/trap-class.ts';
import { BoundedMap } from '../bounded-map.ts';
import { fingerprint } from '../judge/fingerprint.ts';

/** What an address led to: a page, one that asks not to be listed, a refusal, or an address that was known or is not to be listed. */
export type LinkEnd = 'page' | 'unlisted' | 'refused' | 'moved';

/** What was seen of one class of links. */
interface LinkRecord {
  pages: number;
  /** Pages that such links stood on and were refused, and those whose links moved on. */
  readonly refused: Set<number>;
  readonly moved: Set<number>;
}

export type SavedLinks = Readonly<Record<string, readonly [pages: number, refused: readonly number[], moved: readonly number[]]>>;

/**
 * Each page has such a link of its own, so each page counts once: a list of things that are gone counts once as well, and what it names
 * elsewhere is asked for. Of links of which every second leads to a page, five in a row are refused once in 32 times; the ten of those that
 * move on were each found to bring what was known, which says less of the next.
 */
const REFUSED_MIN = 5;
/** A word that is a command says so itself, and what refuses says it again: `/wiki/…/edit` leads members to a form. */
const REFUSED_COMMAND_MIN = 2;
const MOVED_MIN = 10;
const RECORDS_MAX = 2_000;

/** Classes of links by the action, the tool or the last word that their addresses share. */
export class EmptyLinks {
  private readonly records = new BoundedMap<string, LinkRecord>(RECORDS_MAX);
  /** Whether anything led to no page. */
  isSuspicious = false;

  constructor(saved: SavedLinks = {}) {
    for (const [key, [pages, refused, moved]] of Object.entries(saved))
      this.records.set(key, { pages, refused: new Set(refused), moved: new Set(moved) });
    this.isSuspicious = this.records.size > 0;
  }

  /** Notes what the link to `url` on the page `parent` led to. */
  observe(url: URL, parent: string | undefined, end: LinkEnd): void {
    if (end === 'unlisted' || (parent === undefined && end !== 'page')) return;
    for (const key of linkClassesOf(url)) {
      const record = this.records.use(key, () => ({ pages: 0, refused: new Set(), moved: new Set() }));
      if (end === 'page') record.pages++;
      else if (record[end].size < MOVED_MIN) record[end].add(fingerprint(parent ?? ''));
      this.isSuspicious ||= end !== 'page';
    }
  }

  /** What was learnt that speaks against asking for `url`, in words; undefined when nothing does. */
  find(url: URL): string | undefined {
    if (!this.isSuspicious) return undefined;
    for (const key of linkClassesOf(url)) {
      const record = this.records.get(key);
      if (!record || record.pages > 0) continue;
      const { size: refused } = record.refused;
      const all = new Set([...record.refused, ...record.moved]).size;
      if (refused >= (isCommandClass(key) ? REFUSED_COMMAND_MIN : REFUSED_MIN) || all >= MOVED_MIN)
        return `${key}: such links on ${all} pages led to no page`;
    }
    return undefined;
  }

  /** The classes of `url` of which nothing but empty links is known so far. */
  findDoubts(url: URL): readonly string[] {
    return linkClassesOf(url).filter((key) => this.records.get(key)?.pages === 0);
  }

  toJSON(): SavedLinks {
    return Object.fromEntries(
      [...this.records].map(([key, { pages, refused, moved }]) => [key, [pages, [...refused], [...moved]] as const]),
    );
  }
}

function isCommandClass(key: string): boolean {
  return actOfWord(plainWord(key.slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf('=')) + 1))) !== undefined;
}

/**
 * `?action=edit` beside what it is done to, `?title=Special:Links/*` and `/wiki/Special:Links/*` below a tool of a namespace, `/issues/…/edit`
 * below what it is done to, `/wiki/…?version=0` with one value below one folder. A folder, a script or a parameter alone holds all there is, and is no class.
 */
function linkClassesOf(url: URL): readonly string[] {
  const { host, pathname } = url;
  const pairs = queryPairs(url);
  const classes = pairs.flatMap((pair) => {
    const tool = /^([^/?=&;]{1,30}:[^/?=&;]{1,40})\/|^(\/?[a-z][\w/-]*\/[a-z][\w-]*)\/[^/]*$/i.exec(pair.value);
    const below = tool?.[1] ?? tool?.[2];
    if (below !== undefined) return [placeOf(url, `${pair.name}=${below}/*`)];
    return pairs.length > 1 && pair.value !== '' && couldBeAction(pair) ? [placeOf(url, pair.text)] : [];
  });
  const parts = pathname.split('/').filter((part) => part !== '');
  // One value beside many things, such as the version before the first.
  const [pair] = pairs;
  if (pair && pairs.length === 1 && pair.value !== '' && parts.length > 1) classes.push(`${host}/${parts[0]}/**?${pair.text}`);
  const tool = parts.findIndex((part) => /^[^:]{1,30}:./.test(part));
  if (tool >= 0 && tool < parts.length - 1) classes.push(`${host}/${parts.slice(0, tool + 1).join('/')}/*`);
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length > 2 && /^[a-z][a-z_-]{1,30}$/i.test(last)) classes.push(`${host}/${first}/**/${last}`);
  return classes;
}

// Learns where plain texts lie that pages link as their own source: `_sources/intro.rst.txt` beside `intro.html`, `a=blob_plain` beside `a=blob`.
import { queryPairs } from '../../url/query-pairs.ts';
import { placeOf } from '../../url/trap-class.ts';
import { BoundedMap } from '../bounded-map.ts';
import { fingerprint } from '../judge/fingerprint.ts';

/** Texts of one place: sources of the pages that led to them, and all others. */
interface TextRecord {
  sources: number;
  others: number;
}

export type SavedTexts = Readonly<Record<string, readonly [sources: number, others: number]>>;

/** As many as make the rest of a folder files, see file-memory; one text that is no source ends the belief. */
const SOURCES_MIN = 3;
/** A source has markup in place of the page's menus; a text that is much longer than the page says what the page does not. */
const LENGTH_MAX = 1.5;
const PAGES_MAX = 10_000;
const RECORDS_MAX = 2_000;

/** Sources by folder, by folder and ending, or by the parameter that asks for them. */
export class TextSources {
  private readonly records = new Map<string, TextRecord>();
  /** How much text a page has; not saved. */
  private readonly lengths = new BoundedMap<number, number>(PAGES_MAX);

  constructor(saved: SavedTexts = {}) {
    for (const [key, [sources, others]] of Object.entries(saved)) this.records.set(key, { sources, others });
  }

  /** Notes a page that could link its source. */
  observePage(url: string, textBytes: number): void {
    this.lengths.set(fingerprint(url), textBytes);
  }

  /** Notes a plain text of `bytes` that the page `parent` led to. */
  observeText(url: string, bytes: number, parent: string | undefined): void {
    const own = URL.parse(url);
    const page = parent === undefined ? null : URL.parse(parent);
    const length = parent === undefined ? undefined : this.lengths.get(fingerprint(parent));
    const source = own && page && length !== undefined && bytes <= length * LENGTH_MAX ? placeOfSource(own, page) : undefined;
    for (const key of own ? placesOf(own) : []) {
      const known = this.records.get(key);
      if (!known && key !== source) continue;
      const record = known ?? { sources: 0, others: 0 };
      if (source === undefined) record.others++;
      else if (key === source) record.sources++;
      if (this.records.size < RECORDS_MAX) this.records.set(key, record);
    }
  }

  /** Why `url` is taken for the source of a page, in words; undefined when nothing says so. */
  find(url: string): string | undefined {
    const parsed = this.records.size > 0 ? URL.parse(url) : null;
    for (const key of parsed ? placesOf(parsed) : []) {
      const record = this.records.get(key);
      if (record && record.others === 0 && record.sources >= SOURCES_MIN)
        return `${key}: ${record.sources} texts were the sources of the pages that link to them`;
    }
    return undefined;
  }

  toJSON(): SavedTexts {
    return Object.fromEntries([...this.records].map(([key, { sources, others }]) => [key, [sources, others] as const]));
  }
}

/** The place among those of `text` in which it differs from its page; undefined where nothing shows that it belongs to the page. */
function placeOfSource(text: URL, page: URL): string | undefined {
  if (text.host !== page.host) return undefined;
  if (text.pathname === page.pathname) {
    const pairs = new Set(queryPairs(page).map((pair) => pair.text));
    const names = new Set(queryPairs(page).map(({ name }) => name));
    const more = queryPairs(text).filter((pair) => !pairs.has(pair.text));
    const [asked] = more;
    const isSame = more.length === 1 && queryPairs(text).length >= names.size;
    return isSame && asked && asked.value !== '' ? placeOf(text, asked.text) : undefined;
  }
  if (stemOf(text.pathname) !== stemOf(page.pathname)) return undefined;
  const own = text.pathname.split('/');
  const other = page.pathname.split('/');
  const at = own.findIndex((part, i) => part !== other[i]);
  return at === own.length - 1 ? byEnding(text) : `${text.host}${own.slice(0, at + 1).join('/')}/`;
}

/** Where a text could lie, for all texts that do. */
function placesOf(url: URL): readonly string[] {
  const parts = url.pathname.split('/');
  const folders = parts.slice(1, -1).map((_, i) => `${url.host}${parts.slice(0, i + 2).join('/')}/`);
  const asked = queryPairs(url).filter(({ value }) => value !== '');
  return [...folders, byEnding(url), ...asked.map(({ text }) => placeOf(url, text))];
}

function byEnding({ host, pathname }: URL): string {
  const slash = pathname.lastIndexOf('/') + 1;
  const dot = pathname.indexOf('.', slash);
  return `${host}${pathname.slice(0, slash)}*${dot < 0 ? '' : pathname.slice(dot)}`;
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

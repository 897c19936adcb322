// Learns in which folders addresses with a file's ending are files: `/wiki/Ping.exe` is a page, `/pool/ping.exe` is none.
import { BoundedMap } from '../bounded-map.ts';
import { findEnding } from '../../url/file-type.ts';

/** What was seen of one ending in one folder and below it. */
interface FolderRecord {
  /** Answers that were pages. One of them proves that addresses with this ending can be pages here. */
  pages: number;
  /** Answers by their content type that were none. */
  files: number;
  /** Those among them that lay in the folder itself. */
  own: number;
  /** Names of folders directly in it that had any. */
  readonly below: Set<string>;
}

type SavedRecord = readonly [pages: number, files: number, own: number, below: readonly string[]];

/**
 * So many files in one folder, or in so many folders of one, make the rest of it files. Each costs a request that ends with its headers:
 * two would do in all listings that were measured, and a wiki whose first two pages of an ending are gone would lose the others.
 */
const FILES_MAX = 3;
/** Files of whatever ending, as many as end the widest class of addresses, see trap-memory: a new ending in such a folder is a file, too. */
const ALL_FILES_MAX = 5;
/** Stands for all endings. */
const ANY = '.*';
const RECORDS_MAX = 5_000;

/** Endings by folder. Only what the type of an answer showed counts, never what an ending says. */
export class FileMemory {
  private readonly records: BoundedMap<string, FolderRecord>;

  constructor(saved: Readonly<Record<string, SavedRecord>> = {}) {
    const entries = Object.entries(saved).map(
      ([key, [pages, files, own, below]]) => [key, { pages, files, own, below: new Set(below) }] as const,
    );
    this.records = new BoundedMap(RECORDS_MAX, entries);
  }

  /** Why `url` is taken for a file without being asked for; undefined when it must be asked. */
  find(url: string): string | undefined {
    const place = this.records.size > 0 ? placeOf(url) : undefined;
    if (!place) return undefined;
    for (const folder of place.folders) {
      const record = this.records.get(keyOf(place, folder));
      if (record && record.pages === 0 && (record.own >= FILES_MAX || record.below.size >= FILES_MAX))
        return `${place.ending}: ${record.files} of ${record.files} below ${folder} were no pages`;
      const all = this.records.get(keyOf({ ...place, ending: ANY }, folder));
      if (all && all.pages === 0 && all.own >= FILES_MAX && all.files >= ALL_FILES_MAX)
        return `${ANY}: ${all.files} of ${all.files} below ${folder} were no pages`;
    }
    return undefined;
  }

  /** The ending and folder of `url`, as long as no address with that ending was a page there. */
  findDoubt(url: string): string | undefined {
    const place = placeOf(url);
    if (!place || place.folders.some((folder) => (this.records.get(keyOf(place, folder))?.pages ?? 0) > 0)) return undefined;
    return keyOf(place, place.folders[0] ?? '/');
  }

  /** Notes what an address led to. Pages without a file's ending cost nothing. */
  observe(url: string, isPage: boolean): void {
    const place = placeOf(url);
    if (!place) return;
    for (const ending of [place.ending, ANY]) {
      place.folders.forEach((folder, i) => {
        const record = this.records.use(keyOf({ ...place, ending }, folder), newRecord);
        if (isPage) record.pages++;
        else record.files++;
        if (isPage) return;
        const inner = place.folders[i - 1];
        if (inner === undefined) record.own++;
        else if (record.below.size < FILES_MAX) record.below.add(inner.slice(folder.length));
      });
    }
  }

  toJSON(): Readonly<Record<string, SavedRecord>> {
    return Object.fromEntries(
      [...this.records].map(([key, { pages, files, own, below }]) => [key, [pages, files, own, [...below]] as const]),
    );
  }
}

const newRecord = (): FolderRecord => ({ pages: 0, files: 0, own: 0, below: new Set() });

/** An ending and the folders that it lies in. */
interface Place {
  readonly host: string;
  readonly ending: string;
  /** From the innermost out, each with a slash at its end. The root speaks only for the files that lie in it. */
  readonly folders: readonly string[];
}

function placeOf(url: string): Place | undefined {
  const ending = findEnding(url);
  const parsed = ending === undefined ? null : URL.parse(url);
  if (ending === undefined || !parsed) return undefined;
  const { pathname } = parsed;
  const folders: string[] = [];
  for (let slash = pathname.lastIndexOf('/'); slash > 0; slash = pathname.lastIndexOf('/', slash - 1))
    folders.push(pathname.slice(0, slash + 1));
  if (folders.length === 0) folders.push('/');
  return { host: parsed.host, ending, folders };
}

function keyOf({ host, ending }: Pick<Place, 'host' | 'ending'>, folder: string): string {
  return `${host}${folder} ${ending}`;
}

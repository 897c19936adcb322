// What changedetection.io writes: the archive of its backup, its database, and the JSON of its API.
import { isArchive, listEntries, unpackEntries } from '../../../extract/documents/archive.ts';
import { ExchangeError, objectIn, objectsIn, textIn } from '../../../run/exchange/untrusted.ts';
import { isMembers } from '../../../run/value.ts';
import type { Collector } from '../exchange.ts';
import { instanceOf } from './instance.ts';
import type { Instance, Watch } from './instance.ts';
import { readWatch } from './watch.ts';

type Members = Readonly<Record<string, unknown>>;

/** Of the archive: ten thousand watches with a history of some files each. */
const ENTRIES_MAX = 500_000;
/** What is read of it. */
const WANTED = /^(?:changedetection\.json|url-watches\.json|[^/]+\/(?:watch|tag|restock_diff)\.json)$/;
const WATCH_FILE = /^([^/]+)\/watch\.json$/;
const TAG_FILE = /^([^/]+)\/tag\.json$/;

/** Reads the ZIP archive of a backup, or one JSON file out of it. Throws ExchangeError, and PageError for an archive that is too large. */
export async function readBackup(bytes: Uint8Array, into: Collector): Promise<void> {
  if (!isArchive(bytes)) return readDatabase(parse(bytes, 'The file'), into);
  const entries = listEntries(bytes, ENTRIES_MAX);
  if (!entries) throw new ExchangeError('The archive is damaged, or not whole.');
  const files = new Map(
    [...(await unpackEntries(bytes, entries, (name) => WANTED.test(name)))].map(([name, content]) => [name, parse(content, name)]),
  );
  const database = files.get('changedetection.json') ?? files.get('url-watches.json');
  const watches = [...files].flatMap(([path, options]): Watch[] => {
    const folder = WATCH_FILE.exec(path)?.[1];
    return folder === undefined ? [] : [{ path, options, restock: restockIn(files.get(`${folder}/restock_diff.json`)) }];
  });
  const older = watchesIn(objectIn(files.get('url-watches.json') ?? {}, 'watching'), 'url-watches.json:watching.');
  const all = watches.length > 0 ? watches : older;
  if (all.length === 0 && !database) throw new ExchangeError('The archive is no backup of changedetection.io: there are no watches in it.');
  const tags = new Map([...files].flatMap(([path, tag]) => [TAG_FILE.exec(path)?.[1] ?? []].flat().map((uuid) => [uuid, tag] as const)));
  readAll(all, instanceOf(objectIn(database ?? {}, 'settings') ?? {}, tags), into);
}

/** Reads one watch, a list of them, or an object of them by their uuids, with `watches` and `tags` apart where they are. Throws ExchangeError. */
export function readApiJson(text: string, into: Collector): void {
  const file = parse(text, 'The file');
  const tags = new Map(
    Object.entries(objectIn(file, 'tags') ?? {}).flatMap(([uuid, tag]) => (isMembers(tag) ? [[uuid, tag] as const] : [])),
  );
  const apart = objectIn(file, 'watches') ?? objectIn(file, 'watching');
  const listed = objectsIn(file, 'list').map((options, place): Watch => ({ path: `[${place}]`, options, restock: undefined }));
  const single: Watch[] = textIn(file, 'url') === undefined ? [] : [{ path: '', options: file, restock: undefined }];
  const watches = [...single, ...listed, ...(single.length > 0 ? [] : watchesIn(apart ?? file, ''))];
  if (watches.length === 0) throw new ExchangeError('The JSON holds no watches: none of its objects has a "url".');
  const instance = instanceOf(objectIn(file, 'settings') ?? {}, tags);
  readAll(watches, instance, into);
}

function readDatabase(file: Members, into: Collector): void {
  const watches = watchesIn(objectIn(file, 'watching'), 'watching.');
  const single: Watch[] = textIn(file, 'url') === undefined ? [] : [{ path: '', options: file, restock: undefined }];
  if (watches.length + single.length === 0) throw new ExchangeError('The file is no backup of changedetection.io: it holds no watches.');
  readAll([...watches, ...single], instanceOf(objectIn(file, 'settings') ?? {}), into);
}

function watchesIn(list: Members | undefined, path: string): readonly Watch[] {
  return Object.entries(list ?? {}).flatMap(([uuid, options]) =>
    isMembers(options) && textIn(options, 'url') !== undefined ? [{ path: `${path}${uuid}`, options, restock: undefined }] : [],
  );
}

function restockIn(file: Members | undefined): Members | undefined {
  return file && (objectIn(file, 'restock_diff') ?? file);
}

function readAll(watches: readonly Watch[], instance: Instance, into: Collector): void {
  for (const watch of watches) readWatch(watch, instance, into);
}

/** An object; a list becomes the member `list` of one. */
function parse(content: Uint8Array | string, name: string): Members {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ExchangeError(`${name} is neither an archive nor JSON.`);
  }
  if (Array.isArray(value)) return { list: value };
  if (isMembers(value)) return value;
  throw new ExchangeError(`${name} is no JSON object.`);
}

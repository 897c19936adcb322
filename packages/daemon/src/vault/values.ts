// Sealed values, each with a version that a sealed index knows: one that was altered, moved, exchanged for an older one, taken out or put in is told apart.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@weft/contract';
import { SealError, openValue, sealValue } from '@weft/serve';
import type { SealPlace } from '@weft/serve';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { Ring } from './ring.ts';
import type { IndexRow, ValuePlace, ValueRow, ValueStore } from './store.ts';

export type { ValuePlace } from './store.ts';

/** A master key ring that is open, and whose vault it is of. */
export interface OpenRing {
  readonly vaultId: string;
  readonly ring: Ring;
}

/** Inside an open transaction each of them is a part of it. */
export interface Values {
  put(open: OpenRing, place: ValuePlace, plain: Uint8Array): void;
  /** What was put; undefined where nothing was. Throws AppError `internal` for a value that is not what was put. */
  find(open: OpenRing, place: ValuePlace): Buffer | undefined;
  remove(open: OpenRing, places: readonly ValuePlace[]): void;
  /** The places whose values are not those that were put. Their texts are not opened. */
  damaged(open: OpenRing): readonly ValuePlace[];
  /** Seals everything with the newest key, some at a time; false when the ring was wiped before the end. What does not open stays as it is. */
  sealAnew(open: OpenRing): Promise<boolean>;
}

/** Values that are sealed anew in one transaction. */
const AT_ONCE = 20;

/** The version of each value by its place, as `keyOf` writes it. */
type Versions = ReadonlyMap<string, number>;

interface Index {
  /** The highest version that was ever given. */
  readonly version: number;
  readonly versions: Versions;
}

const FIRST: ValuePlace = { owner: '', record: '', field: '' };
const INDEX_PLACE: ValuePlace = { owner: 'vault_index', record: '', field: '' };

export function createValues(store: ValueStore, { fast }: Database): Values {
  const readIndex = createIndexReader(store);
  const writeIndex = (open: OpenRing, version: number, versions: Versions) => {
    const epoch = open.ring.newest;
    const plain = Buffer.from(JSON.stringify([...versions]));
    store.putIndex({ version, epoch, sealed: seal(open, INDEX_PLACE, version, plain) });
  };
  return {
    put: (open, place, plain) =>
      transaction(fast, () => {
        const index = readIndex(open);
        const version = index.version + 1;
        store.put({ ...place, version, epoch: open.ring.newest, sealed: seal(open, place, version, plain) });
        writeIndex(open, version, new Map(index.versions).set(keyOf(place), version));
      }),
    find(open, place) {
      const row = store.find(place);
      const version = readIndex(open).versions.get(keyOf(place));
      if (!row && version === undefined) return undefined;
      const plain = row?.version === version && row ? tryOpen(open, row) : undefined;
      if (!plain) throw damagedValue(place);
      return plain;
    },
    remove: (open, places) =>
      transaction(fast, () => {
        const { version, versions } = readIndex(open);
        const left = new Map(versions);
        for (const place of places) {
          store.delete(place);
          left.delete(keyOf(place));
        }
        writeIndex(open, version + 1, left);
      }),
    damaged(open) {
      const missing = new Map(readIndex(open).versions);
      const wrong: ValuePlace[] = [];
      for (const row of store.places()) {
        if (missing.get(keyOf(row)) !== row.version || !open.ring.find(row.epoch)) wrong.push(row);
        missing.delete(keyOf(row));
      }
      return [...wrong, ...[...missing.keys()].map(placeOfKey)].map(({ owner, record, field }) => ({ owner, record, field }));
    },
    async sealAnew(open) {
      const epoch = open.ring.newest;
      for (let after = FIRST; ; await nextTurn()) {
        if (open.ring.isWiped) return false;
        const rows = store.ofOtherEpochs(epoch, after, AT_ONCE);
        const last = rows.at(-1);
        if (!last) break;
        transaction(fast, () => rows.forEach((row) => sealRowAnew(open, row, store)));
        after = last;
      }
      const { version, versions } = readIndex(open);
      if (store.findIndex()) writeIndex(open, version, versions);
      return true;
    },
  };
}

/** Reads the index, and reads the same one once: it is known by the tag at its end, whatever was rolled back meanwhile. */
function createIndexReader(store: ValueStore): (open: OpenRing) => Index {
  let known: { readonly tag: string; readonly ring: Ring; readonly index: Index } | undefined;
  return (open) => {
    const row = store.findIndex();
    const tag = row ? Buffer.from(row.sealed.subarray(-16)).toString('hex') : '';
    if (known?.tag === tag && known.ring === open.ring) return known.index;
    const index = row ? indexOf(open, row, store) : { version: highestOf(store), versions: new Map() };
    known = { tag, ring: open.ring, index };
    return index;
  };
}

/** An index that does not open knows nothing, so that every value is one that was put in by somebody else. */
function indexOf(open: OpenRing, row: IndexRow, store: ValueStore): Index {
  const plain = tryOpen(open, { ...INDEX_PLACE, ...row });
  if (!plain) return { version: Math.max(row.version, highestOf(store)), versions: new Map() };
  return { version: row.version, versions: new Map(JSON.parse(plain.toString()) as [string, number][]) };
}

function highestOf(store: ValueStore): number {
  return store.places().reduce((highest, { version }) => Math.max(highest, version), 0);
}

function sealRowAnew(open: OpenRing, row: ValueRow, store: ValueStore): void {
  const plain = tryOpen(open, row);
  if (!plain) return;
  store.put({ ...row, epoch: open.ring.newest, sealed: seal(open, row, row.version, plain) });
  plain.fill(0);
}

function seal(open: OpenRing, place: ValuePlace, version: number, plain: Uint8Array): Buffer {
  const epoch = open.ring.newest;
  const key = open.ring.find(epoch);
  if (!key) throw new AppError('vault_locked', 'The vault was locked in the middle of this; unlock it and send the call again.');
  return sealValue(key, sealPlace(open, place, epoch, version), plain);
}

function tryOpen(open: OpenRing, row: ValueRow): Buffer | undefined {
  const key = open.ring.find(row.epoch);
  if (!key) return undefined;
  try {
    return openValue(key, sealPlace(open, row, row.epoch, row.version), row.sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

function sealPlace({ vaultId }: OpenRing, { owner, record, field }: ValuePlace, epoch: number, version: number): SealPlace {
  return { vault: vaultId, table: owner, record, field, epoch, version };
}

function keyOf({ owner, record, field }: ValuePlace): string {
  return JSON.stringify([owner, record, field]);
}

function placeOfKey(key: string): ValuePlace {
  const [owner = '', record = '', field = ''] = JSON.parse(key) as string[];
  return { owner, record, field };
}

function damagedValue({ owner, record, field }: ValuePlace): AppError {
  return new AppError(
    'internal',
    `The ${field} of ${owner} ${record} is not what was kept: it was altered, or exchanged for an older one. Set it again, or restore the whole home from one copy.`,
  );
}

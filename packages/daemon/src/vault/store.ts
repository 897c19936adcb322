// Rows of sealed values, and of the index that knows the version of each.
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

/** Which value: whose, of which record, which of its fields. */
export interface ValuePlace {
  /** Such as `secret`. */
  readonly owner: string;
  readonly record: string;
  readonly field: string;
}

export interface ValueRow extends ValuePlace {
  readonly version: number;
  /** Of the master key that it is sealed with. */
  readonly epoch: number;
  readonly sealed: Uint8Array;
}

export type IndexRow = Pick<ValueRow, 'version' | 'epoch' | 'sealed'>;

export interface ValueStore {
  find(place: ValuePlace): ValueRow | undefined;
  put(row: ValueRow): void;
  delete(place: ValuePlace): void;
  fieldsOf(owner: string, record: string): readonly string[];
  recordsOf(owner: string): readonly string[];
  /** Every value without what is sealed. */
  places(): readonly Omit<ValueRow, 'sealed'>[];
  /** Values of another epoch, of those behind `after` in order of their places. */
  ofOtherEpochs(epoch: number, after: ValuePlace, limit: number): readonly ValueRow[];
  count(): number;
  countOfOtherEpochs(epoch: number): number;
  findIndex(): IndexRow | undefined;
  putIndex(row: IndexRow): void;
}

export function createValueStore({ fast }: Database): ValueStore {
  const find = fast.prepare('SELECT * FROM vault_value WHERE owner = ? AND record = ? AND field = ?');
  const put = fast.prepare('INSERT OR REPLACE INTO vault_value (owner, record, field, version, epoch, sealed) VALUES (?, ?, ?, ?, ?, ?)');
  const remove = fast.prepare('DELETE FROM vault_value WHERE owner = ? AND record = ? AND field = ?');
  const fieldsOf = fast.prepare('SELECT field FROM vault_value WHERE owner = ? AND record = ? ORDER BY field');
  const recordsOf = fast.prepare('SELECT DISTINCT record FROM vault_value WHERE owner = ? ORDER BY record');
  const places = fast.prepare('SELECT owner, record, field, version, epoch FROM vault_value ORDER BY owner, record, field');
  const others = fast.prepare(
    `SELECT * FROM vault_value WHERE epoch <> ? AND (owner, record, field) > (?, ?, ?) ORDER BY owner, record, field LIMIT ?`,
  );
  const count = fast.prepare('SELECT count(*) AS n FROM vault_value');
  const countOthers = fast.prepare('SELECT count(*) AS n FROM vault_value WHERE epoch <> ?');
  const findIndex = fast.prepare('SELECT version, epoch, sealed FROM vault_index');
  const putIndex = fast.prepare('INSERT OR REPLACE INTO vault_index (id, version, epoch, sealed) VALUES (1, ?, ?, ?)');
  return {
    find: ({ owner, record, field }) => find.get(owner, record, field) as ValueRow | undefined,
    put: (row) => void put.run(row.owner, row.record, row.field, row.version, row.epoch, row.sealed),
    delete: ({ owner, record, field }) => void remove.run(owner, record, field),
    fieldsOf: (owner, record) => allRows<{ field: string }>(fieldsOf, owner, record).map(({ field }) => field),
    recordsOf: (owner) => allRows<{ record: string }>(recordsOf, owner).map(({ record }) => record),
    places: () => allRows<Omit<ValueRow, 'sealed'>>(places),
    ofOtherEpochs: (epoch, after, limit) => allRows<ValueRow>(others, epoch, after.owner, after.record, after.field, limit),
    count: () => (count.get() as { n: number }).n,
    countOfOtherEpochs: (epoch) => (countOthers.get(epoch) as { n: number }).n,
    findIndex: () => findIndex.get() as IndexRow | undefined,
    putIndex: (row) => void putIndex.run(row.version, row.epoch, row.sealed),
  };
}

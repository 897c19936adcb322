// Exports that are under way, each on a connection and a snapshot of its own.
import { randomInt } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { writeRows } from '../export/write.ts';
import type { ExportRequest } from './messages.ts';

export interface Exports {
  open(request: ExportRequest): number;
  next(id: number): Promise<Uint8Array | undefined>;
  close(id: number): Promise<undefined>;
}

interface Session {
  readonly snapshot: DatabaseSync;
  readonly pieces: AsyncGenerator<Uint8Array>;
}

const CACHE_KB = 4000;
const ID_MAX = 2 ** 47;

export function createExports(databasePath: string): Exports {
  const sessions = new Map<number, Session>();
  return {
    open(request) {
      const snapshot = openSnapshot(databasePath);
      const source = { bodies: () => bodiesOf(snapshot, request) };
      // Never that of an export of a thread that was here before.
      const id = randomInt(ID_MAX);
      sessions.set(id, { snapshot, pieces: writeRows(source, request.format, request.options) });
      return id;
    },
    async next(id) {
      const { done, value } = (await sessions.get(id)?.pieces.next()) ?? { done: true, value: undefined };
      return done ? undefined : value;
    },
    async close(id) {
      const session = sessions.get(id);
      sessions.delete(id);
      await session?.pieces.return(undefined);
      session?.snapshot.close();
      return undefined;
    },
  };
}

/** A read transaction sees one moment from its first read on. */
function openSnapshot(databasePath: string): DatabaseSync {
  const snapshot = new DatabaseSync(databasePath, { readOnly: true });
  snapshot.exec(`PRAGMA cache_size = -${CACHE_KB}; BEGIN; SELECT count(*) FROM dataset`);
  return snapshot;
}

function* bodiesOf(snapshot: DatabaseSync, { datasetId, view }: ExportRequest): Generator<string> {
  const narrowed = typeof view === 'object' ? 'AND run_id = ?' : view === 'newest' ? 'AND is_newest = 1' : '';
  const statement = snapshot.prepare(`SELECT body FROM record WHERE dataset_id = ? ${narrowed} ORDER BY id`);
  // Rows without names take half the time; the body is the first of the one column.
  statement.setReturnArrays(true);
  const rows = typeof view === 'object' ? statement.iterate(datasetId, view.runId) : statement.iterate(datasetId);
  for (const row of rows) yield row['0'] as string;
}

// Exports that are under way, each on a connection and a snapshot of its own.
import { randomInt } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createHeldTexts } from '../export/held-texts.ts';
import type { LargeRow } from '../export/row.ts';
import { SMALL_ROW_BYTES } from '../export/row.ts';
import { writeRows } from '../export/write.ts';
import { createBodyReader } from '../store.ts';
import { select } from '../table/selection.ts';
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
/** Each export under way has one part here, one on its way, and one with its reader. */
const PART_BYTES = 1_048_576;
const ID_MAX = 2 ** 47;

export function createExports(databasePath: string): Exports {
  const sessions = new Map<number, Session>();
  const held = createHeldTexts();
  return {
    open(request) {
      const snapshot = openSnapshot(databasePath);
      const source = { rows: () => rowsOf(snapshot, request) };
      // Never that of an export of a thread that was here before.
      const id = randomInt(ID_MAX);
      sessions.set(id, { snapshot, pieces: writeRows(source, request.format, request.options, held) });
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

function* rowsOf(snapshot: DatabaseSync, selection: ExportRequest): Generator<string | LargeRow> {
  // The one column is the body of a small row and the id of a large one.
  const column = `iif(octet_length(body) <= ${SMALL_ROW_BYTES}, body, id)`;
  const [statement, values] = select(snapshot, selection).prepare(
    (condition) => `SELECT ${column} FROM record WHERE ${condition} ORDER BY id`,
  );
  const size = snapshot.prepare('SELECT octet_length(body) AS bytes FROM record WHERE id = ?');
  const whole = snapshot.prepare('SELECT body FROM record WHERE id = ?');
  const readBody = createBodyReader(snapshot);
  const largeRow = (id: number): LargeRow => ({
    parts: () => readBody(id, (size.get(id) as { bytes: number }).bytes, () => PART_BYTES),
    body: () => (whole.get(id) as { body: string }).body,
  });
  // Rows without names take half the time.
  statement.setReturnArrays(true);
  for (const { 0: found } of statement.iterate(values)) yield typeof found === 'number' ? largeRow(found) : (found as string);
}

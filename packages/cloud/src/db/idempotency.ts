// Where it is noted which keyed calls had their effect (D8): in the transaction of the effect itself.
import { randomBytes } from 'node:crypto';
import { LIMITS } from '@weft/contract';
import type { IdempotencyNote, IdempotencyStore } from '@weft/serve';
import type { Database } from './queries.ts';

const ALIVE = `at > now() - ${LIMITS.idempotencyHours} * interval '1 hour'`;

/** 32 bytes under `name` that all processes of one cloud share, made by whoever asks first. */
export async function sharedSecret({ rows, find }: Database, name: string): Promise<Uint8Array> {
  await rows('INSERT INTO secret (name, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, randomBytes(32)]);
  const kept = await find<{ bytes: Buffer }>('SELECT bytes FROM secret WHERE name = $1', [name]);
  if (!kept) throw new Error(`The secret "${name}" was deleted while it was read.`);
  return kept.bytes;
}

export function createIdempotencyStore({ rows, find, transaction }: Database, printKey: Uint8Array): IdempotencyStore {
  const findNote = async (id: string): Promise<IdempotencyNote | undefined> => {
    const row = await find<{ print: string; effect: unknown }>(`SELECT print, effect FROM idempotency WHERE id = $1 AND ${ALIVE}`, [id]);
    return row && { print: row.print, effect: row.effect ?? undefined };
  };
  return {
    printKey,
    find: findNote,
    once: (id, effect, noteOf) =>
      transaction(async () => {
        await rows(`DELETE FROM idempotency WHERE id = $1 AND NOT ${ALIVE}`, [id]);
        // Whoever comes at the same time waits here for the end of this transaction.
        const claimed = await rows('INSERT INTO idempotency (id, print) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1', [id, '']);
        const known = claimed.length === 0 ? await findNote(id) : undefined;
        if (known) return { isRepeated: true, note: known };
        const had = await effect();
        const note = noteOf(had);
        await rows('UPDATE idempotency SET print = $2, effect = $3 WHERE id = $1', [
          id,
          note.print,
          note.effect === undefined ? null : JSON.stringify(note.effect),
        ]);
        return { isRepeated: false, effect: had };
      }),
  };
}

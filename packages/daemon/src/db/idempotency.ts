// Where it is noted which keyed calls had their effect (D8): in the transaction of the effect itself.
import { LIMITS } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { IdempotencyNote, IdempotencyStore } from '@weft/serve';
import type { Database } from './open.ts';
import { durably } from './open.ts';

const KEPT_MS = LIMITS.idempotencyHours * 3_600_000;

/** A store whose effects must be synchronous, as every transaction here. */
export function createIdempotencyStore({ fast }: Database, clock: Clock, printKey: Uint8Array): IdempotencyStore {
  const findRow = fast.prepare('SELECT print, effect FROM idempotency WHERE id = ? AND created_at > ?');
  const save = fast.prepare('INSERT OR REPLACE INTO idempotency (id, print, effect, created_at) VALUES (?, ?, ?, ?)');
  const prune = fast.prepare('DELETE FROM idempotency WHERE created_at <= ?');
  const find = (id: string): IdempotencyNote | undefined => {
    const row = findRow.get(id, clock.now() - KEPT_MS) as { print: string; effect: string | null } | undefined;
    return row && { print: row.print, effect: row.effect === null ? undefined : (JSON.parse(row.effect) as unknown) };
  };
  return {
    printKey,
    find,
    once: (id, work, noteOf) =>
      durably(fast, () => {
        const known = find(id);
        if (known) return { isRepeated: true, note: known };
        const effect = work();
        if (effect instanceof Promise) throw new Error('An effect that is awaited is no part of its transaction.');
        const note = noteOf(effect);
        prune.run(clock.now() - KEPT_MS);
        save.run(id, note.print, note.effect === undefined ? null : JSON.stringify(note.effect), clock.now());
        return { isRepeated: false, effect };
      }),
  };
}

// Where answers to `Idempotency-Key` calls are kept (D8).
import { LIMITS } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { IdempotencyStore, StoredReply } from '@weft/serve';
import type { Database } from './open.ts';

const KEPT_MS = LIMITS.idempotencyHours * 3_600_000;

export function createIdempotencyStore({ durable }: Database, clock: Clock): IdempotencyStore {
  const find = durable.prepare('SELECT body_hash, status, body FROM idempotency WHERE id = ? AND created_at > ?');
  const save = durable.prepare('INSERT OR REPLACE INTO idempotency (id, body_hash, status, body, created_at) VALUES (?, ?, ?, ?, ?)');
  const prune = durable.prepare('DELETE FROM idempotency WHERE created_at <= ?');
  return {
    find(id) {
      const row = find.get(id, clock.now() - KEPT_MS) as { body_hash: string; status: number; body: string } | undefined;
      return row && ({ bodyHash: row.body_hash, status: row.status, body: row.body } satisfies StoredReply);
    },
    save(id, reply) {
      prune.run(clock.now() - KEPT_MS);
      save.run(id, reply.bodyHash, reply.status, reply.body, clock.now());
    },
  };
}

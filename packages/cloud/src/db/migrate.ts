// Brings the schema up to date, once for all processes that start at the same time.
import { setTimeout as pause } from 'node:timers/promises';
import { fence } from './fence.ts';
import type { Database } from './queries.ts';
import { MIGRATIONS } from './migrations.ts';

/** A number of ours, so that two processes never migrate at once; held for the transaction alone. */
const MIGRATING = 7_133_851;

/** A table that others use is waited for so long; they wait behind whoever waits for it, and less than it takes to find a deadlock. */
const LOCK_MS = 300;
const TRIES = 200;
const PAUSE_MS = 300;
/** PostgreSQL, Appendix A: a lock that was not had in time, and a deadlock. */
const IN_THE_WAY: readonly unknown[] = ['55P03', '40P01'];

/** Applies what is missing, in one transaction. Throws where the schema is of a later program. */
export async function migrate(database: Database): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await migrateOnce(database);
    } catch (error) {
      const { code } = (error ?? {}) as { readonly code?: unknown };
      if (tries >= TRIES || !IN_THE_WAY.includes(code)) throw error;
      // Programs of the release before are at work, and go first.
      await pause(PAUSE_MS);
    }
  }
}

async function migrateOnce(database: Database): Promise<void> {
  const { transaction, rows, find } = database;
  await transaction(async () => {
    await rows('SELECT pg_advisory_xact_lock($1)', [MIGRATING]);
    await rows('CREATE TABLE IF NOT EXISTS migration (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())');
    const { version } = (await find<{ version: number }>('SELECT coalesce(max(version), 0) AS version FROM migration')) ?? { version: 0 };
    if (version > MIGRATIONS.length)
      throw new Error(`The database is of a later Weft (schema ${version}; this one knows ${MIGRATIONS.length}). Start that one.`);
    if (version === MIGRATIONS.length) return;
    await rows(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    for (const [i, statements] of MIGRATIONS.entries()) {
      if (i < version) continue;
      await rows(statements);
      await rows('INSERT INTO migration (version) VALUES ($1)', [i + 1]);
    }
    await fence(database);
  });
}

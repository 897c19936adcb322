// Brings the schema up to date, once for all processes that start at the same time.
import { fence } from './fence.ts';
import { givingWay, waitBriefly } from './give-way.ts';
import type { Database } from './queries.ts';
import { MIGRATIONS } from './migrations.ts';

/** A number of ours, so that two processes never migrate at once; held for the transaction alone. */
const MIGRATING = 7_133_851;

/** Applies what is missing, in one transaction. Throws where the schema is of a later program. */
export async function migrate(database: Database): Promise<void> {
  // Programs of the release before are at work, and go first.
  await givingWay(() => migrateOnce(database));
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
    await waitBriefly(database);
    for (const [i, statements] of MIGRATIONS.entries()) {
      if (i < version) continue;
      await rows(statements);
      await rows('INSERT INTO migration (version) VALUES ($1)', [i + 1]);
    }
    await fence(database);
  });
}

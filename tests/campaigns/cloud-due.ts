// What the cloud does with much at once. Targets: 100,000 of them are due, and processes claim them in sets until none is left.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { createTargetClaims } from '../../packages/cloud/src/targets/claims.ts';
import { createTargets } from '../../packages/cloud/src/targets/target.ts';

/** Why the tests leave it out. */
export const needs = 'minutes of two cores';

/** A hundred rounds, as a campaign has unless said, are 100,000 targets. */
const TARGETS_A_ROUND = 1000;
/** Each with connections of its own, as a process has. */
const PROCESSES = 4;
/** Places that a process has free. */
const SET = 16;

/** One round is a thousand targets that are due. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-due-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const databases = await Promise.all(Array.from({ length: PROCESSES }, () => openDatabase(server.url)));
  try {
    const [database] = databases;
    assert.ok(database);
    const all = rounds * TARGETS_A_ROUND;
    await makeDue(database, all);
    const done = await Promise.all(databases.map(claimAll));
    const claimed = done.flatMap((one) => one.claimed);
    const seconds = Math.max(...done.map((one) => one.claimMs)) / 1000;
    assert.equal(claimed.length, all, 'each is claimed');
    assert.equal(new Set(claimed).size, all, 'and none twice');
    const perSecond = Math.round(all / seconds);
    log(
      `${all} due targets claimed by ${PROCESSES} processes in sets of ${SET}: ${seconds.toFixed(1)} s, ${perSecond} a second, none twice`,
    );
  } finally {
    await Promise.all(databases.map((database) => database.close()));
    await server.stop();
    rmSync(home, { recursive: true });
  }
}

/** Copies of one target that was made as any is. */
async function makeDue(database: Database, count: number): Promise<void> {
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const { id: accountId } = await openAccount('campaign', 1, ports);
  const id = await createTargets(database).create(accountId, { url: 'http://site.test/', selectors: [{ selector: '#price' }] });
  await database.rows(
    `INSERT INTO target (id, account_id, name, url, definition, selectors, parts, active, state, cadence, scheduled_at, due_at)
     SELECT id || n, account_id, name, url, definition, selectors, parts, active, state, cadence, scheduled_at, now() - random() * interval '1 hour'
     FROM target, generate_series(2, $2::int) AS n WHERE id = $1`,
    [id, count],
  );
  await database.rows('ANALYZE target');
}

/** Claims until none is due; each is due again only once its lease is over, and is given a day here. */
async function claimAll(database: Database): Promise<{ readonly claimed: readonly number[]; readonly claimMs: number }> {
  const claims = createTargetClaims(database, createCredits(database));
  const claimed: number[] = [];
  let claimMs = 0;
  for (;;) {
    const startedMs = performance.now();
    const taken = await claims.claim(SET);
    claimMs += performance.now() - startedMs;
    if (taken.length === 0) return { claimed, claimMs };
    const numbers = taken.map(({ target }) => target.number);
    claimed.push(...numbers);
    await database.rows(`UPDATE target SET due_at = now() + interval '1 day' WHERE number = ANY($1)`, [numbers]);
  }
}

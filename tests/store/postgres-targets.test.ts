// The cloud's stores of checks and deliveries: the suites of the agent's, on PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { FIRST_CADENCE } from '@weft/engine';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { createTargetCheckStore } from '../../packages/cloud/src/targets/checks.ts';
import { createTargetClaims } from '../../packages/cloud/src/targets/claims.ts';
import type { TargetClaim } from '../../packages/cloud/src/targets/claims.ts';
import { createTargetRuns } from '../../packages/cloud/src/targets/runs.ts';
import { createTargets } from '../../packages/cloud/src/targets/target.ts';
import { createDeliveryRows } from '../../packages/cloud/src/webhooks/outbox.ts';
import { createQueues } from '../../packages/cloud/src/webhooks/queues.ts';
import { testDatabase } from '../cloud.ts';
import { checkStoreSuite, outcomeOf } from './check-store-suite.ts';
import { deliveryStoreSuite } from './delivery-store-suite.ts';

const ACCOUNT = 'acct_test';
const COLLECTED_MAX = 3;

suite('targets and webhooks on PostgreSQL', { timeout: 600_000 }, () => {
  const made = { close: async () => undefined } as { database?: Database; close(): Promise<void> };

  before(async () => {
    const own = await testDatabase();
    const database = await openDatabase(own.url);
    await database.rows(`INSERT INTO account (id, name) VALUES ('${ACCOUNT}', 'test'), ('acct_other', 'other')`);
    made.database = database;
    made.close = async () => {
      await database.close();
      await own[Symbol.asyncDispose]();
    };
  });

  after(() => made.close());

  function opened(): Database {
    if (!made.database) throw new Error('The database is made before the tests.');
    return made.database;
  }

  async function numberOf(id: string): Promise<number> {
    return (await opened().find<{ number: number }>('SELECT number FROM target WHERE id = $1', [id]))?.number ?? 0;
  }

  async function idOf(number: number): Promise<string> {
    return (await opened().find<{ id: string }>('SELECT id FROM target WHERE number = $1', [number]))?.id ?? '';
  }

  async function newTarget(): Promise<number> {
    const body = { url: 'http://site.test/', active: false, selectors: [{ selector: '.x' }] };
    return await numberOf(await createTargets(opened()).create(ACCOUNT, body));
  }

  function storeFor(accountId: string) {
    return createTargetCheckStore({
      database: opened(),
      accountId,
      isHeld: (row, run) => row.run === run,
      runOf: (run) => ({ id: `run_${run}`, trigger: 'call' }),
      finish: async () => ({ credits: 1, isLaneLimited: false, cadence: FIRST_CADENCE, dueAt: undefined }),
    });
  }

  /** A live run of a target, under a claim. */
  async function addRun(target: number): Promise<number> {
    const row = await opened().find<{ run: number }>(
      `UPDATE target SET claim = nextval('target_claim'), run = nextval('target_run_number') WHERE number = $1 RETURNING run`,
      [target],
    );
    return row?.run ?? 0;
  }

  checkStoreSuite('checks in PostgreSQL', async () => {
    const count = async (from: string, id: number) =>
      (await opened().find<{ n: number }>(`SELECT count(*) AS n FROM ${from} = $1`, [id]))?.n ?? 0;
    return {
      store: storeFor(ACCOUNT),
      nowMs: Date.now(),
      addMonitor: newTarget,
      editMonitor: async (id) => void (await createTargets(opened()).update(ACCOUNT, await idOf(id), { filter: { ignore: ['a'] } })),
      removeMonitor: async (id) => await createTargets(opened()).delete(ACCOUNT, await idOf(id)),
      addRun,
      counts: async (id) => ({
        changes: await count('target_change WHERE target', id),
        checks: await count('target_run WHERE target', id),
        records: await count('target_record WHERE target', id),
        contents: await count('target_snapshot_part p JOIN target_snapshot s ON s.number = p.snapshot WHERE s.target', id),
      }),
      [Symbol.asyncDispose]: async () => void (await opened().rows('DELETE FROM target')),
    };
  });

  test('a target is no subject for another account, and its check is kept by none', async () => {
    const id = await newTarget();
    assert.equal(await storeFor('acct_other').load(id), undefined);
    const subject = await storeFor(ACCOUNT).load(id);
    assert.ok(subject);
    assert.equal(await storeFor('acct_other').save(await addRun(id), outcomeOf(subject, Date.now(), 'a')), 'gone');
  });

  test('a check whose claim another process has taken over leaves nothing behind', async () => {
    const id = await newTarget();
    const subject = await storeFor(ACCOUNT).load(id);
    assert.ok(subject);
    const lost = await addRun(id);
    await addRun(id);
    assert.equal(await storeFor(ACCOUNT).save(lost, outcomeOf(subject, Date.now(), 'a')), 'gone');
    assert.deepEqual(await opened().rows('SELECT 1 FROM target_run WHERE target = $1', [id]), []);
  });

  test('two processes claim what is due in sets, each target once, those that somebody waits for first', async () => {
    const database = opened();
    const claims = createTargetClaims(database, createCredits(database));
    await database.rows('DELETE FROM target');
    const numbers = [await newTarget(), await newTarget(), await newTarget(), await newTarget()];
    await database.rows(`UPDATE target SET due_at = now() - interval '1 hour', rank = CASE WHEN number = $1 THEN 0 ELSE 1 END`, [
      numbers[3],
    ]);
    const [first = []] = [await claims.claim(1)];
    assert.deepEqual(
      first.map(({ target }) => target.number),
      [numbers[3]],
    );
    const both = (await Promise.all([claims.claim(2), claims.claim(2)])).flat();
    const taken = [...first, ...both].map(({ target }) => target.number);
    assert.equal(new Set(taken).size, taken.length);
    const rest = await claims.claim(10);
    assert.deepEqual([...taken, ...rest.map(({ target }) => target.number)].toSorted(), numbers.toSorted());
    assert.deepEqual(await claims.claim(10), []);
  });

  test('accounts take turns while more is due than a process has places for', async () => {
    const database = opened();
    const claims = createTargetClaims(database, createCredits(database));
    await database.rows('DELETE FROM target');
    for (let i = 0; i < 6; i++) await newTarget();
    // The others come late, and behind a hundred that were due before.
    const add = `INSERT INTO target (id, account_id, name, url, definition, selectors, parts, active, state, cadence, scheduled_at, due_at)
      SELECT $1 || i, $2, name, url, definition, selectors, parts, true, state, cadence, now(), now() - $4 * interval '1 second'
      FROM generate_series(1, $3) i, (SELECT * FROM target LIMIT 1) one`;
    await database.rows(`INSERT INTO account (id, name) VALUES ('acct_third', 'third') ON CONFLICT DO NOTHING`);
    await database.rows(add, ['tgt_many', ACCOUNT, 100, 3600]);
    await database.rows(add, ['tgt_other', 'acct_other', 1, 2]);
    await database.rows(add, ['tgt_third', 'acct_third', 2, 1]);
    const taken: TargetClaim[] = [];
    for (let places = 0; places < 7; places++) taken.push(...(await claims.claim(1)));
    const of = (account: string) => taken.filter(({ target }) => target.account_id === account).length;
    assert.deepEqual([taken.length, of('acct_other'), of('acct_third')], [7, 1, 2]);
    await database.rows('DELETE FROM target');
  });

  test('what is older than an account keeps goes, but for what is known now', async () => {
    const database = opened();
    const runs = createTargetRuns(database, createCredits(database));
    await database.rows('DELETE FROM target');
    await database.rows(`UPDATE account SET retention_days = 7 WHERE id = $1`, [ACCOUNT]);
    const number = await newTarget();
    const ages = [20, 9, 8];
    for (const days of ages) {
      const at = `now() - interval '${days} days'`;
      await database.rows(
        `INSERT INTO target_run (number, id, account_id, target, trigger, status, created_at, finished_at)
         VALUES (nextval('target_run_number'), 'run_${days}', '${ACCOUNT}', $1, 'schedule', 'succeeded', ${at}, ${at})`,
        [number],
      );
      await database.rows(
        `INSERT INTO target_record (target, account_id, key, run_id, body, created_at) VALUES ($1, '${ACCOUNT}', 'price', 'run_${days}', '{}', ${at})`,
        [number],
      );
      await database.rows(
        `INSERT INTO target_change (id, target, account_id, run_id, kind, summary, created_at) VALUES ('chg_${days}', $1, '${ACCOUNT}', 'run_${days}', 'changed', 'x', ${at})`,
        [number],
      );
      await database.rows(
        `INSERT INTO target_snapshot (id, target, account_id, run_id, url, created_at) VALUES ('snp_${days}', $1, '${ACCOUNT}', 'run_${days}', 'x', ${at})`,
        [number],
      );
    }
    const left = async (table: string) =>
      (await database.rows<{ run_id: string }>(`SELECT run_id FROM ${table} WHERE target = $1`, [number])).map(({ run_id: id }) => id);
    await runs.prune();
    assert.deepEqual(await Promise.all(['target_record', 'target_snapshot', 'target_change'].map(left)), [['run_8'], ['run_8'], []]);
    assert.deepEqual(await database.rows('SELECT 1 FROM target_run WHERE target = $1', [number]), []);
    await database.rows(`UPDATE account SET retention_days = 30 WHERE id = $1`, [ACCOUNT]);
  });

  test('a claim that nobody keeps alive goes to another process, and counts as lost; the old one keeps nothing', async () => {
    const database = opened();
    const claims = createTargetClaims(database, createCredits(database));
    await database.rows('DELETE FROM target');
    const number = await newTarget();
    await database.rows(`UPDATE target SET due_at = now() - interval '1 second'`);
    const [dead] = await claims.claim(1);
    assert.ok(dead);
    assert.deepEqual([...(await claims.keepAlive([dead]))], [dead.claim]);
    await database.rows(`UPDATE target SET due_at = now() - interval '1 second' WHERE number = $1`, [number]);
    const [next] = await claims.claim(1);
    assert.deepEqual([next?.run, next?.losses], [dead.run, 1]);
    assert.deepEqual([...(await claims.keepAlive([dead]))], []);
    await claims.giveBack(dead);
    assert.deepEqual(await claims.claim(1), [], 'what was lost gives nothing back');
  });

  deliveryStoreSuite('PostgreSQL', async () => {
    const database = opened();
    const rows = createDeliveryRows(database);
    const open = () => createQueues(database, { onDisabled: async () => undefined });
    const delivery = (webhookId: string, event: string) => ({
      webhookId,
      event,
      subject: { kind: 'account' as const },
      data: { message: event },
      // Each is another.
      dedupeKey: String((keys += 1)),
      nowMs: 0,
    });
    return {
      store: open(),
      again: open,
      async addChannel(name) {
        const id = `hook_${(keys += 1)}`;
        await database.rows(`INSERT INTO webhook (id, account_id, url, description, secret) VALUES ($1, $2, 'https://a.test/', $3, '')`, [
          id,
          ACCOUNT,
          name,
        ]);
        return id;
      },
      queue: async (id, dueMs, event) => (await rows.queue(ACCOUNT, [delivery(id, event)], dueMs))[0] ?? '',
      collect: async (id, dueMs, event) => await rows.collect(ACCOUNT, delivery(id, event), dueMs, COLLECTED_MAX),
      mute: async (id, untilMs) => void (await database.rows('UPDATE webhook SET muted_until = $2 WHERE id = $1', [id, untilMs])),
      enable: async (id, isEnabled) => void (await database.rows('UPDATE webhook SET is_enabled = $2 WHERE id = $1', [id, isEnabled])),
      deleteChannel: async (id) => void (await database.rows('DELETE FROM webhook WHERE id = $1', [id])),
      async look(id) {
        const found = await database.find<{ number: number; status: string }>('SELECT number, status FROM delivery WHERE id = $1', [id]);
        if (!found) return undefined;
        const tries = await database.rows('SELECT 1 FROM delivery_try WHERE delivery = $1', [found.number]);
        return { status: found.status, tries: tries.length };
      },
      close: async () => void (await database.rows('DELETE FROM webhook')),
    };
  });
});

let keys = 0;

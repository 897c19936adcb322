import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createRobotsSources } from '@weft/engine';
import { createAddressGate, systemClock } from '@weft/engine/io';
import type { HostGate, LineClock } from '@weft/engine';
import { openFrontier } from '../../packages/cloud/src/crawl/frontier.ts';
import type { KeptResult } from '../../packages/cloud/src/crawl/ledger-change.ts';
import { keepPages, pageCopiesOf } from '../../packages/cloud/src/crawl/pages.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import type { Database } from '../../packages/cloud/src/db/queries.ts';
import { createHostLeases } from '../../packages/cloud/src/hosts/host-leases.ts';
import { HOST_LEASE_MS, LeaseGate } from '../../packages/cloud/src/hosts/lease-gate.ts';
import { createSharedRobots } from '../../packages/cloud/src/hosts/shared-robots.ts';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { testDatabase } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import { frontierStoreSuite } from './frontier-store-suite.ts';
import type { LedgerEntry } from './frontier-store-suite.ts';
import { hostGateSuite, hostLineSuite } from './host-gate-suite.ts';
import { pageCopiesSuite } from './page-copies-suite.ts';

suite('stores on PostgreSQL', { timeout: 600_000 }, () => {
  const made = { close: async () => undefined } as { database?: Database; close(): Promise<void> };
  let crawls = 0;

  before(async () => {
    const own = await testDatabase();
    const database = await openDatabase(own.url);
    await database.rows(`INSERT INTO account (id, name) VALUES ('acct_test', 'test')`);
    made.database = database;
    made.close = async () => {
      await database.close();
      await own[Symbol.asyncDispose]();
    };
  });

  after(async () => {
    await Promise.all(gates.map((gate) => gate.close()));
    await made.close();
  });

  function opened(): Database {
    if (!made.database) throw new Error('The database is made before the tests.');
    return made.database;
  }

  /** A new crawl; its number. */
  async function newCrawl(accountId = 'acct_test'): Promise<number> {
    const row = await opened().find<{ number: number }>(
      `INSERT INTO crawl (id, account_id, url, options, hold_id, budget, pages_max) VALUES ($1, $2, 'https://shop.test/', '{}', 'hold_test', 0, 1)
     RETURNING number`,
      [`crl_${(crawls += 1)}`, accountId],
    );
    return row?.number ?? 0;
  }

  frontierStoreSuite('PostgreSQL', async () => {
    const database = opened();
    const crawl = await newCrawl();
    const results: string[] = [];
    const keep = async (kept: readonly KeptResult<string>[]) => void results.push(...kept.map(({ result }) => result));
    const open = () => openFrontier<string>(database, crawl, { mayOpen: async () => undefined, keep });
    return {
      store: open(),
      again: async () => open(),
      async ledger() {
        const lines = await database.rows<Record<string, unknown>>(
          `SELECT url, state AS outcome, reason, rule, parent, source, depth, status, final_url, content_hash FROM crawl_url
         WHERE crawl = $1 ORDER BY id`,
          [crawl],
        );
        return lines.map(({ final_url: finalUrl, content_hash: contentHash, ...line }) => {
          const entry = Object.entries({ ...line, finalUrl, contentHash }).map(([name, value]) => [name, value ?? undefined]);
          return Object.fromEntries(entry) as LedgerEntry;
        });
      },
      results: async () => results,
      close: async () => undefined,
    };
  });

  pageCopiesSuite('PostgreSQL', async () => {
    const database = opened();
    const owner = { accountId: 'acct_test', crawl: await newCrawl() };
    let urlId = 0;
    return {
      copies: pageCopiesOf(database, owner.accountId),
      keep: (result) => database.transaction(() => keepPages(database, owner, [{ urlId: (urlId += 1), outcome: 'fetched', result }])),
      deleteRecords: async () => void (await database.rows('DELETE FROM crawl_page')),
      close: async () => void (await database.rows('DELETE FROM crawl_page')),
    };
  });

  const NEVER_MS = 2 ** 30;
  let holders = 0;
  const gates: LeaseGate[] = [];
  /** Statements under way. */
  let asking = 0;

  /** `database`, which counts what it is asked. */
  function counted(database: Database): Database {
    const count =
      <Values extends unknown[], Result>(call: (...values: Values) => Promise<Result>) =>
      async (...values: Values) => {
        asking += 1;
        try {
          return await call(...values);
        } finally {
          asking -= 1;
        }
      };
    // Counting changes nothing of what is asked or answered.
    const [rows, find, transaction] = [database.rows, database.find, database.transaction].map((call) =>
      count(call as () => Promise<unknown>),
    );
    return { ...database, rows, find, transaction } as Database;
  }

  /** Lets everything happen that waits for no time but the database's. */
  async function turns(): Promise<void> {
    for (let quiet = 0; quiet < 20; quiet = asking > 0 ? 0 : quiet + 1) await setImmediate();
  }

  /** A gate as a process has one. */
  function leaseGate(clock: LineClock, { leaseMs = HOST_LEASE_MS, beatMs = NEVER_MS } = {}): LeaseGate {
    const leases = createHostLeases(counted(opened()), `holder ${(holders += 1)}`, leaseMs);
    const logError = (message: string, error: unknown) => assert.fail(`${message}: ${String(error)}`);
    const gate = new LeaseGate({ leases, clock, beatMs, leaseMs: NEVER_MS, tenureMs: 0, logError });
    gates.push(gate);
    return gate;
  }

  /** `gate` with hosts of its own: each test begins with hosts that nobody has asked. */
  function apart(gate: HostGate, number = (holders += 1)): HostGate {
    const mine = `${number} `;
    return {
      take: (host, limits, signal, onWait) => gate.take(mine + host, limits, signal, onWait),
      learnGap: (host, gapMs) => gate.learnGap(mine + host, gapMs),
      restOf: (host) => gate.restOf(mine + host),
    };
  }

  hostGateSuite(
    'the lines of a process that holds a host by a row',
    (clock) => {
      const gate = apart(leaseGate(clock));
      return [gate, gate];
    },
    turns,
  );

  hostLineSuite(
    'turns at a host that goes from one process to the next',
    (clock) => {
      const mine = (holders += 1);
      return [leaseGate(clock, { beatMs: 50 }), leaseGate(clock, { beatMs: 50 })].map((gate) => apart(gate, mine)) as [HostGate, HostGate];
    },
    turns,
  );

  const TWO = { inFlightMax: 2, gapMs: 0 };
  const OK = { status: 200, retryAtMs: undefined };
  const never = new AbortController().signal;

  test('of two processes never both ask a host, and each gets its turn', async () => {
    const both = [leaseGate(systemClock, { beatMs: 20 }), leaseGate(systemClock, { beatMs: 20 })];
    const asked: number[] = [];
    const inFlight = [0, 0];
    let least = 0;
    const work = both.map(async (gate, mine) => {
      while (least < 10) {
        const grant = await gate.take('https://both.test', TWO, never);
        assert.ok(grant);
        inFlight[mine] = (inFlight[mine] ?? 0) + 1;
        assert.equal(inFlight[1 - mine], 0, 'two processes ask one host');
        asked.push(mine);
        least = Math.min(asked.filter((one) => one === 0).length, asked.filter((one) => one === 1).length);
        await setImmediate();
        inFlight[mine] -= 1;
        await grant.end(OK);
      }
    });
    await Promise.all(work);
    await Promise.all(both.map((gate) => gate.close()));
  });

  test('who waits when a process stops gets no place, and what it held is free', async () => {
    const host = 'https://stopping.test';
    const gate = leaseGate(systemClock);
    const held = await gate.take(host, { inFlightMax: 1, gapMs: 0 }, never);
    const waits = gate.take(host, { inFlightMax: 1, gapMs: 0 }, never);
    await setImmediate();
    await gate.close();
    assert.equal(await waits, undefined);
    await held?.end(OK);
    assert.deepEqual(await opened().rows('SELECT holder FROM host_lease WHERE host = $1', [host]), [{ holder: null }]);
  });

  test('a process that had nothing for a while gives on what it has then', async () => {
    const host = 'https://again.test';
    const both = [leaseGate(systemClock, { beatMs: 5 }), leaseGate(systemClock, { beatMs: 5 })];
    const isHeld = async () => (await opened().rows('SELECT 1 FROM host_lease WHERE host = $1 AND holder IS NOT NULL', [host])).length > 0;
    for (let turn = 0; turn < 6; turn++) {
      await (await both[turn % 2]?.take(host, TWO, never))?.end(OK);
      while (await isHeld());
    }
    await Promise.all(both.map((gate) => gate.close()));
  });

  test('a process goes on with what another has learnt of a host, and with its gap where that one died', async () => {
    const host = 'https://learnt.test';
    const first = leaseGate(systemClock);
    await (await first.take(host, TWO, never))?.end({ status: 429, retryAtMs: systemClock.steadyMs() + 3_600_000 });
    await first.close();
    const next = leaseGate(systemClock);
    assert.ok((await next.restOf(host)).blockedUntilMs > systemClock.steadyMs() + 3_000_000);
    assert.equal(await next.take(host, TWO, never), undefined);
    const slow = 'https://slow.test';
    const dead = createHostLeases(opened(), 'dead', 1);
    const lease = await dead.acquire(slow, systemClock.steadyMs());
    assert.ok(lease);
    await dead.renew([{ host: slow, state: { ...lease.state, ownGapMs: 7_000_000 }, turns: lease.turns }], systemClock.steadyMs());
    const untilMs = systemClock.steadyMs() + 60_000;
    assert.equal(await next.take(slow, { ...TWO, untilMs }, never), undefined);
    assert.ok((await next.restOf(slow)).restsUntilMs > systemClock.steadyMs() + 6_000_000);
  });

  test('two processes ask a host for its robots.txt once, and both keep what it asks for', async () => {
    const body = 'User-agent: *\nDisallow: /private/\nCrawl-delay: 60\n';
    const site = await startRawServer({ '/robots.txt': reply({ headers: { 'Content-Type': 'text/plain' }, body }) });
    const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'public', privateTargets: [`127.0.0.1:${site.port}`] }) });
    const shared = createSharedRobots(opened());
    for (let process = 0; process < 2; process++) {
      const gate = leaseGate(systemClock, { beatMs: 20 });
      const robots = createRobotsSources({ fetcher, clock: systemClock, gate, shared, agent: 'WeftBot' })([]);
      const { access, groups } = await robots.rulesFor(site.origin, never);
      assert.deepEqual([access, groups[0]?.rules[0]?.text], ['rules', 'Disallow: /private/']);
      assert.ok((await gate.restOf(site.origin)).restsUntilMs > systemClock.steadyMs());
      await gate.close();
    }
    assert.deepEqual(
      site.requests.map(({ path }) => path),
      ['/robots.txt'],
    );
    await fetcher.close();
    await site.close();
  });
});

// Hosts fail in all their ways, alone, many at once, and all together: no change is told, each trouble once with its end, and nobody else is late (D36).
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@weft/engine';
import { createAddressGate } from '@weft/engine/io';
import type { Monitor } from '@weft/contract';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { fastClock } from '../fast-clock.ts';
import { SECRET } from '../noticing.ts';
import { FAILINGS, startFailingHosts } from '../sites/failing-hosts.ts';
import type { FailingHost } from '../sites/failing-hosts.ts';
import { serveReceiver } from '../sites/receiver.ts';

/** Its clock runs sixty times as fast as the machine's, so whatever else runs there makes checks late. */
export const needs = 'a machine with nothing else to do';

const HOSTS = 40;
const MONITORS_EACH = 5;
const EVERY_SECONDS = 600;
const TROUBLE_AFTER = 2;
/** Of the clock in one of the machine. */
const SPEED = 60;
/** Hosts that fail for long, one in each way and some in the same way at once, as those of one provider do; and for so short that nothing is told. */
const TOGETHER = 6;
const LONG = FAILINGS.length + TOGETHER;
const SHORT = 3;
/** By more than a minute a check comes in another minute than its schedule says. */
const LATE_MS_MAX = 60_000;
/** A machine that stands still for longer, by this clock, has too much else to do for so fast a clock. */
const LAG_MS_MAX = 15_000;
/** No check comes twice within it. */
const SHORT_MS = 0.8 * EVERY_SECONDS * 1000;
/** Two checks with jitter and their retries, or the one that ends it, which comes after twice the interval; and as long again. */
const PATIENCE_MS = 3_000_000;
const OFFLINE_MS = 300_000;
/** As much of the machine's time as the limits of the fetcher are of the clock's, and more where a busy machine needs it. */
const LIMITS = { connectMs: 500, headersMs: 500, idleMs: 500, totalMs: 1000 };

/** One round: some hosts fail for long and some for short at the same time; then the machine loses its network, and gets it back. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const hosts = await startFailingHosts(HOSTS, (path) => productOf(path));
  await using _hosts = disposing(hosts);
  await using receiver = await serveReceiver(() => ({ status: 200 }));
  const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }), limits: LIMITS });
  const clock = fastClock(SPEED);
  await using agent = await startTestAgent({ ownClock: clock, fetcher });
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${agent.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    assert.ok(response.ok, await response.clone().text());
    return await response.json();
  };
  await call('POST', '/x/notices/channels', { name: 'hook', to: { kind: 'webhook', url: receiver.url }, secrets: { secret: SECRET } });
  const hostOf = new Map<number, FailingHost>();
  for (let i = 0; i < HOSTS * MONITORS_EACH; i++) {
    const host = at(hosts, i % HOSTS);
    const selectors = i % 2 === 0 ? { selectors: [{ selector: '.price', extractors: [{ type: 'price' }] }] } : {};
    const body = {
      url: `${host.origin}/${i}`,
      schedule: { every: EVERY_SECONDS },
      trouble: { after: TROUBLE_AFTER },
      active: false,
      ...selectors,
    };
    const { id } = (await call('POST', '/v1/monitors', body)) as Monitor;
    // One after the other: by this clock the first checks, for which threads are started, would last too long for so many at once.
    await call('POST', `/v1/monitors/${id}/run?wait=true`, {});
    hostOf.set(id, host);
  }
  for (const id of hostOf.keys()) await call('PATCH', `/v1/monitors/${id}`, { active: true });
  using rows = watchRows(join(agent.home, 'weft.db'), clock);
  for (let round = 1; round <= rounds; round++) {
    const failing = shuffled(hosts, random).slice(0, LONG + SHORT);
    await failSome(failing, { hostOf, rows, random, log });
    await loseNetwork(hosts, rows);
    log(`round ${round}: ${rows.counts()}`);
  }
  await rows.until('all is delivered', () => rows.pending() === 0);
  assert.equal(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size, rows.deliveries());
  assert.deepEqual(agent.logged, []);
}

interface Stage {
  readonly hostOf: ReadonlyMap<number, FailingHost>;
  readonly rows: Rows;
  readonly random: () => number;
  readonly log: (line: string) => void;
}

async function failSome(failing: readonly FailingHost[], { hostOf, rows, random, log }: Stage): Promise<void> {
  const [long, short] = [failing.slice(0, LONG), failing.slice(LONG)];
  const [before, network] = [rows.lastChange(), rows.network()];
  const monitorsOf = (some: readonly FailingHost[]) => [...hostOf].filter(([, host]) => some.includes(host)).map(([id]) => id);
  const healthy = [...hostOf].filter(([, host]) => !failing.includes(host)).map(([id]) => id);
  rows.watchLate(healthy);
  const drawn = () => at(FAILINGS, Math.floor(random() * FAILINGS.length));
  const shared = random() < 0.5 ? 'refused' : 'silent';
  const failings = failing.map((_, i) => FAILINGS[i] ?? (i < LONG ? shared : drawn()));
  await Promise.all(failing.map(async (host, i) => await host.set(at(failings, i))));
  const isTold = (ids: readonly number[], kinds: readonly string[]) => () =>
    ids.every((id) => rows.changesSince(before).some((change) => change.monitor_id === id && kinds.includes(change.kind)));
  await rows.pass(SHORT_MS);
  await Promise.all(short.map(async (host) => await host.set(undefined)));
  await rows.until('long trouble was told', isTold(monitorsOf(long), ['error', 'blocked']));
  await Promise.all(long.map(async (host) => await host.set(undefined)));
  await rows.until('its end was told', isTold(monitorsOf(long), ['recovered']));
  await rows.until('all are well', () => rows.states().every(({ kind }) => kind === 'ok'));
  const wrong = [...hostOf].flatMap(([id, host]) => {
    const told = rows.changesSince(before).filter((change) => change.monitor_id === id);
    const kinds = told.map(({ kind }) => (kind === 'blocked' ? 'error' : kind)).join(' ');
    if (kinds === (long.includes(host) ? 'error recovered' : '')) return [];
    const failed = failing.includes(host) ? at(failings, failing.indexOf(host)) : 'nothing';
    return [`monitor ${id} (${failed}): ${told.map(({ kind, summary }) => `${kind}: ${summary}`).join('; ') || 'nothing'}`];
  });
  assert.deepEqual(wrong, []);
  assert.deepEqual(rows.network(), network);
  const late = `the latest check of ${healthy.length} monitors of well hosts was ${rows.lateMs()} ms late`;
  const isJudged = rows.lagMs() <= LAG_MS_MAX;
  log(isJudged ? late : `${late}, which says nothing: the machine itself was ${Math.round(rows.lagMs())} ms late`);
  assert.ok(!isJudged || rows.lateMs() <= LATE_MS_MAX, late);
}

async function loseNetwork(hosts: readonly FailingHost[], rows: Rows): Promise<void> {
  const before = rows.lastChange();
  const told = rows.network().length;
  await Promise.all(hosts.map(async (host) => await host.set('refused')));
  await rows.until('the network was missed', () => rows.network().length > told);
  await rows.pass(OFFLINE_MS);
  await Promise.all(hosts.map(async (host) => await host.set(undefined)));
  await rows.until('the network was found', () => rows.network().length > told + 1);
  await rows.until('all are well', () => rows.states().every(({ kind }) => kind === 'ok'));
  assert.deepEqual(rows.changesSince(before), []);
  assert.deepEqual(rows.network().slice(told), ['agent.offline', 'agent.online']);
}

type Rows = ReturnType<typeof watchRows>;

/** What the agent keeps, read beside it; times are those of its clock. */
function watchRows(path: string, clock: Clock) {
  const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  const all = <Row>(query: string, ...values: readonly (number | string)[]) => sql.prepare(query).all(...values) as unknown as Row[];
  const countOf = (query: string) => all<{ n: number }>(query)[0]?.n;
  const watched = { ids: '', lateMs: 0 };
  const lag = monitorEventLoopDelay();
  lag.enable();
  const lookForLate = () => {
    const [row] = all<{ at: number | null }>(`SELECT min(due_at) AS at FROM due WHERE kind = 'monitor' AND owner_id IN (${watched.ids})`);
    watched.lateMs = Math.max(watched.lateMs, clock.now() - (row?.at ?? Number.POSITIVE_INFINITY));
  };
  const states = () => all<{ id: number; kind: string }>(`SELECT id, state ->> '$.kind' AS kind FROM monitor`);
  return {
    states,
    changesSince: (id: number) =>
      all<{ monitor_id: number; kind: string; summary: string }>('SELECT monitor_id, kind, summary FROM monitor_change WHERE id > ?', id),
    lastChange: () => all<{ id: number }>('SELECT ifnull(max(id), 0) AS id FROM monitor_change')[0]?.id ?? 0,
    network: () => all<{ event: string }>(`SELECT event FROM delivery WHERE event LIKE 'agent.%' ORDER BY id`).map(({ event }) => event),
    deliveries: () => countOf('SELECT count(*) AS n FROM delivery'),
    pending: () => countOf(`SELECT count(*) AS n FROM delivery WHERE status = 'pending'`),
    counts: () => `${countOf('SELECT sum(checks) AS n FROM monitor')} checks, ${countOf('SELECT count(*) AS n FROM delivery')} notices`,
    /** From now on it is seen how late the checks of these monitors are. */
    watchLate(ids: readonly number[]): void {
      Object.assign(watched, { ids: ids.join(), lateMs: 0 });
      lag.reset();
    },
    lateMs: () => watched.lateMs,
    /** By how much this machine itself was late meanwhile. */
    lagMs: () => (lag.max / 1e6) * SPEED,
    async pass(ms: number): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, ms / SPEED));
    },
    async until(what: string, isTrue: () => boolean): Promise<void> {
      for (const startedMs = performance.now(); !isTrue(); await this.pass(5000)) {
        lookForLate();
        const passedMs = (performance.now() - startedMs) * SPEED;
        const others = all<{ text: string }>(
          `SELECT id || ' ' || url || ' ' || state AS text FROM monitor WHERE state ->> '$.kind' <> 'ok'`,
        );
        assert.ok(passedMs < PATIENCE_MS, `${what}: not within ${PATIENCE_MS} ms:\n${others.map(({ text }) => text).join('\n')}`);
      }
    },
    [Symbol.dispose]: () => sql.close(),
  };
}

function productOf(path: string): string {
  return `<!doctype html><html lang="en"><title>Product ${path}</title><body><h1>Product ${path}</h1><p class="price">$12.00</p><p>Made of wood.</p></body></html>`;
}

function disposing(all: readonly AsyncDisposable[]): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(all.map(async (one) => await one[Symbol.asyncDispose]()))) };
}

function shuffled<T>(all: readonly T[], random: () => number): readonly T[] {
  return all
    .map((one) => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

function at<T>(all: readonly T[], index: number): T {
  const one = all[index];
  if (one === undefined) throw new Error(`there is no ${index}`);
  return one;
}

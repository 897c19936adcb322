// Thousands of monitors on one agent: what they take of the machine, and up to which load checks come in time.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capacity, Monitor } from '@weft/contract';
import { startAgentUnderTest } from './agent-under-test.ts';
import type { AgentUnderTest } from './agent-under-test.ts';
import type { BenchRow } from './row.ts';

export const PRICE = { selector: '.price', extractors: [{ type: 'price' }] };
/** Settings of an agent that lets one caller ask as fast as it can. */
export const UNHURRIED = { limits: { rate: { runtime: { per_minute: 10_000_000, burst: 1_000_000 } } } };

const AT_ONCE = 8;
const FLEET = 2000;
const ON_ONE_HOST = 200;
const MEASURED_FIRST = 200;
const EVERY_SECONDS = 300;
const PERIODS = 2;
/** Without `--full` the fleet is checked so much more often, and what it takes is divided by it: two periods are two minutes. */
const QUICKER = 5;
const IN_BROWSER = 40;
const SLOW_SECONDS = 3600;
const PATIENCE_MS = 900_000;
/** Loads that are tried, of the limit of the gauge, until checks come late. */
const LOADS = [0.6, 0.75, 0.9, 1.05, 1.25, 1.45, 1.7, 2, 2.4];
/** How many of the last checks the gauge tells the lateness of. */
const TOLD_CHECKS = 200;
const LOOK_MS = 1000;
const LOOKS_MS = 5000;
/** Of a schedule. */
const SECONDS_MIN = 5;

type Lane = 'http' | 'browser';

/** The fleet for two of its periods, after its first checks; then quicker, until its checks come late. */
export async function benchFleet(port: number, hosts: number, full: boolean): Promise<BenchRow[]> {
  using agent = await startAgentUnderTest(UNHURRIED);
  const urls = Array.from({ length: FLEET }, (_, i) => {
    const host = i < ON_ONE_HOST ? 1 : 2 + (i % hosts);
    return `http://127.0.0.${host}:${port}/${i % 10 === 0 ? 'edit' : 'same'}/${i}`;
  });
  const quicker = full ? 1 : QUICKER;
  const every = EVERY_SECONDS / quicker;
  const watch = { schedule: { every: EVERY_SECONDS }, selectors: [PRICE] };
  // Until checks were measured the gauge assumes a second for each, and would refuse the rest.
  for (const some of [urls.slice(0, MEASURED_FIRST), urls.slice(MEASURED_FIRST)]) {
    await addMonitors(agent, some, watch);
    await untilChecked(agent);
  }
  if (quicker > 1) await quicken(agent, every);
  const { cpuMs, worstMs } = await watchFor(agent, PERIODS * every * 1000);
  const peak = agent.peakMegabytes();
  const { lanes } = await capacityOf(agent);
  const name = `${FLEET} monitors every ${every} s for ${PERIODS} periods, ${ON_ONE_HOST} on one host`;
  const share = (cpuMs * 100) / (PERIODS * EVERY_SECONDS * 1000);
  const shareName = quicker === 1 ? `${name}: CPU` : `${name}: CPU, as every ${EVERY_SECONDS} s (a ${quicker}th)`;
  return [
    { name: shareName, value: share, unit: '% of a core', target: '< 10 %' },
    { name: `${name}: peak memory`, value: peak, unit: 'MB', target: '<= 250 MB' },
    { name: `${name}: lateness, the worst p95 of ${TOLD_CHECKS} in a row`, value: worstMs, unit: 'ms', target: '< 2,000 ms' },
    { name: `${name}: the gauge says used`, value: lanes.http.used * 100, unit: '%' },
    await limitRow(agent, 'http', FLEET),
  ];
}

/** What the agent takes meanwhile, in milliseconds of CPU, and how late its checks are once it tells of those alone. */
async function watchFor(agent: AgentUnderTest, ms: number): Promise<{ readonly cpuMs: number; readonly worstMs: number }> {
  const [before, endMs] = [agent.cpuMs(), performance.now() + ms];
  const readings: number[] = [];
  while (performance.now() < endMs) {
    await sleep(LOOKS_MS);
    readings.push((await capacityOf(agent)).late.p95_ms);
  }
  return { cpuMs: agent.cpuMs() - before, worstMs: Math.max(...readings.slice(Math.floor(readings.length / PERIODS))) };
}

/** The limit of the lane of the browser. */
export async function benchBrowserLimit(port: number, hosts: number): Promise<BenchRow> {
  using agent = await startAgentUnderTest(UNHURRIED);
  const urls = Array.from({ length: IN_BROWSER }, (_, i) => `http://127.0.0.${2 + (i % hosts)}:${port}/edit/${i}`);
  await addMonitors(agent, urls, { schedule: { every: SLOW_SECONDS }, lane: 'browser', selectors: [PRICE] });
  await untilChecked(agent);
  return await limitRow(agent, 'browser', IN_BROWSER);
}

/** Makes a monitor of each address; their ids, in no order. */
export async function addMonitors(agent: AgentUnderTest, urls: readonly string[], body: object): Promise<readonly number[]> {
  const ids: number[] = [];
  await eachOf(urls, async (url) => void ids.push((await agent.call<Monitor>('POST', '/v1/monitors', { url, ...body })).id));
  return ids;
}

/** Does `work` for each, eight at a time. */
export async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** What the gauge takes for the limit beside the load at which p95 of lateness passes a tenth of the interval. */
async function limitRow(agent: AgentUnderTest, lane: Lane, monitors: number): Promise<BenchRow> {
  const limit = (await capacityOf(agent)).lanes[lane].capacity_per_minute;
  let [inTime, late] = [0, Number.NaN];
  for (const load of LOADS) {
    const seconds = Math.max(SECONDS_MIN, Math.round((monitors * 60) / (limit * load)));
    const perMinute = (monitors * 60) / seconds;
    if (!(await comesInTime(agent, seconds, Math.max(seconds, (TOLD_CHECKS * seconds) / monitors)))) {
      late = perMinute;
      break;
    }
    inTime = perMinute;
  }
  const rival = `p95 within a tenth of the interval at ${Math.round(inTime)}, not at ${Math.round(late)}`;
  const target = '0.75x to 1.25x; 0.7x by D40';
  return { name: `the limit of the gauge, lane ${lane}`, value: limit, unit: 'checks/min', rival, rivalValue: (inTime + late) / 2, target };
}

/** Checks everything so often, for as long as it takes that all of what the gauge tells of lateness is of then. */
async function comesInTime(agent: AgentUnderTest, seconds: number, settleSeconds: number): Promise<boolean> {
  await quicken(agent, seconds);
  await sleep(2 * settleSeconds * 1000);
  const readings: number[] = [];
  for (let i = 0; i < settleSeconds; i++, await sleep(LOOK_MS)) readings.push((await capacityOf(agent)).late.p95_ms);
  return readings.toSorted((a, b) => a - b)[Math.floor(readings.length / 2)]! <= seconds * 100;
}

/** In its database: over its API the agent would refuse what is beyond its limit. */
async function quicken(agent: AgentUnderTest, seconds: number): Promise<void> {
  quickenRows(agent, seconds);
  const [first] = await agent.call<readonly Monitor[]>('GET', '/v1/monitors?limit=1');
  // Makes the agent look at its rows again, without asking for more.
  await agent.call('PATCH', `/v1/monitors/${first?.id}`, { schedule: { every: SLOW_SECONDS } });
}

function quickenRows(agent: AgentUnderTest, seconds: number): void {
  using database = new DatabaseSync(join(agent.home, 'weft.db'), { timeout: 10_000 });
  database
    .prepare(`UPDATE monitor SET definition = json_set(definition, '$.schedule', json_object('every', ?)), scheduled_at = ?`)
    .run(seconds, Date.now());
  database.prepare(`UPDATE due SET due_at = ? + abs(random() % ?) WHERE kind = 'monitor'`).run(Date.now(), Math.ceil(seconds * 1000));
}

async function untilChecked(agent: AgentUnderTest): Promise<void> {
  for (const startedMs = performance.now(); performance.now() - startedMs < PATIENCE_MS; await sleep(2000)) {
    const monitors = await agent.call<readonly Monitor[]>('GET', '/v1/monitors');
    if (monitors.every(({ checks }) => checks > 0)) return;
  }
  throw new Error(`The first checks were not over within ${PATIENCE_MS} ms.`);
}

async function capacityOf(agent: AgentUnderTest): Promise<Capacity> {
  return await agent.call<Capacity>('GET', '/v1/monitors/capacity');
}

// Checks of monitors: what one costs beside the least that watches a page, and what thousands of them take of a machine.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capacity, Monitor } from '@weft/contract';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { AgentUnderTest } from '../agent-under-test.ts';
import { freePort, scratchFolder, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';

export const isSlow = true;

const SOURCE = join(import.meta.dirname, '..');
const PAGES = 100;
const ROUNDS = 4;
const AT_ONCE = 8;
/** Beside 127.0.0.1, which a fleet gives the most monitors. */
const HOSTS = 36;
const FLEET = 2000;
const ON_ONE_HOST = 200;
const EVERY_SECONDS = 300;
const SHORT_SECONDS = 20;
const MEASURED_MS = 30_000;
const STEADY_MS = 60_000;
const PATIENCE_MS = 600_000;
/** Who measures asks faster than people may. */
const SETTINGS = { limits: { rate: { runtime: { per_minute: 10_000_000, burst: 1_000_000 } } } };
const PRICE = { selector: '.price', extractors: [{ type: 'price' }] };
const WATCHES = {
  price: { selectors: [PRICE] },
  'price and stock': { selectors: [PRICE, { selector: '.stock', extractors: [{ type: 'availability' }] }] },
};

/** What one check cost the least that watches a page. */
interface Bare {
  readonly cpuMs: number;
  readonly perSecond: number;
}

export async function bench(): Promise<BenchRow[]> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  using _server = await startProgram([join(SOURCE, 'shop-server.ts'), String(port), String(HOSTS)], process.env, origin);
  return process.env['ONLY_CHECKS'] ? await benchChecks(origin) : [...(await benchChecks(origin)), ...(await benchFleet(port))];
}

/** The same pages again and again, each with one monitor. */
async function benchChecks(origin: string): Promise<BenchRow[]> {
  using agent = await startAgentUnderTest(SETTINGS);
  const rows: BenchRow[] = [];
  for (const kind of ['edit', 'same'] as const) {
    const rival = bareCost(origin, kind);
    for (const [what, watch] of Object.entries(WATCHES)) {
      const ids = await addMonitors(
        agent,
        Array.from({ length: PAGES }, (_, i) => `${origin}/${kind}/${what.length}-${i}`),
        { ...watch, active: false },
      );
      const perSecond = await throughputOf(agent, ids);
      const name = `${kind === 'edit' ? 'another price each time' : 'the same bytes'}, ${what}`;
      const rivalName = 'cheerio, SHA-256, a row';
      if (kind === 'edit') rows.push(await gaugeRow(agent, name, perSecond));
      rows.push(
        { name: `${name}: by hand, with the calls`, value: perSecond, unit: 'checks/s', rival: rivalName, rivalValue: rival.perSecond },
        {
          name: `${name}: CPU`,
          value: await scheduledCpuMs(agent, ids),
          unit: 'ms a check',
          rival: rivalName,
          rivalValue: rival.cpuMs,
          target: kind === 'edit' ? '<= 2x' : '<= 1x',
        },
      );
    }
  }
  return rows;
}

/** What the gauge makes of what was just measured. */
async function gaugeRow(agent: AgentUnderTest, name: string, perSecond: number): Promise<BenchRow> {
  const { lanes } = await agent.call<Capacity>('GET', '/v1/monitors/capacity');
  const value = lanes.http.capacity_per_minute / 60;
  return {
    name: `${name}: the limit of the gauge`,
    value,
    unit: 'checks/s',
    rival: 'all places taken',
    rivalValue: perSecond,
    target: '0.53x to 0.88x (0.7, a quarter off)',
  };
}

/** The interval is far longer than the measurement, so that first checks are over before it. */
async function benchFleet(port: number): Promise<BenchRow[]> {
  using agent = await startAgentUnderTest(SETTINGS);
  const urls = Array.from({ length: FLEET }, (_, i) => {
    const host = i < ON_ONE_HOST ? 1 : 2 + (i % HOSTS);
    return `http://127.0.0.${host}:${port}/${i % 10 === 0 ? 'edit' : 'same'}/${i}`;
  });
  await addMonitors(agent, urls, { schedule: { every: EVERY_SECONDS }, ...WATCHES.price });
  await untilChecked(agent);
  const [before, startedMs] = [agent.cpuMs(), performance.now()];
  await sleep(STEADY_MS);
  const share = (agent.cpuMs() - before) / (performance.now() - startedMs);
  const { late, lanes } = await agent.call<Capacity>('GET', '/v1/monitors/capacity');
  const name = `${FLEET} monitors every ${EVERY_SECONDS} s, ${ON_ONE_HOST} on one host`;
  return [
    { name: `${name}: CPU`, value: share * 100, unit: '% of a core', target: '< 10 %' },
    { name: `${name}: peak memory`, value: agent.peakMegabytes(), unit: 'MB', target: '<= 250 MB' },
    { name: `${name}: lateness p95`, value: late.p95_ms, unit: 'ms', target: '< 2,000 ms' },
    { name: `${name}: the gauge says used`, value: lanes.http.used * 100, unit: '%' },
  ];
}

async function untilChecked(agent: AgentUnderTest): Promise<void> {
  for (const startedMs = performance.now(); performance.now() - startedMs < PATIENCE_MS; await sleep(2000)) {
    const { late } = await agent.call<Capacity>('GET', '/v1/monitors/capacity');
    if (late.due === 0) return;
  }
  throw new Error(`The first checks were not over within ${PATIENCE_MS} ms.`);
}

async function addMonitors(agent: AgentUnderTest, urls: readonly string[], body: object): Promise<readonly number[]> {
  const ids: number[] = [];
  await eachOf(urls, async (url) => void ids.push((await agent.call<Monitor>('POST', '/v1/monitors', { url, ...body })).id));
  return ids;
}

/** Checks a second with all places taken, in all rounds after the first, in which everything is new. */
async function throughputOf(agent: AgentUnderTest, ids: readonly number[]): Promise<number> {
  const round = async () => await eachOf(ids, async (id) => void (await agent.call('POST', `/v1/monitors/${id}/run?wait=true`)));
  await round();
  const startedMs = performance.now();
  for (let i = 0; i < ROUNDS; i++) await round();
  return (PAGES * ROUNDS * 1000) / (performance.now() - startedMs);
}

/** CPU of the whole process for each check that comes due by itself, in milliseconds. */
async function scheduledCpuMs(agent: AgentUnderTest, ids: readonly number[]): Promise<number> {
  const set = async (body: object) => await eachOf(ids, async (id) => void (await agent.call('PATCH', `/v1/monitors/${id}`, body)));
  const checks = async () =>
    (await agent.call<readonly Monitor[]>('GET', '/v1/monitors')).reduce((sum, monitor) => sum + monitor.checks, 0);
  await set({ active: true, schedule: { every: SHORT_SECONDS } });
  const before = { checks: await checks(), cpuMs: agent.cpuMs() };
  await sleep(MEASURED_MS);
  const cpuMs = agent.cpuMs() - before.cpuMs;
  const made = (await checks()) - before.checks;
  await set({ active: false });
  return cpuMs / made;
}

function bareCost(origin: string, kind: string): Bare {
  using folder = scratchFolder();
  const args = [join(SOURCE, 'bare-checker.ts'), origin, kind, String(PAGES), String(ROUNDS), join(folder.path, 'rows.db')];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`bare-checker.ts ended with ${status}: ${stderr}`);
  const { cpuMs, wallMs } = JSON.parse(stdout) as { readonly cpuMs: number; readonly wallMs: number };
  return { cpuMs: cpuMs / (PAGES * ROUNDS), perSecond: (PAGES * ROUNDS * 1000) / wallMs };
}

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

// Checks of monitors: what one costs beside the least that watches a page, and what thousands of them take of a machine.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capacity, Monitor } from '@weft/contract';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { AgentUnderTest } from '../agent-under-test.ts';
import { freePort, scratchFolder, startProgram } from '../processes.ts';
import { PRICE, UNHURRIED, addMonitors, benchBrowserLimit, benchFleet, eachOf } from '../monitor-fleet.ts';
import type { BenchOptions, BenchRow } from '../row.ts';
import { SETTINGS as BENCH } from '../settings.ts';

export const isSlow = true;

const SOURCE = join(import.meta.dirname, '..');
const PAGES = 100;
const ROUNDS = 4;
/** Beside 127.0.0.1. */
const HOSTS = 36;
const SHORT_SECONDS = 20;
const MEASURED_MS = 30_000;
const WATCHES = {
  price: { selectors: [PRICE] },
  'price and stock': { selectors: [PRICE, { selector: '.stock', extractors: [{ type: 'availability' }] }] },
};

/** What one check cost the least that watches a page. */
interface Bare {
  readonly cpuMs: number;
  readonly perSecond: number;
}

/** Two periods of the fleet: ten minutes with `--full`, else two in which it is checked five times as often. */
export async function bench({ full }: BenchOptions): Promise<BenchRow[]> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  using _server = await startProgram([join(SOURCE, 'shop-server.ts'), String(port), String(HOSTS)], process.env, origin);
  const parts = {
    checks: async () => await benchChecks(origin),
    fleet: async () => await benchFleet(port, HOSTS, full),
    browser: async () => [await benchBrowserLimit(port, HOSTS)],
  };
  const rows: BenchRow[] = [];
  for (const [name, measure] of Object.entries(parts))
    if (BENCH.monitorParts.length === 0 || BENCH.monitorParts.includes(name)) rows.push(...(await measure()));
  return rows;
}

/** The same pages again and again, each with one monitor. */
async function benchChecks(origin: string): Promise<BenchRow[]> {
  using agent = await startAgentUnderTest(UNHURRIED);
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

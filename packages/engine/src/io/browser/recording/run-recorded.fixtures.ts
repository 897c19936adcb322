// Runs a recorded workflow in a real browser, with nothing around it.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { NewWorkflow } from '@weft/contract';
import type { CrawlClock } from '../../../crawl/crawl-ports.ts';
import { MemoryHostGate } from '../../../crawl/hosts/host-gate.ts';
import { ReachMemory } from '../../../crawl/hosts/reach-memory.ts';
import { runWorkflow } from '../../../run/loop.ts';
import { DEFAULT_RUN_LIMITS } from '../../../run/plan.ts';
import type { RunEnd } from '../../../run/plan.ts';
import { NO_LOGINS } from '../../../run/ports.ts';
import type { WorkflowPorts } from '../../../run/ports.ts';
import { readPage } from '../../../run/reading/read-page.ts';
import { createCookieStore } from '../../cookies.ts';
import type { BrowserFetcher } from '../lane.ts';

const steadyMs = () => Math.floor(performance.now());
const CLOCK: CrawlClock = {
  now: () => Date.now(),
  steadyMs,
  sleepUntil: async (untilMs, signal) => await pause(Math.max(0, untilMs - steadyMs()), undefined, { signal }).catch(() => undefined),
  alarm: (atMs, ring) => {
    const timer = setTimeout(ring, Math.max(0, atMs - steadyMs())).unref();
    return () => clearTimeout(timer);
  },
};

/** With the inputs that were recorded; what it came to, and its rows. */
export async function runRecorded(
  { steps, inputs = {} }: NewWorkflow,
  { fetcher, port, password }: { readonly fetcher: BrowserFetcher; readonly port: number; readonly password: string },
): Promise<{ readonly end: RunEnd; readonly rows: readonly unknown[] }> {
  const rows: unknown[] = [];
  const properties = (inputs['properties'] ?? {}) as Readonly<Record<string, { readonly default: string }>>;
  const given = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]));
  const plan = { steps, finally: [], lane: 'browser', limits: DEFAULT_RUN_LIMITS, inputs: given, output: undefined, personaId: 1 } as const;
  const ports: WorkflowPorts = {
    fetcher,
    gate: new MemoryHostGate(CLOCK),
    sessions: fetcher.sessions,
    read: async (request) => await readPage(request),
    clock: CLOCK,
    tell: async () => undefined,
    keepRows: async (kept) => rows.push(...kept.map(({ row }) => row)),
    keepFile: async ({ name }) => ({ id: name, name }),
    readFile: async (id) => assert.fail(`There is no file ${id}.`),
    reveal: async () => password,
    askPerson: async () => assert.fail('Nobody is asked.'),
    call: async () => assert.fail('No workflow is called.'),
    acting: {},
    robots: async () => undefined,
    session: { read: async () => undefined, readNewer: async () => undefined, replace: async () => 'kept', logins: () => NO_LOGINS },
    inLoginLine: async (_origin, _signal, work) => await work(),
    privateTargets: [`127.0.0.1:${port}`],
    names: new ReachMemory(),
    cookies: (state) => createCookieStore(state?.cookies ?? []),
  };
  return { end: await runWorkflow(plan, ports, AbortSignal.timeout(60_000)), rows };
}

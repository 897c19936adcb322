// What a step of a workflow costs in the browser, beside playwright-core doing the same alone: same browser, same page, turn by turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Page as Tab } from 'playwright-core';
import { createAddressGate, createFetcher } from '../../../packages/engine/src/io/index.ts';
import type { BrowserSession } from '../../../packages/engine/src/run/session.ts';
import { findBrowser } from '../../../tests/browser.ts';
import { reply, startRawServer } from '../../../tests/sites/raw-server.ts';
import type { BenchRow } from '../row.ts';

const SIZES = [20, 500, 5_000];
const ROUNDS = 30;
const WARM_UP = 5;

interface Step {
  readonly name: string;
  ours(session: BrowserSession): Promise<unknown>;
  theirs(tab: Tab): Promise<unknown>;
}

const bounds = () => ({ timeoutMs: 10_000, signal: AbortSignal.timeout(30_000) });

const STEPS: readonly Step[] = [
  {
    name: 'click by CSS',
    ours: (session) => session.click({ selectors: ['#go'] }, {}, bounds()),
    theirs: (tab) => tab.locator('#go').click(),
  },
  {
    name: 'click by role and name',
    ours: (session) => session.click({ selectors: ['aria/Go on[role="button"]'] }, {}, bounds()),
    theirs: (tab) => tab.getByRole('button', { name: 'Go on', exact: true }).click(),
  },
  {
    name: 'text into a field, its last letter typed',
    ours: (session) => session.change({ selectors: ['#name'] }, 'Ada Lovelace', {}, bounds()),
    theirs: (tab) =>
      tab
        .locator('#name')
        .fill('Ada Lovelac')
        .then(() => tab.keyboard.type('e')),
  },
  {
    name: 'find',
    ours: (session) => session.find({ selectors: ['#name'] }, bounds()),
    theirs: (tab) => tab.locator('#name').count(),
  },
];

/** Milliseconds of each step on pages of SIZES rows: the lower tenth of ROUNDS, since all else that the machine does only adds. */
export async function benchSteps(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), 'weft-bench-run-'));
  const site = await startRawServer(({ path }) => reply({ headers: { 'Content-Type': 'text/html' }, body: pageOf(Number(path.slice(1))) }));
  const executablePath = await findBrowser();
  const fetcher = createFetcher({ home, chromePath: executablePath, gate: createAddressGate({ mode: 'agent' }) });
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const session = await fetcher.sessions.open({ privateTargets: [`127.0.0.1:${site.port}`] }, AbortSignal.timeout(30_000));
    const tab = await browser.newPage();
    const rows: BenchRow[] = [];
    for (const size of SIZES) {
      await Promise.all([session.navigate(`${site.origin}/${size}`, {}, bounds()), tab.goto(`${site.origin}/${size}`)]);
      for (const step of STEPS) rows.push(await compare(step, size, session, tab));
    }
    await session.close();
    return rows;
  } finally {
    await Promise.all([fetcher.close(), browser.close(), site.close()]);
    rmSync(home, { recursive: true });
  }
}

async function compare(step: Step, size: number, session: BrowserSession, tab: Tab): Promise<BenchRow> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const own = await timed(() => step.ours(session));
    const other = await timed(() => step.theirs(tab));
    if (round < WARM_UP) continue;
    ours.push(own);
    theirs.push(other);
  }
  return {
    name: `${step.name}, ${size} rows`,
    value: lowerTenth(ours),
    unit: 'ms',
    rival: 'playwright-core',
    rivalValue: lowerTenth(theirs),
    ...(step.name === 'find' ? {} : { target: '<= 1.3x' }),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function lowerTenth(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;
}

function pageOf(rows: number): string {
  const row = (n: number) => `<tr class=row><td>${n}</td><td><a href="/item/${n}">Item ${n}</a></td><td class=price>${n}.50 EUR</td></tr>`;
  return `<!doctype html><title>Items</title><button id=go>Go on</button><label>Name <input id=name></label><table>${Array.from({ length: rows }, (_, n) => row(n)).join('')}</table>`;
}

// HTTP archives of programs that nobody here wrote: what Playwright and what mitmproxy keep of the same visit become workflows with the same rows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { bringPackages } from '../../bench/apps/packages.ts';
import { freePort } from '../../bench/src/processes.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';
import { goodsFor, startXhr } from '../sites/api-sites.ts';

export const needs = 'Python, and mitmproxy from PyPI';

const VERSION = '11.0.2';
const WORDS = ['lamp', 'walnut', 'chair'];
/** As many as the script of the site asks for. */
const SHOWN = 20;
const PATIENCE_MS = 120_000;

/** A round is one visit with a search, kept by each of them. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const programs = join(SETTINGS.appsFolder, 'mitmproxy');
  await bringPackages({ pip: [`mitmproxy==${VERSION}`] }, SETTINGS.appsFolder, programs);
  const folder = mkdtempSync(join(tmpdir(), 'weft-hars-'));
  await using site = await startXhr();
  await using agent = await startTestAgent();
  try {
    for (let round = 0; round < rounds; round++) {
      const word = WORDS[round % WORDS.length] ?? '';
      const path = (name: string) => join(folder, `${round}-${name}.har`);
      await visit(site.origin, word, { recordHar: { path: path('playwright'), content: 'embed' } });
      await throughMitmproxy(join(programs, 'python', 'bin', 'mitmdump'), path('mitmproxy'), async (server) => {
        // Chromium takes no proxy to loopback unless it is told to.
        await visit(site.origin, word, { proxy: { server, bypass: '<-loopback>' } });
      });
      const wanted = goodsFor(word)
        .slice(0, SHOWN)
        .map(({ name }) => name);
      for (const name of ['playwright', 'mitmproxy'])
        assert.deepEqual(await namesFrom(readFileSync(path(name), 'utf8'), agent), wanted, `${name}: the rows of "${word}"`);
      log(`round ${round + 1}: "${word}" gives the same ${wanted.length} rows from Playwright's and from mitmproxy's archive`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function visit(origin: string, word: string, options: BrowserContextOptions): Promise<void> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    const answered = page.waitForResponse((response) => response.url().includes(`q=${word}`));
    await page.fill('input[name=q]', word);
    await page.press('input[name=q]', 'Enter');
    await (await answered).finished();
    await context.close();
  } finally {
    await browser.close();
  }
}

/** It writes its archive as it ends. */
async function throughMitmproxy(program: string, path: string, work: (server: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const settings = ['--quiet', '--listen-host', '127.0.0.1', '--listen-port', String(port), '--set', `hardump=${path}`];
  const proxy = spawn(program, [...settings, '--set', `confdir=${path}.conf`], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(proxy, 'exit');
  try {
    await listens(port);
    await work(`http://127.0.0.1:${port}`);
  } finally {
    proxy.kill('SIGINT');
    await ended;
  }
}

async function listens(port: number): Promise<void> {
  for (const startedMs = performance.now(); performance.now() - startedMs < PATIENCE_MS; await sleep(100)) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    );
    socket.destroy();
    if (isThere) return;
  }
  throw new Error('mitmproxy does not listen');
}

/** The names of the rows that the workflow of an archive gives. */
async function namesFrom(content: string, { client }: TestAgent): Promise<readonly unknown[]> {
  const { workflow } = await client.workflows.import({ format: 'har', content });
  const { id } = await client.workflows.create(workflow);
  const run = await client.workflows.run({ id, wait: true });
  assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
  const { data } = await client.runs.data({ id: run.id, limit: SHOWN });
  return data.map((row) => (row as { readonly name?: unknown }).name);
}

// Pages in a row through one browser: time and memory for each must not grow. One round is one page; 500 make the promise.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressGate, createBrowserFetcher, createCookieStore } from '@weft/engine/io';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { findBrowser } from '../browser.ts';

const SAMPLE = 50;
/** Caches fill and code is compiled before anything is compared. */
const WARM_UP = 20;
const GROWTH_MAX = 1.2;

/** Every page is different and renders 200 rows that it fetches; every other one belongs to one job, the rest stand alone. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-campaign-'));
  const site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/data')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(rowsOf(searchParams.get('page')));
    response.writeHead(200, { 'content-type': 'text/html' }).end(SHELL);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  const cookies = createCookieStore();
  const times: number[] = [];
  const memories: number[] = [];
  const pids = new Set<number>();
  try {
    for (let page = 0; page < WARM_UP + rounds; page++) {
      const startedMs = performance.now();
      const request = { url: `http://127.0.0.1:${port}/?page=${page}`, privateTargets: [`127.0.0.1:${port}`] };
      const { body } = await fetcher.fetch(page % 2 === 0 ? { ...request, cookies } : request, AbortSignal.timeout(60_000));
      assert.match(new TextDecoder().decode(body), new RegExp(`<li>${page}-199</li>`));
      const pid = fetcher.running()?.pid ?? 0;
      pids.add(pid);
      if (page < WARM_UP) continue;
      times.push(performance.now() - startedMs);
      memories.push(megabytesOf(pid));
      if (times.length % 100 === 0) log(`${times.length} pages: ${summary(times.slice(-SAMPLE), memories.slice(-SAMPLE))}`);
    }
  } finally {
    await fetcher.close();
    site.closeAllConnections();
    site.close();
    rmSync(home, { recursive: true });
  }
  const count = Math.min(SAMPLE, Math.ceil(rounds / 2));
  log(`first ${count}: ${summary(times.slice(0, count), memories.slice(0, count))}`);
  log(`last ${count}: ${summary(times.slice(-count), memories.slice(-count))}`);
  assert.equal(pids.size, 1, 'one browser for all pages');
  assert.ok(median(times.slice(-count)) <= GROWTH_MAX * median(times.slice(0, count)), 'time for a page grew');
  assert.ok(median(memories.slice(-count)) <= GROWTH_MAX * median(memories.slice(0, count)), 'memory grew');
}

const SHELL = `<!doctype html><title>Rows</title><ul></ul><script>
  fetch('/data' + location.search).then((answer) => answer.json()).then((rows) => {
    document.querySelector('ul').innerHTML = rows.map((row) => '<li>' + row + '</li>').join('')
  })</script>`;

function rowsOf(page: string | null): string {
  return JSON.stringify(Array.from({ length: 200 }, (_, row) => `${page}-${row}`));
}

function summary(times: readonly number[], memories: readonly number[]): string {
  return `median ${median(times).toFixed(0)} ms and ${median(memories).toFixed(0)} MB`;
}

/** Proportional memory of the browser's process group, in megabytes; 0 where the system has no /proc. */
function megabytesOf(leader: number): number {
  let kilobytes = 0;
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const [, , group] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (Number(group) !== leader) continue;
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process ended while it was looked at.
    }
  }
  return kilobytes / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

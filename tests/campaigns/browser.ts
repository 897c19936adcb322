// Pages in a row through one browser: time and memory for each must not grow. One round is one page; 500 make the promise.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressGate, createCookieStore } from '@weft/engine/io';
import { createBrowserFetcher } from '../../packages/engine/src/io/browser/lane.ts';
import type { BrowserFetcher } from '../../packages/engine/src/io/browser/lane.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { findBrowser } from '../browser.ts';

export const needs = 'a machine with nothing else to do';

const SAMPLE = 50;
/** Caches fill and code is compiled before anything is compared. */
const WARM_UP = 20;
const GROWTH_MAX = 1.2;

/**
 * Every page is different and renders 200 rows that it fetches; every other one belongs to one job, the rest stand alone. At the end
 * the old browser takes turns with a new one, so that a machine that became busy in between is not taken for a browser that became slow.
 */
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
  const options = { home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) };
  const [old, fresh] = [createReader(createBrowserFetcher(options), port), createReader(createBrowserFetcher(options), port)];
  try {
    const all: Sample[] = [];
    for (let page = 0; page < WARM_UP + rounds; page++) {
      all.push(await old.read(page));
      if (all.length % 100 === 0) log(`${all.length} pages: ${summary(all.slice(-SAMPLE))}`);
    }
    for (let page = 0; page < WARM_UP; page++) await fresh.read(page);
    const late: Sample[] = [];
    const control: Sample[] = [];
    for (let page = 0; page < SAMPLE; page++) {
      late.push(await old.read(page));
      control.push(await fresh.read(page));
    }
    const early = all.slice(WARM_UP, WARM_UP + SAMPLE);
    log(`first ${SAMPLE}: ${summary(early)}; last ${SAMPLE}: ${summary(late)}; beside them a new browser: ${summary(control)}`);
    assert.equal(new Set([...all, ...late].map(({ pid }) => pid)).size, 1, 'one browser for all pages');
    assert.ok(medianOf(late, 'ms') <= GROWTH_MAX * medianOf(control, 'ms'), 'an old browser is slower than a new one');
    assert.ok(medianOf(late, 'megabytes') <= GROWTH_MAX * medianOf(early, 'megabytes'), 'memory grew');
  } finally {
    await Promise.all([old.close(), fresh.close()]);
    site.closeAllConnections();
    site.close();
    rmSync(home, { recursive: true });
  }
}

interface Sample {
  readonly ms: number;
  readonly megabytes: number;
  readonly pid: number;
}

/** Reads numbered pages of the site through `fetcher`, and measures each. */
function createReader(fetcher: BrowserFetcher, port: number) {
  const cookies = createCookieStore();
  return {
    async read(page: number): Promise<Sample> {
      const startedMs = performance.now();
      const request = { url: `http://127.0.0.1:${port}/?page=${page}`, privateTargets: [`127.0.0.1:${port}`] };
      const { body } = await fetcher.fetch(page % 2 === 0 ? { ...request, cookies } : request, AbortSignal.timeout(60_000));
      const ms = performance.now() - startedMs;
      assert.match(new TextDecoder().decode(body), new RegExp(`<li>${page}-199</li>`));
      const pid = fetcher.running()?.pid ?? 0;
      return { ms, megabytes: megabytesOf(pid), pid };
    },
    close: () => fetcher.close(),
  };
}

const SHELL = `<!doctype html><title>Rows</title><ul></ul><script>
  fetch('/data' + location.search).then((answer) => answer.json()).then((rows) => {
    document.querySelector('ul').innerHTML = rows.map((row) => '<li>' + row + '</li>').join('')
  })</script>`;

function rowsOf(page: string | null): string {
  return JSON.stringify(Array.from({ length: 200 }, (_, row) => `${page}-${row}`));
}

function summary(samples: readonly Sample[]): string {
  return `${medianOf(samples, 'ms').toFixed(0)} ms and ${medianOf(samples, 'megabytes').toFixed(0)} MB`;
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

function medianOf(samples: readonly Sample[], what: 'ms' | 'megabytes'): number {
  return samples.map((sample) => sample[what]).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
}

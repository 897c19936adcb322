// The same page by both lanes gives the same answers to the same selectors. One round is one page of a folder of saved pages.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import { Document } from '@weft/engine';
import type { Page } from '@weft/engine';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { parseSelector } from '../../packages/engine/src/html/selectors/selector.ts';
import { resolveSelector } from '../../packages/engine/src/html/selectors/resolve.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { findBrowser } from '../browser.ts';

/** Questions that any documentation answers. */
const SELECTORS = ['title', 'h1', 'h2', 'a[href]', 'p', 'li', 'pre', 'table tr', 'dl > dt', 'img[src]', 'head > meta[name]', 'body > *'];
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.png': 'image/png' };
/** Scripts of a page may add a control or a badge; more than this is another page. */
const PAGES_APART_MAX = 0.1;

/** Pages without scripts must agree on everything; of the others a tenth may differ, since scripts are what a browser runs. */
export async function campaign({ rounds, seed, folder, log }: CampaignOptions): Promise<void> {
  const pages = folder === undefined ? [] : globSync('**/*.html', { cwd: folder }).toSorted();
  if (folder === undefined || pages.length === 0)
    return log(`SKIPPED: no saved pages in ${folder ?? '(no folder given)'}. Give a folder of HTML files: --folder <path>`);
  const site = await serve(folder);
  const home = mkdtempSync(join(tmpdir(), 'weft-campaign-'));
  const { port } = site.address() as AddressInfo;
  const fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  let staticPages = 0;
  let scriptedApart = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const path = pages[(seed + round * 7919) % pages.length] ?? '';
      const ask = async (lane: 'http' | 'browser') =>
        await fetcher.fetch(
          { url: `http://127.0.0.1:${port}/${encodeURI(path.replaceAll(sep, '/'))}`, lane, privateTargets: [`127.0.0.1:${port}`] },
          AbortSignal.timeout(60_000),
        );
      const [byHttp, byBrowser] = [answersOf(await ask('http')), answersOf(await ask('browser'))];
      const isStatic = !/<script\b/i.test(readFileSync(join(folder, path), 'latin1'));
      staticPages += isStatic ? 1 : 0;
      const apart = SELECTORS.filter((selector) => byHttp.get(selector) !== byBrowser.get(selector));
      if (apart.length > 0) log(`${path}${isStatic ? '' : ' (scripts)'} differs in ${apart.join(', ')}`);
      if (isStatic) assert.deepEqual(byBrowser, byHttp, path);
      else if (apart.length > 0) scriptedApart += 1;
    }
  } finally {
    await fetcher.close();
    site.closeAllConnections();
    site.close();
    rmSync(home, { recursive: true });
  }
  log(`${staticPages} pages without scripts agree; ${scriptedApart} of ${rounds - staticPages} with scripts differ`);
  assert.ok(scriptedApart <= PAGES_APART_MAX * (rounds - staticPages), 'pages with scripts differ too often');
}

function answersOf(page: Page): ReadonlyMap<string, string> {
  const { tree } = new Document(page);
  return new Map(
    SELECTORS.map((selector) => {
      const { count, matches } = resolveSelector(parseSelector(selector), tree);
      return [selector, JSON.stringify([count, matches.map(({ value }) => value)])];
    }),
  );
}

async function serve(folder: string): Promise<Server> {
  const root = resolve(folder);
  const site = createServer((request, response) => {
    const path = resolve(root, `.${decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname)}`);
    const isThere = path.startsWith(root + sep) && statSync(path, { throwIfNoEntry: false })?.isFile();
    if (!isThere) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
  });
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
  return site;
}

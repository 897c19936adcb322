// The same page by both lanes gives the same answers to the same selectors: small applications, and a folder of saved pages.
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Document } from '@weft/engine/page';
import type { Fetcher, Page } from '@weft/engine';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { parseSelector } from '../../packages/engine/src/html/selectors/selector.ts';
import { resolveSelector } from '../../packages/engine/src/html/selectors/resolve.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { findBrowser } from '../browser.ts';
import type { AppKind } from '../sites/apps/apps.ts';
import { APP_KINDS, startApp } from '../sites/apps/apps.ts';
import type { PageState } from '../sites/apps/catalogue.ts';

/** Questions that any documentation answers. */
const SELECTORS = ['title', 'h1', 'h2', 'a[href]', 'p', 'li', 'pre', 'table tr', 'dl > dt', 'img[src]', 'head > meta[name]', 'body > *'];
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.png': 'image/png' };
/** Scripts of a page may add a control or a badge; more than this is another page. */
const PAGES_APART_MAX = 0.1;
const PAGE_MS = 60_000;
/** Prime to the number of pages, so that rounds go through all of them. */
const STRIDE = 7919;

/** The lane that each application needs, and why. */
const LANE_OF: Readonly<Record<AppKind, readonly [lane: Page['lane'], reason: string]>> = {
  'client-rendered': ['browser', 'js_shell'],
  hydrated: ['http', 'static'],
  enhanced: ['http', 'static'],
};

/** A round is one page of each application and, where a folder is given, one of its pages. */
export async function campaign({ rounds, seed, folder, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-campaign-'));
  const fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  try {
    for (const kind of APP_KINDS) await compareApp(kind, fetcher, rounds, seed);
    log(`${rounds} pages each of ${APP_KINDS.join(', ')} applications show their data in the lane that they need`);
    if (folder === undefined) log('SKIPPED saved pages: no folder given. Give a folder of HTML files: --folder <path>');
    else await compareFolder(folder, fetcher, { rounds, seed, log });
  } finally {
    await fetcher.close();
    rmSync(home, { recursive: true });
  }
}

/** The lane that is chosen for a page of an application shows all of its data, and so does a browser. */
async function compareApp(kind: AppKind, fetcher: Fetcher, rounds: number, seed: number): Promise<void> {
  const app = await startApp(kind, seed);
  try {
    const paths = [...app.pages.keys()];
    for (let round = 0; round < rounds; round++) {
      const state = app.pages.get(paths[(seed + round * STRIDE) % paths.length] ?? '/') as PageState;
      const [auto, http, browser] = [await ask('auto'), await ask('http'), await ask('browser')];
      const where = `${kind} ${state.path} (seed ${seed})`;
      assert.deepEqual([auto.lane, auto.laneReason], LANE_OF[kind], where);
      assert.deepEqual(dataOf(auto), dataOfState(state), where);
      assert.deepEqual(dataOf(browser), dataOfState(state), where);
      if (kind === 'client-rendered')
        assert.ok(
          browser.xhr?.some(({ json }) => isDeepStrictEqual(json, state)),
          `${where}: its data was captured`,
        );
      else assert.deepEqual(dataOf(http), dataOfState(state), where);
      if (kind === 'hydrated')
        for (const page of [http, browser])
          assert.deepEqual(
            valuesOf(page, '$.products[*].name'),
            state.products.map(({ name }) => name),
            where,
          );

      async function ask(lane: 'auto' | 'http' | 'browser'): Promise<Page> {
        const request = { url: `${app.origin}${state.path}`, lane, privateTargets: [new URL(app.origin).host] };
        return await fetcher.fetch(request, AbortSignal.timeout(PAGE_MS));
      }
    }
  } finally {
    await app.close();
  }
}

/** What a page of the shop shows, by selectors. */
function dataOf(page: Page): object {
  const [title, heading, names, prices, links] = ['title', 'main h1', 'main .name', 'main .price', '//main//a/@href'].map((selector) =>
    valuesOf(page, selector),
  );
  return { title, heading, names, prices, links };
}

function dataOfState({ path, title, products, next }: PageState): object {
  const isList = !path.startsWith('/product/');
  const links = isList ? [...products.map(({ id }) => `/product/${id}`), ...(next ? [next] : [])] : ['/'];
  return { title: [title], heading: [title], names: products.map(({ name }) => name), prices: products.map(({ price }) => price), links };
}

function valuesOf(page: Page, selector: string): readonly string[] {
  return resolveSelector(parseSelector(selector), new Document(page).tree).matches.map(({ value }) => value);
}

/** Pages without scripts must agree on everything; of the others a tenth may differ, since scripts are what a browser runs. */
async function compareFolder(folder: string, fetcher: Fetcher, { rounds, seed, log }: CampaignOptions): Promise<void> {
  const pages = globSync('**/*.html', { cwd: folder }).toSorted();
  if (pages.length === 0) return log(`SKIPPED saved pages: none in ${folder}`);
  const site = await serve(folder);
  const { port } = site.address() as AddressInfo;
  let staticPages = 0;
  let scriptedApart = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const path = pages[(seed + round * STRIDE) % pages.length] ?? '';
      const ask = async (lane: 'http' | 'browser') =>
        await fetcher.fetch(
          { url: `http://127.0.0.1:${port}/${encodeURI(path.replaceAll(sep, '/'))}`, lane, privateTargets: [`127.0.0.1:${port}`] },
          AbortSignal.timeout(PAGE_MS),
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
    site.closeAllConnections();
    site.close();
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

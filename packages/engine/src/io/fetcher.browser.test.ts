// F46: both lanes as one fetcher, with a real browser; what stands in front of a page is never taken for it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../../../../tests/browser.ts';
import { reply, startRawServer } from '../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../tests/sites/raw-server.ts';
import { PageError } from '../errors.ts';
import type { FetchRequest } from '../ports.ts';
import { createFetcher } from './fetcher.ts';
import type { FetcherOptions, LaneFetcher } from './fetcher.ts';
import { createAddressGate } from './gate/gate.ts';

const html = (body: string, status = '200 OK') => reply({ status, headers: { 'Content-Type': 'text/html' }, body });
const fill = (markup: string) => `<script>document.getElementById('root').innerHTML = ${JSON.stringify(markup)}</script>`;
const article = `<h1>Article</h1><p>${'A sentence that a reader reads. '.repeat(30)}`;

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/static': html(article),
  '/shell': html(`<!doctype html><title>Shop</title><div id="root"></div>${fill(article)}`),
  '/json': reply({ headers: { 'Content-Type': 'application/json' }, body: '[]' }),
  '/missing': html(article, '404 Not Found'),
  '/captcha': html('<h1>Are you a human?</h1><div class="g-recaptcha" data-sitekey="x"></div>', '403 Forbidden'),
  '/check': html('<title>Just a moment...</title><h1>Just a moment</h1><p>Checking your browser', '503 Busy'),
  '/wall': html('<h1>Please log in to continue</h1><form><input name=u><input type=password name=p></form>'),
  '/denied': html('<h1>Access denied</h1>', '403 Forbidden'),
  '/empty': html(''),
  '/late-captcha': html(
    `<!doctype html><title>Shop</title><div id="root"></div>${fill('<h1>Are you a human?</h1><div class="h-captcha" data-sitekey="x"></div>')}`,
  ),
};

suite('both lanes as one', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-fetcher-'));
  let site: RawServer;
  let fetcher: LaneFetcher;
  let without: LaneFetcher;
  const get = (by: LaneFetcher, path: string, more: Partial<FetchRequest> = {}) =>
    by.fetch(
      { url: site.origin + path, privateTargets: [`127.0.0.1:${site.port}`], timeoutMs: 20_000, ...more },
      AbortSignal.timeout(600_000),
    );

  before(async () => {
    site = await startRawServer(ROUTES);
    const options: FetcherOptions = { home, gate: createAddressGate({ mode: 'agent' }) };
    fetcher = createFetcher({ ...options, chromePath: await findBrowser() });
    without = createFetcher({ ...options, chromePath: '/nowhere/chrome' });
  });
  after(async () => {
    await Promise.all([fetcher.close(), without.close()]);
    await site.close();
    rmSync(home, { recursive: true });
  });

  const lanes: readonly (readonly [string, Partial<FetchRequest>, string, number?])[] = [
    ['/static', {}, 'http static'],
    ['/static', { lane: 'auto' }, 'http static'],
    ['/static', { lane: 'http' }, 'http asked'],
    ['/static', { lane: 'browser' }, 'browser asked'],
    ['/static', { browser: { screenshot: 'viewport' } }, 'browser options'],
    ['/static', { browser: { block: ['font'] } }, 'http static'],
    ['/shell', {}, 'browser js_shell'],
    ['/shell', { lane: 'http' }, 'http asked'],
    ['/shell', { method: 'POST' }, 'http static'],
    ['/json', {}, 'http static'],
    ['/missing', {}, 'http static'],
    ['/denied', { lane: 'http' }, 'http asked'],
  ];
  for (const [path, request, expected] of lanes)
    test(`${path} with ${JSON.stringify(request)} comes by ${expected}`, async () => {
      const { lane, laneReason } = await get(fetcher, path, request);
      assert.equal(`${lane} ${laneReason}`, expected);
    });

  const refused: readonly (readonly [string, string])[] = [
    ['/captcha', 'captcha'],
    ['/check', 'captcha'],
    ['/wall', 'blocked'],
    ['/denied', 'blocked'],
    ['/empty', 'page_unreadable'],
    ['/late-captcha', 'captcha'],
  ];
  for (const lane of ['auto', 'browser'] as const)
    for (const [path, code] of refused)
      test(`${path} is never taken for data by ${lane}: ${code}`, async () => {
        await assert.rejects(
          get(fetcher, path, { lane }),
          (error) => error instanceof PageError && error.code === code && error.message.includes('('),
        );
      });

  test('a shell without a browser comes as it is, and says so', async () => {
    const page = await get(without, '/shell');
    assert.deepEqual([page.lane, page.laneReason, page.optionsIgnored], ['http', 'no_browser', ['lane']]);
  });

  test('a browser that may not be used leaves what came over HTTP, and says so', async () => {
    const asked: string[] = [];
    const beforeBrowser = async () => asked.push('asked') === 0;
    const shell = await get(fetcher, '/shell', { beforeBrowser });
    assert.deepEqual([shell.lane, shell.laneReason, shell.optionsIgnored], ['http', 'browser_refused', ['lane']]);
    const pictured = await get(fetcher, '/static', { browser: { screenshot: 'full' }, beforeBrowser });
    assert.deepEqual([pictured.lane, pictured.optionsIgnored], ['http', ['browser.screenshot']]);
    await get(fetcher, '/static', { beforeBrowser });
    assert.deepEqual(asked, ['asked', 'asked']);
  });

  test('options without a browser are named, and the page comes', async () => {
    const page = await get(without, '/static', { browser: { screenshot: 'full' } });
    assert.deepEqual([page.lane, page.optionsIgnored], ['http', ['browser.screenshot']]);
  });

  test('a browser that was asked for and is not there is an error that says how to get one', async () => {
    await assert.rejects(get(without, '/static', { lane: 'browser' }), /weft browser install/);
  });

  test('the state of the browser is told', async () => {
    await get(fetcher, '/static', { lane: 'browser' });
    assert.equal(fetcher.browserState().status, 'running');
    assert.equal(without.browserState().status, 'absent');
  });
});

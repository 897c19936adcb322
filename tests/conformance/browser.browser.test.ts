// A31: a page of another origin in a real browser, whose name leads to the agent's address, tries everything that a page can send.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { launchBrowser } from '../browser.ts';
import { until } from '../until.ts';

/** What a page sends; every one is awaited in the page and says how it ended. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'a fetch': `fetch(BASE + '/v1/keys', { headers: { authorization: 'Bearer ' + TOKEN } }).then((r) => 'answered ' + r.status)`,
  'a fetch that needs no preflight': `fetch(BASE + '/v1/keys', { method: 'POST', mode: 'no-cors', body: BODY }).then((r) => 'answered ' + r.status)`,
  'a fetch with JSON': `fetch(BASE + '/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + TOKEN }, body: BODY }).then((r) => 'answered ' + r.status)`,
  'an XMLHttpRequest': `new Promise((done) => { const x = new XMLHttpRequest(); x.open('POST', BASE + '/v1/keys'); x.setRequestHeader('authorization', 'Bearer ' + TOKEN); x.onloadend = () => done('answered ' + x.status); x.send(BODY); })`,
  'a WebSocket': `new Promise((done) => { const w = new WebSocket(BASE.replace('http', 'ws') + '/ws?ticket=' + TICKET); w.onopen = () => done('opened'); w.onclose = () => done('refused'); })`,
  'an EventSource': `new Promise((done) => { const e = new EventSource(BASE + '/v1/runs/1/events'); e.onopen = () => done('opened'); e.onerror = () => { e.close(); done('refused'); }; })`,
  'a beacon': `Promise.resolve(navigator.sendBeacon(BASE + '/v1/keys', new Blob([BODY], { type: 'text/plain' })) ? 'sent' : 'refused')`,
  'a form': `new Promise((done) => { const f = document.createElement('form'); f.method = 'POST'; f.enctype = 'text/plain'; f.action = BASE + '/v1/keys'; f.target = 'sink'; const i = document.createElement('iframe'); i.name = 'sink'; const n = document.createElement('input'); n.name = BODY; document.body.append(i, f); f.append(n); i.onload = () => done('sent'); f.submit(); })`,
  'an image': `new Promise((done) => { const i = new Image(); i.onload = () => done('opened'); i.onerror = () => done('refused'); i.src = BASE + '/openapi.json'; })`,
  'a script': `new Promise((done) => { const s = document.createElement('script'); s.onload = () => done('opened'); s.onerror = () => done('refused'); s.src = BASE + '/openapi.json'; document.body.append(s); })`,
};

suite('A31 a hostile page in a real browser', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let browser: Browser;
  let siteUrl: string;
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>evil</title><body>'),
  );

  before(async () => {
    agent = await startTestAgent();
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteUrl = `http://evil.test:${(site.address() as AddressInfo).port}/`;
    browser = await launchBrowser(['--host-resolver-rules=MAP evil.test 127.0.0.1']);
  });
  after(async () => {
    await browser.close();
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    await agent[Symbol.asyncDispose]();
  });

  for (const [name, attempt] of Object.entries(ATTEMPTS))
    for (const [from, base] of [
      ['its own name for the agent', () => `http://evil.test:${agent.port}`],
      ["the agent's address", () => agent.baseUrl],
    ] as const)
      test(`${name} to ${from} is answered 403, has no effect and can't be read`, async () => {
        const page = await browser.newPage();
        try {
          await page.goto(siteUrl);
          const before = rows(agent);
          const statuses = await answersOf(page, new URL(base()).port);
          const { ticket } = await agent.client.wsTicket.create();
          const outcome = await page.evaluate(
            `(async () => { const BASE = ${JSON.stringify(base())}, TOKEN = ${JSON.stringify(agent.token)}, TICKET = ${JSON.stringify(ticket)};
               const BODY = '{"name":"evil","scopes":"admin"}'; return await (${attempt}).catch((error) => 'refused ' + error.message); })()`,
          );
          assert.equal(typeof outcome, 'string');
          assert.ok(!/opened|answered 2/.test(String(outcome)), String(outcome));
          await until(() => statuses.length > 0);
          for (const status of statuses) assert.equal(status, 403, name);
          assert.deepEqual(rows(agent), before);
        } finally {
          await page.close();
        }
      });

  test('a page that was loaded by the rebound name itself gets nothing', async () => {
    const page = await browser.newPage();
    const response = await page.goto(`http://evil.test:${agent.port}/v1/agent`);
    assert.equal(response?.status(), 403);
    const headers = response?.headers() ?? {};
    assert.deepEqual(
      Object.keys(headers).filter((header) => header.startsWith('access-control-')),
      [],
    );
    await page.close();
  });

  test('a document of the agent itself can run nothing', async () => {
    const page = await browser.newPage();
    await page.goto(`${agent.baseUrl}/openapi.json`);
    await assert.rejects(page.evaluate(`fetch('/v1/agent')`), /Failed to fetch/);
    await page.close();
  });
});

/**
 * Statuses that the agent answers to this page from now on, as they are on the wire: the browser keeps most of them from the page, and
 * from its own list of responses, because of their Cross-Origin-Resource-Policy.
 */
async function answersOf(page: Page, port: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  const urls = new Map<string, string>();
  const early = new Map<string, number>();
  const note = (url: string, status: number) => {
    if (new URL(url).port === port) statuses.push(status);
  };
  const session = await page.context().newCDPSession(page);
  // The two come in either order.
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    urls.set(requestId, request.url);
    const status = early.get(requestId);
    if (status !== undefined) note(request.url, status);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    const url = urls.get(requestId);
    if (url === undefined) early.set(requestId, statusCode);
    else note(url, statusCode);
  });
  session.on('Network.webSocketFrameError', ({ errorMessage }) => statuses.push(Number(/response code: (\d+)/.exec(errorMessage)?.[1])));
  page.on('response', (response) => {
    if (new URL(response.url()).port === port) statuses.push(response.status());
  });
  await session.send('Network.enable');
  return statuses;
}

function rows(agent: TestAgent): unknown {
  const database = new DatabaseSync(join(agent.home, 'weft.db'), { readOnly: true });
  try {
    return ['api_key', 'run', 'crawl', 'record', 'idempotency'].map((name) => database.prepare(`SELECT count(*) AS n FROM ${name}`).get());
  } finally {
    database.close();
  }
}

// Whatever asks a host asks it in one way: its pace, its robots rules, its statuses and its refusals mean the same to every operation.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { suite, test } from 'node:test';
import type { AgentClient } from '@weft/client';
import { createClient } from '@weft/client';
import { startTestAgent, testClock } from '../agent.ts';
import { fetcherOfSites } from '../sites/public-sites.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../sites/raw-server.ts';

const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body });
const HOME = html('<title>Home</title><main><a href="/a">To the first</a> <a href="/b">To the second</a></main>');
const robots = (body: string) => reply({ headers: { 'Content-Type': 'text/plain' }, body });

/** An agent and a site, and when each request came by the agent's clock. */
async function start(routes: Readonly<Record<string, RawAnswer>>) {
  const clock = testClock();
  const asked: { readonly path: string; readonly atMs: number }[] = [];
  const site: RawServer = await startRawServer(({ path }) => {
    asked.push({ path, atMs: clock.now() });
    return routes[path];
  });
  const agent = await startTestAgent({ clock });
  return {
    agent,
    clock,
    asked,
    url: `${site.origin}/`,
    origin: site.origin,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await site.close();
    },
  };
}

/** The code with which each operation fails for `url`, in the order scrape, crawl, map, extract. */
async function codesOf(client: AgentClient, url: string): Promise<readonly (string | undefined)[]> {
  const crawl = async (limit: number) => {
    const run = await client.crawl.start({ url, limit, wait: true });
    return run.failure?.code;
  };
  return [
    await crawl(1),
    await crawl(5),
    (await client.map.run({ url })).failure?.code,
    (await client.extract.run({ url, css: 'h1' })).failure?.code,
  ];
}

suite('one way to ask a host', () => {
  test('attack 8: map and extract keep the delay that robots.txt asks for, and read the file once', async () => {
    const routes = {
      '/robots.txt': robots('User-agent: *\nCrawl-delay: 4\n'),
      '/': HOME,
      '/a': html('<h1>A</h1>'),
      '/b': html('<h1>B</h1>'),
    };
    await using site = await start(routes);
    const { client } = site.agent;
    await client.map.run({ url: site.url });
    for (const path of ['a', 'b', 'a']) assert.equal((await client.extract.run({ url: site.url + path, css: 'h1' })).count, 1);
    assert.equal(site.asked.filter(({ path }) => path === '/robots.txt').length, 1);
    const gaps = site.asked.slice(1).map(({ atMs }, i) => atMs - (site.asked[i]?.atMs ?? 0));
    assert.deepEqual(
      gaps.filter((ms) => ms < 4000),
      [],
      JSON.stringify(site.asked),
    );
  });

  test('attack 8: robots rules that a crawl has read are those of a map, a scrape and an extract', async () => {
    await using site = await start({ '/robots.txt': robots('User-agent: *\nDisallow: /b\n'), '/': HOME, '/a': html('<h1>A</h1>') });
    const { client } = site.agent;
    await client.crawl.start({ url: site.url, limit: 5, wait: true });
    await client.crawl.start({ url: site.url, limit: 1, wait: true });
    await client.map.run({ url: site.url });
    assert.deepEqual((await client.extract.run({ url: site.url, css: 'a' })).robots, { allowed: true });
    assert.equal(site.asked.filter(({ path }) => path === '/robots.txt').length, 1);
  });

  test('attack 18: whoever stays for the answer is told at once when a host may be asked, where that is late', async () => {
    await using site = await start({ '/robots.txt': robots('User-agent: *\nCrawl-delay: 3600\n'), '/': HOME });
    const { client } = site.agent;
    await client.extract.run({ url: site.url, css: 'a' });
    const until = /its host wants to be left alone until 2026-01-01T01:00:0\d\.\d{3}Z\. Ask again then\./;
    for (const { failure } of [await client.extract.run({ url: site.url, css: 'a' }), await client.map.run({ url: site.url })]) {
      assert.equal(failure?.code, 'rate_limited');
      assert.match(failure.message, until);
    }
    const { failure } = await client.crawl.start({ url: site.url, limit: 1, wait: true });
    assert.deepEqual([failure?.code, until.test(failure?.message ?? '')], ['rate_limited', true]);
  });

  for (const [status, first] of [
    ['503 Service Unavailable', '7'],
    ['429 Too Many Requests', '7'],
  ] as const)
    test(`attack 11: a crawl of one page asks again when a ${status.slice(0, 3)} says that it may`, async () => {
      let refusals = 2;
      const page: RawAnswer = (socket) => void socket.end(refusals-- > 0 ? reply({ status, headers: { 'Retry-After': first } }) : HOME);
      await using site = await start({ '/robots.txt': robots(''), '/': page });
      const startMs = site.clock.now();
      const run = await site.agent.client.crawl.start({ url: site.url, limit: 1, wait: true });
      assert.deepEqual([run.status, site.clock.now() - startMs], ['succeeded', 14_000]);
    });

  for (const [what, fails] of [
    ['an answer of 502', (socket: Socket) => void socket.end(reply({ status: '502 Bad Gateway' }))],
    ['a connection that breaks off', (socket: Socket) => void socket.destroy()],
  ] as const)
    test(`a crawl of one page asks again after ${what}, as often as a larger one, and no more`, async () => {
      for (const limit of [1, 5])
        for (const failures of [2, 3]) {
          let left = failures;
          const page: RawAnswer = (socket) => (left-- > 0 ? fails(socket) : void socket.end(html('<title>Home</title>')));
          await using site = await start({ '/robots.txt': robots(''), '/': page });
          const run = await site.agent.client.crawl.start({ url: site.url, limit, sitemap: 'skip', wait: true });
          assert.equal(run.status, failures === 2 ? 'succeeded' : 'failed', `${limit} ${failures}`);
          const asked = site.asked.filter(({ path }) => path === '/').map(({ atMs }) => atMs);
          const gaps = asked.slice(1).map((atMs, i) => atMs - (asked[i] ?? 0));
          assert.equal(asked.length, 3);
          assert.ok((gaps[0] ?? 0) >= 1_000 && (gaps[1] ?? 0) >= 4_000, gaps.join(' '));
        }
    });

  test('attack 11: a 503 that says nothing, or too late, fails the page and says when', async () => {
    const refusing = (headers: Record<string, string>) => reply({ status: '503 Service Unavailable', headers });
    await using silent = await start({ '/robots.txt': robots(''), '/': refusing({}) });
    const one = await silent.agent.client.crawl.start({ url: silent.url, limit: 1, wait: true });
    assert.deepEqual([one.failure?.code, /Ask again later/.test(one.failure?.message ?? '')], ['rate_limited', true]);
    await using late = await start({ '/robots.txt': robots(''), '/': refusing({ 'Retry-After': '3600' }) });
    const other = await late.agent.client.crawl.start({ url: late.url, limit: 1, wait: true });
    assert.equal(other.failure?.code, 'rate_limited');
    assert.match(other.failure?.message ?? '', /until 2026-01-01T01:00:00\.000Z/);
  });

  for (const [what, head] of [
    ['a 304 that nobody asked for', '304 Not Modified'],
    ['a part that nobody asked for', '206 Partial Content'],
    ['a redirect that leads nowhere', '302 Found'],
    ['an error', '404 Not Found'],
  ] as const)
    test(`attack 17: ${what} is no page to any operation`, async () => {
      const body = reply({ status: head, headers: { 'Content-Type': 'text/html' }, body: head.startsWith('304') ? '' : '<h1>Part</h1>' });
      await using site = await start({ '/robots.txt': robots(''), '/': body });
      assert.deepEqual(await codesOf(site.agent.client, site.url), ['http_status', 'http_status', 'http_status', 'http_status']);
    });

  test('attack 17: bytes that are sent as HTML and are none are no page to any operation', async () => {
    const garbage = reply({ headers: { 'Content-Type': 'text/html' }, body: new Uint8Array(3000).map((_, i) => (i * 7) % 256) });
    await using site = await start({ '/robots.txt': robots(''), '/': garbage });
    assert.deepEqual(await codesOf(site.agent.client, site.url), Array(4).fill('unsupported_type'));
  });

  test('attack 13: one refusal has one code, whatever operation meets it', async () => {
    const site = await startRawServer(() => undefined);
    await using agent = await startTestAgent({ fetcher: fetcherOfSites({}) });
    const { token } = await agent.client.keys.create({ name: 'restricted', scopes: 'run' });
    const key = createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 });
    for (const [url, code] of [
      ['http://no-such-host.test/', 'dns'],
      [`${site.origin}/`, 'address'],
      ['http://169.254.169.254/latest/', 'address'],
    ] as const)
      assert.deepEqual(await codesOf(key, url), Array(4).fill(code), url);
    await site.close();
  });

  test('attack 13: the ledger names what kept a page from being asked for, not the file that could not be asked for either', async () => {
    await using agent = await startTestAgent({ fetcher: fetcherOfSites({}) });
    for (const [url, outcome, reason] of [
      ['http://no-such-host.test/', 'failed', 'dns'],
      ['http://169.254.169.254/latest/', 'skipped', 'address'],
    ] as const) {
      const { id } = await agent.client.crawl.start({ url, limit: 5, wait: true });
      const ledger = await agent.client.crawl.ledger({ id });
      assert.ok('data' in ledger);
      assert.deepEqual(
        ledger.data.map((line) => [line.outcome, line.reason]),
        [[outcome, reason]],
      );
    }
  });
});

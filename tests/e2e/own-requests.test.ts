// Headers, cookies, methods and bodies of one's own: they reach the host that was named, and nothing else; what it echoes is masked.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '@weft/client';
import type { Send } from '@weft/contract';
import { createAddressGate, proxyFinder } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { createProxyLogins } from '../../packages/daemon/src/secrets/proxy-logins.ts';
import { startTestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { startProxy } from '../sites/proxy.ts';
import { fetcherOfSites } from '../sites/public-sites.ts';
import type { RawRequest } from '../sites/raw-server.ts';
import { hang, reply, startRawServer } from '../sites/raw-server.ts';

const TOKEN = 'tok-5f3a9c71e2';
const COOKIE = 'cook-77aa01bc';
const SEND: Send = { headers: { Authorization: `Bearer ${TOKEN}`, 'Accept-Language': 'de' }, cookies: [{ name: 'sid', value: COOKIE }] };

const html = (body: string) =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html><title>Echo</title><main>${body}</main>` });
const echo = ({ head, body }: RawRequest) => html(`<h1>Echo</h1><pre>${head} | ${body}</pre><a href="/next">next</a>`);
const headerOf = (request: RawRequest | undefined, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(request?.head ?? '')?.[1]?.trim();

suite('what a caller sends of its own', () => {
  test('reaches each page of the named origin and no other, and stands in no file of the agent', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-sends-'));
    const other = await startRawServer(echo);
    const site = await startRawServer((request) =>
      request.path === '/robots.txt'
        ? undefined
        : request.path === '/'
          ? html(`<h1>Home</h1><p>${request.head}</p><a href="/next">n</a><a href="${other.origin}/o">o</a>`)
          : echo(request),
    );
    try {
      await using agent = await startTestAgent({ home });
      const { client } = agent;
      const crawl = await client.crawl.start({
        url: `${site.origin}/`,
        allow_external_links: true,
        send: SEND,
        page_max_age: 60,
        wait: true,
      });
      assert.equal(crawl.status, 'succeeded');
      const pages = site.requests.filter(({ path }) => path === '/' || path === '/next');
      assert.equal(pages.length, 2);
      for (const page of pages)
        assert.deepEqual(
          [headerOf(page, 'authorization'), headerOf(page, 'cookie'), headerOf(page, 'accept-language')],
          [`Bearer ${TOKEN}`, `sid=${COOKIE}`, 'de'],
        );
      for (const request of other.requests) assert.doesNotMatch(request.head, new RegExp(`${TOKEN}|accept-language: de`, 'i'));
      assert.match(JSON.stringify(crawl.data), /\[masked\]/);
      const found = await client.extract.run({ url: `${site.origin}/x`, css: 'pre', send: SEND });
      assert.match(found.matches?.[0]?.value ?? '', /sid=\[masked\]/);
      const odd = await client.extract.run({
        url: `${site.origin}/x`,
        css: 'pre',
        send: { headers: { Authorization: 'Basic %%no-base64%%' } },
      });
      assert.match(odd.matches?.[0]?.value ?? '', /authorization: \[masked\]/i);
      const listed = JSON.stringify([await client.crawl.list({}), await client.runs.list({}), await client.datasets.list({})]);
      assert.doesNotMatch(listed, new RegExp(`${TOKEN}|${COOKIE}|sends`));
      // Its pages are nobody's copies: the next crawl asks anew.
      const again = await client.crawl.start({ url: `${site.origin}/`, page_max_age: 60, wait: true });
      assert.equal(again.counts.reused, 0);
      for (const file of filesBelow(home)) assert.ok(![TOKEN, COOKIE].some((secret) => readFileSync(file).includes(secret)), file);
    } finally {
      await Promise.all([site.close(), other.close()]);
      rmSync(home, { recursive: true });
    }
  });

  test('follows no redirect to another origin', async () => {
    const page = '<title>There</title><main><h1>There</h1><p>A page of words that is long enough.</p></main>';
    const other = await startSite(() => page);
    const site = await startSite((path) =>
      path === '/robots.txt'
        ? undefined
        : path === '/there'
          ? page
          : { status: 302, headers: { location: path === '/on' ? '/there' : 'http://other.test/x' }, body: '' },
    );
    try {
      await using agent = await startTestAgent({ fetcher: fetcherOfSites({ 'own.test': site, 'other.test': other }) });
      const scrape = (path: string, send: Send) => agent.client.crawl.start({ url: `http://own.test${path}`, limit: 1, wait: true, send });
      const away = await scrape('/away', SEND);
      assert.deepEqual([away.failure?.code, other.requests.filter((path) => path === '/x').length], ['address', 0]);
      assert.match(away.failure?.message ?? '', /redirects to http:..other.test, and what is sent is for http:..own.test alone/);
      assert.equal((await scrape('/on', SEND)).status, 'succeeded');
      assert.equal((await scrape('/away', { headers: { accept: 'text/html' } })).status, 'succeeded');
    } finally {
      await Promise.all([site.close(), other.close()]);
    }
  });

  test('a method and a body go out once, however the host answers', async () => {
    const site = await startRawServer((request) => (request.path === '/broken' ? reply({ status: '500 Broken' }) : echo(request)));
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      const posted = await client.crawl.start({ url: `${site.origin}/form`, limit: 1, wait: true, send: { body: 'q=tea' } });
      assert.match(posted.data[0]?.markdown ?? '', /POST \/form HTTP[^]*q=tea/);
      const json = await client.extract.run({
        url: `${site.origin}/api`,
        css: 'pre',
        send: { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } },
      });
      assert.match(json.matches?.[0]?.value ?? '', /^PUT \/api[^]*application\/json[^]*\| \{\}$/);
      const broken = await client.crawl.start({ url: `${site.origin}/broken`, limit: 1, wait: true, send: { method: 'POST' } });
      assert.deepEqual([broken.failure?.code, site.requests.filter(({ path }) => path === '/broken').length], ['server_error', 1]);
    } finally {
      await site.close();
    }
  });

  test('is refused of a key that may only run, beside a persona, and where nothing could carry it', async () => {
    await using agent = await startTestAgent();
    const { token } = await agent.client.keys.create({ name: 'runs', scopes: 'run' });
    const key = createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 });
    const url = 'http://a.test/';
    const codeOf = (error: { readonly code?: string }) => error.code;
    await assert.rejects(key.crawl.start({ url, send: SEND }), (error: object) => codeOf(error) === 'forbidden');
    await assert.rejects(key.extract.run({ url, css: 'a', send: SEND }), (error: object) => codeOf(error) === 'forbidden');
    for (const body of [
      { url, send: SEND, persona_id: 1 },
      { url, send: { body: 'a' } },
      { url, limit: 1, send: { method: 'GET' as const, body: 'a' } },
      { url, limit: 1, lane: 'browser' as const, send: SEND },
      { url, limit: 1, send: { headers: { 'User-Agent': 'Mozilla/5.0' } } },
      { url, limit: 1, proxy: 'nowhere' },
    ])
      await assert.rejects(agent.client.crawl.start(body), (error: object) => codeOf(error) === 'bad_request');
  });

  test('does not outlive the agent: a crawl that goes on after a restart says so instead of asking without it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-sends-'));
    const site = await startRawServer(({ path }) => (path === '/robots.txt' ? undefined : hang()));
    try {
      const first = await startTestAgent({ home });
      const { id } = await first.client.crawl.start({ url: `${site.origin}/`, send: SEND });
      await first[Symbol.asyncDispose]();
      const before = site.requests.length;
      await using second = await startTestAgent({ home });
      const run = await second.client.waitForRun(id);
      assert.deepEqual([run.failure?.code, site.requests.length], ['interrupted', before]);
      assert.match(run.failure?.message ?? '', /in its memory alone/);
    } finally {
      await site.close();
      rmSync(home, { recursive: true });
    }
  });

  test('a proxy is chosen by its name, by crawls and extractions alike, and logs in with a secret of its own origin', async () => {
    const site = await startRawServer(echo);
    const proxy = await startProxy('http', () => site.port, 'ada:pass-8f2e61');
    const home = mkdtempSync(join(tmpdir(), 'weft-sends-'));
    const proxies = { office: { url: proxy.url, secret: 'office' } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ proxies }));
    const proxyLogins = createProxyLogins(proxies);
    const findProxy = proxyFinder(proxies, (name) => proxyLogins.find(name));
    const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }), findProxy });
    try {
      await using agent = await startTestAgent({ home, fetcher, proxyLogins });
      const { client } = agent;
      const scrape = () => client.crawl.start({ url: `${site.origin}/`, limit: 1, proxy: 'office', wait: true });
      const without = await scrape();
      assert.deepEqual([without.failure?.code, site.requests.length], ['connect', 0]);
      assert.match(without.failure?.message ?? '', /The proxy "office" wants a login. There is no secret "office"/);
      await client.secrets.create({ key: 'office', value: 'ada:pass-8f2e61', origins: [new URL(proxy.url).origin] });
      assert.equal((await scrape()).status, 'succeeded');
      const asked = proxy.asked.length;
      assert.ok(asked > 0 && proxy.asked.every((one) => one.startsWith('ada:pass-8f2e61@')));
      await client.extract.run({ url: `${site.origin}/`, css: 'h1', proxy: 'office' });
      assert.ok(site.requests.length > 1);
    } finally {
      await Promise.all([site.close(), proxy.close()]);
      rmSync(home, { recursive: true });
    }
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

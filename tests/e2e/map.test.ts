import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createClient } from '@weft/client';
import { startTestAgent, testClock } from '../agent.ts';
import type { RawRequest } from '../sites/raw-server.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';

const page = (title: string, links: readonly string[]) =>
  reply({
    headers: { 'Content-Type': 'text/html' },
    body: `<title>${title}</title><main>${links.map((link) => `<a href="${link}">Read ${link.slice(1)}</a>`).join(' ')}</main>`,
  });
const sitemap = (urls: readonly string[]) =>
  reply({
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
  });
const sitemapIndex = (urls: readonly string[]) =>
  reply({
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`,
  });

/** A small site: the sitemap names two pages, the home page two, and one of those two more. */
async function startSite(robots = '') {
  const paths = new Set<string>();
  const site = await startRawServer((request: RawRequest) => {
    paths.add(request.path);
    const { path } = request;
    if (path === '/robots.txt') return reply({ headers: { 'Content-Type': 'text/plain' }, body: robots });
    if (path === '/sitemap.xml') return sitemap([`${origin()}/listed-one`, `${origin()}/guides/install`]);
    if (path === '/') return page('Home', ['/about', '/shop', 'https://elsewhere.test/x', '/#top', 'mailto:a@x.test']);
    if (path === '/shop') return page('Shop', ['/shop/lamp', '/shop/chair', '/private/desk']);
    return ['/about', '/listed-one', '/guides/install', '/shop/lamp', '/shop/chair', '/private/desk'].includes(path)
      ? page(path, [])
      : undefined;
  });
  const origin = () => site.origin;
  return { ...site, paths, [Symbol.asyncDispose]: () => site.close() };
}

suite('POST /x/map', () => {
  test('lists sitemap, links and what a short crawl finds, each address once and of the site alone', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/` });
    const sources = Object.fromEntries(map.links.map(({ url, source }) => [url.slice(site.origin.length), source]));
    assert.deepEqual(sources, {
      '/listed-one': 'sitemap',
      '/guides/install': 'sitemap',
      '/': 'link',
      '/about': 'link',
      '/shop': 'link',
      '/shop/lamp': 'crawl',
      '/shop/chair': 'crawl',
      '/private/desk': 'crawl',
    });
    assert.equal(map.count, 8);
    assert.equal(map.complete, true);
    assert.equal(map.links.find(({ url }) => url.endsWith('/about'))?.title, 'Read about');
    assert.deepEqual(agent.logged, []);
  });

  test('reads a manual without sitemap to its end: 530 pages, of which the first names ten', async () => {
    const chapters = (from: number, count: number) => Array.from({ length: count }, (_, i) => `/chapter-${from + i}`);
    const server = await startRawServer(({ path }: RawRequest) => {
      const number = Number(/^\/chapter-(\d+)$/.exec(path)?.[1]);
      if (path === '/') return page('Manual', chapters(0, 10));
      return number < 529 ? page(`On ${path}`, chapters(Math.min(number + 1, 528), Math.min(10, 528 - number) || 1)) : undefined;
    });
    await using site = { ...server, [Symbol.asyncDispose]: () => server.close() };
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/` });
    assert.deepEqual([map.count, map.complete, map.status], [530, true, 200]);
    const some = await agent.client.map.run({ url: `${site.origin}/`, limit: 100 });
    assert.deepEqual([some.count, some.complete], [100, false]);
  });

  test('ends after a minute, however fast its site lets itself be asked, and says that it is not all', async () => {
    const clock = testClock();
    const server = await startRawServer(({ path }: RawRequest) => {
      const number = Number(/^\/(\d*)$/.exec(path)?.[1]);
      if (Number.isNaN(number) || number >= 100) return undefined;
      clock.advance(10_000);
      return page(`On ${path}`, [`/${number + 1}`]);
    });
    await using site = { ...server, [Symbol.asyncDispose]: () => server.close() };
    await using agent = await startTestAgent({ clock });
    const map = await agent.client.map.run({ url: `${site.origin}/`, sitemap: 'skip', search: 'on' });
    assert.deepEqual([map.count, map.complete, map.status], [7, false, 200]);
  });

  test('reads no further sitemap after a minute', async () => {
    const clock = testClock();
    const server = await startRawServer(({ path }: RawRequest) => {
      const number = Number(/^\/map-(\d+)\.xml$/.exec(path)?.[1]);
      if (path === '/sitemap.xml') return sitemapIndex(Array.from({ length: 100 }, (_, i) => `${origin()}/map-${i}.xml`));
      if (Number.isNaN(number)) return undefined;
      clock.advance(10_000);
      return sitemap([`${origin()}/page-${number}`]);
    });
    const origin = () => server.origin;
    await using site = { ...server, [Symbol.asyncDispose]: () => server.close() };
    await using agent = await startTestAgent({ clock });
    const map = await agent.client.map.run({ url: `${site.origin}/`, sitemap: 'only' });
    assert.deepEqual([map.count, map.complete], [6, false]);
  });

  test('ranks by titles and by the words of links, where addresses say nothing', async () => {
    const server = await startRawServer(({ path }: RawRequest) => {
      if (path === '/') return page('Home', ['/a1', '/b2', '/c3']);
      return path === '/b2' ? page('Queues of coroutines', []) : page('Something else', []);
    });
    await using site = { ...server, [Symbol.asyncDispose]: () => server.close() };
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/`, search: 'coroutine queue' });
    assert.equal(map.links[0]?.url, `${site.origin}/b2`);
    assert.ok((map.links[0]?.score ?? 0) > 0);
  });

  test('says that the address itself answers 404, beside what the sitemap lists', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/gone` });
    assert.equal(map.count, 2);
    assert.match(map.failure?.message ?? '', /404/);
    assert.equal(map.status, 404);
  });

  test('ranks by the words of a search and keeps the best', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/`, search: 'install guides', limit: 2 });
    assert.equal(map.links[0]?.url, `${site.origin}/guides/install`);
    assert.ok((map.links[0]?.score ?? 0) > (map.links[1]?.score ?? 0));
    assert.equal(map.count, 2);
    assert.equal(map.complete, false);
  });

  test('asks for nothing that robots.txt forbids, unless an admin says so', async () => {
    await using site = await startSite('User-agent: *\nDisallow: /private');
    await using agent = await startTestAgent();
    await agent.client.map.run({ url: `${site.origin}/` });
    assert.equal(site.paths.has('/private/desk'), false);
    await agent.client.map.run({ url: `${site.origin}/`, respect_robots: false });
    assert.equal(site.paths.has('/private/desk'), true);
    const { token } = await agent.client.keys.create({ name: 'runner', scopes: 'run' });
    const client = createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 });
    await assert.rejects(client.map.run({ url: `${site.origin}/`, respect_robots: false }), { code: 'forbidden' });
  });

  test('reads sitemaps alone when asked to', async () => {
    await using site = await startSite();
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: `${site.origin}/`, sitemap: 'only' });
    assert.equal(map.count, 2);
    assert.equal(site.paths.has('/shop'), false);
  });

  test('says why a site gave nothing', async () => {
    await using agent = await startTestAgent();
    const map = await agent.client.map.run({ url: 'http://127.0.0.1:1/' });
    assert.deepEqual([map.count, map.complete], [0, false]);
    assert.ok(map.failure?.message);
  });
});

// What a page says in a crawl does not depend on what was read before it; a gate that lets in who has a cookie is passed once.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawRequest } from '../sites/raw-server.ts';

const THINGS = ['lantern', 'block', 'cleat', 'hook', 'compass', 'bucket'];
const cookieOf = ({ head }: RawRequest) => /^cookie: (.*)$/im.exec(head)?.[1]?.trim() ?? '';
const html = (headers: Readonly<Record<string, string>>, title: string, body: string) =>
  reply({
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
    body: `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>The ${title} is made by hand, and each one is tested at sea for a year.</p>${body}</main>`,
  });
const LINKS = THINGS.map((thing) => `<p><a href="/${thing}">${thing}</a></p>`).join('');

/** A shop that shows under each thing what its visitor looked at last. */
function shopPage(request: RawRequest) {
  const thing = request.path.slice(1);
  if (thing === '') return html({}, 'shop', LINKS);
  if (!THINGS.includes(thing)) return undefined;
  const seen = /seen=(\w+)/.exec(cookieOf(request))?.[1];
  return html(
    { 'Set-Cookie': `seen=${thing}; Path=/` },
    thing,
    seen === undefined ? '' : `<h2>You looked at</h2><p>The ${seen} before.</p>`,
  );
}

/** A site that sends whoever has no cookie to a gate and back. */
function gatedPage(request: RawRequest) {
  if (request.path.startsWith('/gate?')) {
    const back = decodeURIComponent(request.path.slice('/gate?back='.length));
    return reply({ status: '302 Found', headers: { Location: back, 'Set-Cookie': 'in=1; Path=/' }, body: '' });
  }
  if (request.path === '/robots.txt' || /sitemap/.test(request.path)) return undefined;
  if (!/in=1/.test(cookieOf(request)))
    return reply({ status: '302 Found', headers: { Location: `/gate?back=${encodeURIComponent(request.path)}` }, body: '' });
  return shopPage(request);
}

suite('cookies in a crawl', () => {
  test('each page says what it says to who comes first', async () => {
    const site = await startRawServer(shopPage);
    try {
      await using agent = await startTestAgent();
      const crawl = await agent.client.crawl.start({ url: `${site.origin}/`, wait: true, formats: ['markdown'] });
      assert.equal(crawl.data?.length, 7);
      assert.deepEqual(
        crawl.data.filter(({ markdown }) => markdown?.includes('You looked at')).map(({ url }) => url),
        [],
      );
    } finally {
      await site.close();
    }
  });

  test('a gate is gone through once or by those that are on their way, not for each page', async () => {
    const site = await startRawServer(gatedPage);
    try {
      await using agent = await startTestAgent();
      const crawl = await agent.client.crawl.start({ url: `${site.origin}/`, wait: true, formats: ['markdown'] });
      assert.equal(crawl.data?.length, 7);
      assert.equal(site.requests.filter(({ path }) => path.startsWith('/gate')).length, 1);
    } finally {
      await site.close();
    }
  });
});

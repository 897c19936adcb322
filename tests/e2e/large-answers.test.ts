import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

const PAGES = 4;
const PAGE_BYTES = 7_000_000;

test('attack 3: a crawl of large pages is answered in parts, each with a way to the next, wherever it is read', async () => {
  await using site = await serveOnLoopback((request, response) => {
    const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">page ${i}</a>`).join('');
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<title>${request.url}</title><main>${links}<p>${request.url} ${'x'.repeat(request.url === '/' ? 1 : PAGE_BYTES)}</p></main>`,
    );
  });
  await using agent = await startTestAgent();
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${agent.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${response.status} for ${path}`);
    const answer = (await response.json()) as { id: number; data?: { url: string }[]; next_cursor?: string };
    return { ...answer, urls: (answer.data ?? []).map(({ url }) => new URL(url).pathname), link: response.headers.get('link') };
  };
  const options = { url: site.url, formats: ['raw_html'], limit: 20, sitemap: 'skip', max_concurrency: 1 };
  await ask('/v1/crawl/definitions', { ...options, slug: 'large' });
  const first = await ask('/v1/crawl/definitions/large/run', { wait: true });
  assert.equal(first.urls.length, 3);
  for (const path of [`/v1/crawl/${first.id}`, '/v1/crawl/definitions/large/data']) {
    const seen: string[] = [];
    let part = await ask(path);
    for (; part.next_cursor !== undefined; part = await ask(part.link?.match(/<(.*)>/)?.[1] ?? '')) seen.push(...part.urls);
    assert.deepEqual([...seen, ...part.urls].toSorted(), ['/', '/0', '/1', '/2', '/3']);
  }
});

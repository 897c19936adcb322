import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

test('scrapes a page, keeps it as a record, and answers it again by the crawl id', async () => {
  await using site = await startSite('<title>Hello</title><article><h1>Hello</h1><p>First light.</p></article>');
  await using agent = await startTestAgent();
  const crawl = await agent.client.crawl.start({ url: site.url, limit: 1, wait: true });
  assert.equal(crawl.status, 'succeeded', JSON.stringify(crawl.failure));
  assert.deepEqual(crawl.counts, { discovered: 1, fetched: 1, reused: 0, failed: 0, skipped: 0, pending: 0 });
  assert.match(crawl.data[0]?.markdown ?? '', /# Hello\n\nFirst light\./);
  assert.deepEqual((await agent.client.crawl.read({ id: crawl.id })).data, crawl.data);
  assert.deepEqual(agent.logged, []);
});

async function startSite(html: string) {
  return await serveOnLoopback((_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html));
}

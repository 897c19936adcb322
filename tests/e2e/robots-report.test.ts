import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTestAgent } from '../agent.ts';

/** Path and what robots.txt and the page say -> the report beside the page, which is kept either way. */
const CASES: readonly (readonly [path: string, headers: Record<string, string>, report: object])[] = [
  ['/open', {}, { allowed: true, noindex: false }],
  ['/closed/page', {}, { allowed: false, rule: 'Disallow: /closed', line: 2, noindex: false }],
  ['/open', { 'x-robots-tag': 'noindex, nofollow' }, { allowed: true, noindex: true }],
];

for (const [path, headers, report] of CASES)
  test(`a scrape of ${path} with ${JSON.stringify(headers)} reports the robots rules and keeps the page`, async () => {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt')
        response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /closed\n');
      else response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<title>x</title><p>A page with some words.');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using agent = await startTestAgent();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const crawl = await agent.client.crawl.start({ url, limit: 1, wait: true });
    server.closeAllConnections();
    server.close();
    assert.equal(crawl.status, 'succeeded');
    assert.deepEqual(crawl.data[0]?.robots, report);
  });

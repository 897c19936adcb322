import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';

const startShelf = () =>
  startSite((path) => {
    if (path === '/robots.txt')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private\n' };
    if (path === '/') return '<p>A shelf.</p><a href="/a">a</a><a href="/private">p</a><a href="/cart">c</a><a href="/gone">g</a>';
    return path === '/a' ? '<p>The page a of this shelf says something that no other says.</p>' : undefined;
  });

suite('the ledger of a crawl', () => {
  test('names outcome, reason and rule of every address, filtered, by cursor and as NDJSON', async () => {
    const site = await startShelf();
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      const options = { url: `${site.origin}/`, exclude_paths: ['/cart'], sitemap: 'skip' as const, formats: [] };
      const { id } = await client.crawl.start({ ...options, wait: true });
      const first = await client.crawl.ledger({ id, limit: 2 });
      assert.ok(!(first instanceof Response) && first.next_cursor);
      const rest = await client.crawl.ledger({ id, cursor: first.next_cursor });
      assert.ok(!(rest instanceof Response));
      const shown = [...first.data, ...rest.data].map(({ url, outcome, reason, rule }) => [new URL(url).pathname, reason ?? outcome, rule]);
      assert.deepEqual(shown, [
        ['/', 'fetched', undefined],
        ['/a', 'fetched', undefined],
        ['/private', 'robots', 'robots.txt line 2: Disallow: /private'],
        ['/cart', 'excluded', '/cart'],
        ['/gone', 'http_status', 'HTTP 404'],
      ]);
      const skipped = await client.crawl.ledger({ id, outcome: 'skipped', reason: 'robots' });
      assert.ok(!(skipped instanceof Response));
      assert.equal(skipped.count, 1);
      const response = await fetch(`${agent.baseUrl}/x/crawl/${id}/ledger?format=ndjson`, {
        headers: { authorization: `Bearer ${agent.token}` },
      });
      const lines = (await response.text()).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        [...first.data, ...rest.data],
      );
    } finally {
      await site.close();
    }
  });

  test('can be foretold: the same rules explain an address without a crawl', async () => {
    const site = await startShelf();
    try {
      await using agent = await startTestAgent();
      const { data } = await agent.client.crawl.explain({
        options: { url: `${site.origin}/`, exclude_paths: ['/cart'] },
        urls: ['/a', '/private', '/cart', '/a.zip', '/logout', '/a?utm_source=x', '/a?print=1']
          .map((path) => site.origin + path)
          .concat('https://elsewhere.test/'),
      });
      assert.deepEqual(
        data.map(({ fetched, reason, rule, robots_line }) => [fetched, reason, rule, robots_line]),
        [
          [true, undefined, undefined, undefined],
          [false, 'robots', 'Disallow: /private', 2],
          [false, 'excluded', '/cart', undefined],
          [true, undefined, undefined, undefined],
          [false, 'acts', 'sign out: /logout', undefined],
          [true, undefined, 'asked for without utm_source', undefined],
          [false, 'alternate', '?print=1', undefined],
          [false, 'off_site', 'allow_external_links is false', undefined],
        ],
      );
      assert.deepEqual(site.requests, ['/robots.txt'], 'only robots.txt of the one host is asked for');
    } finally {
      await site.close();
    }
  });
});

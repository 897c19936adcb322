// Datasets and crawls that are tidied up, and what differs between two runs of a saved crawl.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ApiError } from '@weft/client';
import { startTestAgent } from '../agent.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawAnswer } from '../sites/raw-server.ts';

const page = (title: string, words: string, links: readonly string[] = []) =>
  reply({
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': `n=${title.length}` },
    body: `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${links.map((href) => `<a href="${href}">${href}</a> `).join('')}</main>`,
  });
const hasCode = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

suite('a saved crawl that is run again', () => {
  test('says what is new, changed, gone, equal and could not be read, and which words differ', async () => {
    const all = ['/same', '/other', '/gone', '/broken'];
    let routes: Record<string, RawAnswer> = {
      '/': page('Home', 'Everything begins here, for all who come.', all),
      '/same': page('Same', 'A sentence that stays as it is, written 2 minutes ago.'),
      '/other': page('Other', 'The lantern costs twelve crowns today, and the whale is not for sale.'),
      '/gone': page('Gone', 'A page that will not be there for long.'),
      '/broken': page('Broken', 'A page whose server will have a bad day.'),
    };
    const site = await startRawServer(({ path }) => routes[path]);
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      const saved = await client.crawlDefinitions.create({ url: `${site.origin}/`, slug: 'shop' });
      const runIt = () => client.crawlDefinitions.run({ ref: 'shop', wait: true });
      const first = await runIt();
      const datasetId = saved.dataset_id;
      await assert.rejects(client.datasets.diff({ id: datasetId }), hasCode('not_found'));
      routes = {
        ...routes,
        '/': page('Home', 'Everything begins here, for all who come.', [...all, '/new']),
        '/other': page('Other', 'The lantern costs fifteen crowns today, and the whale is not for sale.'),
        '/same': page('Same', 'A sentence that stays as it is, written about an hour ago.'),
        '/new': page('New', 'A page that nobody has seen before this day.'),
        '/broken': reply({ status: '500 Broken' }),
      };
      delete routes['/gone'];
      const second = await runIt();
      const diff = await client.datasets.diff({ id: datasetId, from: first.id, to: second.id });
      const { changes, ...counts } = diff;
      assert.deepEqual(counts, { from: first.id, to: second.id, matched_by: 'key', new: 1, changed: 2, gone: 1, equal: 1, unread: 1 });
      const of = (path: string) => changes.find(({ key }) => new URL(key).pathname === path);
      assert.deepEqual([of('/new')?.change, of('/gone')?.change, of('/broken'), of('/same')], ['new', 'gone', undefined, undefined]);
      const words = of('/other')?.text;
      assert.deepEqual([words?.added, words?.removed], [1, 1]);
      assert.deepEqual(
        words?.parts.filter(({ kind }) => kind !== 'same').map(({ kind, text }) => [kind, text.trim()]),
        [
          ['removed', 'twelve'],
          ['added', 'fifteen'],
        ],
      );
      assert.ok(words?.parts.every(({ kind, text }) => kind !== 'same' || text.length < 130));
      assert.deepEqual((await client.datasets.diff({ id: datasetId, limit: 0 })).changes, []);
      await assert.rejects(client.datasets.diff({ id: datasetId, from: 999 }), hasCode('not_found'));

      // Deleting the newer run brings the older back.
      await client.crawl.delete({ id: second.id });
      const kept = await client.crawlDefinitions.data({ ref: 'shop' });
      assert.match(JSON.stringify(kept.data), /twelve crowns/);
      await assert.rejects(client.crawl.read({ id: second.id }), hasCode('not_found'));
      await assert.rejects(client.datasets.delete({ id: datasetId }), hasCode('conflict'));
      await client.crawlDefinitions.delete({ ref: 'shop' });
      await client.datasets.delete({ id: datasetId });
      assert.deepEqual((await client.datasets.searchAll({ q: 'lantern' })) as unknown, { data: [], count: 0 });
      assert.equal((await client.runs.read({ id: first.id })).dataset_id, undefined);
    } finally {
      await site.close();
    }
  });
});

suite('tidying up', () => {
  test('a crawl that kept nothing leaves no dataset, and one that is deleted takes its own along', async () => {
    const site = await startRawServer({ '/a/': page('A', 'A page of words that says enough to be kept.') });
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      const failed = await client.crawl.start({ url: `${site.origin}/absent`, wait: true });
      assert.deepEqual([failed.status, failed.dataset_id], ['failed', 0]);
      const good = await client.crawl.start({ url: `${site.origin}/a/`, wait: true });
      const ids = async () => ((await client.datasets.list({})) as { data: readonly { id: number }[] }).data.map(({ id }) => id);
      assert.deepEqual(await ids(), [good.dataset_id]);
      const renamed = await client.datasets.rename({ id: good.dataset_id, name: '  My pages ' });
      assert.equal(renamed.name, 'My pages');
      const { data } = (await client.datasets.records({ id: good.dataset_id })) as { data: readonly { id: number; key: string }[] };
      const record = await client.datasets.record({ id: good.dataset_id, record: data[0]?.id ?? 0 });
      assert.deepEqual([record.key, record.data['title']], [`${site.origin}/a/`, 'A']);
      await client.crawl.delete({ id: good.id });
      assert.deepEqual(await ids(), []);
      const scraped = await client.crawl.start({ url: `${site.origin}/a/`, limit: 1, wait: true });
      await client.datasets.delete({ id: scraped.dataset_id });
      // The dataset that all single pages share is made anew by the next one.
      const next = await client.crawl.start({ url: `${site.origin}/a/`, limit: 1, wait: true });
      assert.deepEqual([next.status, await ids()], ['succeeded', [next.dataset_id]]);
      assert.deepEqual(agent.logged, []);
    } finally {
      await site.close();
    }
  });
});

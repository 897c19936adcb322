import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createClient } from '@weft/client';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import type { RawServer } from '../sites/raw-server.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';

const item = (n: number) =>
  `<li class="book"><a href="/books/${n}">Book number ${n}</a> <span class="price">$1${n}.50</span> in stock</li>`;
const SHELF = `<!doctype html><html lang="en"><title>Shelf</title><main><h1>The shelf</h1><ul>${[1, 2, 3, 4, 5, 6].map(item).join('')}</ul>
<form action="/find"><input type="search" name="q" aria-label="Find a book"></form><p>Call 555-0100.</p></main>`;
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body });

interface Fixture {
  readonly agent: TestAgent;
  readonly site: RawServer;
}

let fixture: Fixture;
before(async () => {
  const site = await startRawServer({
    '/shelf': html(SHELF),
    '/data.json': reply({ headers: { 'Content-Type': 'application/json' }, body: '{"books":[{"name":"a"},{"name":"b"}]}' }),
    '/robots.txt': reply({ headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /data' }),
    '/moved': reply({ status: '410 Gone', body: '' }),
  });
  fixture = { agent: await startTestAgent(), site };
});
after(async () => {
  await fixture.agent[Symbol.asyncDispose]();
  await fixture.site.close();
});

const run = (input: object) => fixture.agent.client.extract.run(input as Parameters<TestAgent['client']['extract']['run']>[0]);
const SELECTORS: readonly (readonly [name: string, selector: object, values: readonly string[], count: number])[] = [
  ['CSS', { css: '.book a' }, ['Book number 1', 'Book number 2'], 6],
  ['XPath', { xpath: "//li[contains(., 'Book number 3')]/a/@href" }, ['SITE/books/3'], 1],
  ['an attribute behind CSS', { css: '.book a@href' }, ['SITE/books/1'], 6],
  ['a text behind CSS', { css: '.book::text' }, ['in stock'], 6],
  ['a bare pattern', { regex: String.raw`\d{3}-\d{4}` }, ['555-0100'], 1],
  ['a pattern with flags', { regex: '/THE (shelf)/i' }, ['shelf'], 1],
  ['words', { text: 'The shelf' }, ['The shelf'], 1],
  ['a role', { role: 'heading' }, ['The shelf'], 1],
  ['nothing that is there', { css: 'video' }, [], 0],
];

suite('POST /x/extract', () => {
  for (const [name, selector, values, count] of SELECTORS)
    test(`answers what ${name} points at, with evidence`, async () => {
      const found = await run({ url: `${fixture.site.origin}/shelf`, ...selector });
      assert.deepEqual(
        found.matches?.slice(0, values.length).map(({ value }) => value),
        values.map((value) => value.replace('SITE', fixture.site.origin)),
      );
      assert.equal(found.count, count);
      assert.equal(found.evidence?.truncated, false);
      assert.equal(found.title, 'Shelf');
      assert.deepEqual(fixture.agent.logged, []);
    });

  test('answers lists with typed fields, and forms', async () => {
    const { lists, forms, product } = await run({ url: `${fixture.site.origin}/shelf`, list: true, forms: true });
    const [list] = lists as { items: { fields: Record<string, { amountMinor?: number }> }[] }[];
    assert.equal(list?.items.length, 6);
    assert.equal(Object.values(list?.items[0]?.fields ?? {}).find(({ amountMinor }) => amountMinor !== undefined)?.amountMinor, 1150);
    assert.equal(forms?.length, 1);
    assert.equal(product, undefined);
  });

  test('reads JSONPath in a JSON answer, and says what robots.txt thinks of it', async () => {
    const { matches, robots } = await run({ url: `${fixture.site.origin}/data.json`, jsonpath: '$.books[*].name' });
    assert.deepEqual(matches, [{ value: 'a' }, { value: 'b' }]);
    assert.deepEqual(robots, { allowed: false, rule: 'Disallow: /data' });
  });

  test('reads a page that the caller sends, and asks nobody for it', async () => {
    const asked = fixture.site.requests.length;
    const { matches, url } = await run({ html: '<p>a<p>b', base_url: 'https://x.test/', css: 'p' });
    assert.deepEqual(
      matches?.map(({ value }) => value),
      ['a', 'b'],
    );
    assert.equal(url, 'https://x.test/');
    assert.equal(fixture.site.requests.length, asked);
  });

  const FAILURES: readonly (readonly [name: string, path: string, selector: object, failure: RegExp])[] = [
    ['a page that is gone', '/moved', { css: 'p' }, /answered 410/],
  ];
  for (const [name, path, selector, failure] of FAILURES)
    test(`says why ${name} gave nothing`, async () => {
      const found = await run({ url: fixture.site.origin + path, ...selector });
      assert.match(found.failure?.message ?? '', failure);
      assert.equal(found.matches, undefined);
    });

  const REFUSED: readonly (readonly [name: string, input: object, sentence: RegExp])[] = [
    ['no page', { css: 'p' }, /either url or html/],
    ['two pages', { url: 'https://x.test/', html: '', css: 'p' }, /either url or html/],
    ['nothing to look for', { html: '<p>a' }, /needs one of css/],
    ['pages without a list', { url: 'https://x.test/', css: 'p', pages: 2 }, /pages goes with url and list/],
    ['pages of what it holds already', { html: '<p>a', list: true, pages: 2 }, /pages goes with url and list/],
    ['pages with a product', { url: 'https://x.test/', list: true, product: true, pages: 2 }, /without product and forms/],
    ['a key without pages', { url: 'https://x.test/', list: true, key: ['url'] }, /key goes with pages/],
    ['what is read of nothing', { html: '<p>a', css: '@href' }, /names no element/],
    ['two selectors', { html: '<p>a', css: 'p', xpath: '//p' }, /one selector, not css and xpath/],
    ['CSS that is none', { html: '<p>a', css: 'p[[' }, /is not valid CSS/],
    ['a pattern that RE2 does not know', { html: '<p>a', regex: '(?=a)' }, /not an RE2 expression/],
  ];
  for (const [name, input, sentence] of REFUSED)
    test(`refuses ${name}`, async () => {
      await assert.rejects(run(input), { code: 'bad_request', message: sentence });
    });

  test('a key without admin reaches no private address', async () => {
    const { token } = await fixture.agent.client.keys.create({ name: 'runner', scopes: 'run' });
    const client = createClient({ baseUrl: fixture.agent.baseUrl, token, retriesMax: 0 });
    const found = await client.extract.run({ url: `${fixture.site.origin}/shelf`, css: 'p' });
    assert.equal(found.failure?.code, 'address');
  });
});

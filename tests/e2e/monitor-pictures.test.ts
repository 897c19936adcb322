// Pictures that a page shows, told by what they look like.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Check, ExtractorTest, Monitor, Selector } from '@weft/contract';
import { encodePng } from '../../packages/engine/src/diff/picture/decode.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { Version, VersionedSite } from '../sites/versions.ts';

describe('pictures in pages', () => {
  let agent: TestAgent;
  let site: VersionedSite;
  let other: VersionedSite;
  before(async () => {
    [agent, site, other] = await Promise.all([startTestAgent(), startVersionedSite(), startVersionedSite()]);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([site[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
  });
  beforeEach(() => {
    for (const one of [site, other]) one.set('/robots.txt', { body: '', status: 404 });
    site.set('/a.png', png(255));
  });

  test('another picture at the same address of the same page is a change, and a copy at another address is none', async () => {
    site.set('/', { body: page('<img src=/a.png>'), etag: '"1"' });
    const id = await add({ headers: { 'x-of': 'site' } });
    const first = await check(id);
    assert.deepEqual([first.verdict, first.trace[0]?.outcome], ['first', 'passed']);
    assert.match(first.trace[0]?.reasons.at(-1) ?? '', /^1 of 1 pictures came: \d+ bytes\.$/);
    assert.equal((await check(id)).verdict, 'unchanged');
    const asked = site.asked.findLast(({ path }) => path === '/a.png');
    assert.deepEqual([asked?.headers['x-of'], asked?.headers.accept?.split(',')[0]], ['site', 'image/png']);
    site.set('/a.png', png(0));
    const changed = await check(id);
    assert.deepEqual(
      changed.changes.map(({ kind, old, new: now }) => [kind, /^[\da-f]{16}$/.test(String(old)), old === now]),
      [['changed', true, false]],
    );
    site.set('/b.png', png(0));
    site.set('/', page('<img src="/b.png?2">'));
    site.set('/b.png?2', png(0));
    assert.equal((await check(id)).verdict, 'unchanged');
  });

  const LOST: readonly (readonly [name: string, picture: Version | undefined, said: RegExp])[] = [
    ['that is gone', { body: 'no', status: 404 }, /could not be had: .*404/],
    ['that is no picture', '<p>Log in</p>' as unknown as Version, /came as text\/html.*no picture/],
    ['of more than five megabytes', { body: new Uint8Array(5_000_001), type: 'image/png' }, /5,?000,?000/],
    ['whose connection breaks', undefined, /could not be had/],
  ];
  for (const [name, picture, said] of LOST)
    test(`a picture ${name} is said in the trace, and is no change`, async () => {
      site.set('/', page('<img src=/a.png>'));
      const id = await add();
      const { values } = await check(id);
      site.set('/a.png', picture);
      const lost = await check(id);
      assert.deepEqual([lost.verdict, lost.changes], ['trouble', []]);
      assert.match(lost.trace.find(({ gate }) => gate === 'extract')?.reasons.join(' ') ?? '', said);
      site.set('/a.png', png(255));
      const again = await check(id);
      assert.deepEqual([again.verdict, again.values[0]?.value], ['unchanged', values[0]?.value]);
    });

  test('a picture that stands in the page needs no request, and one in another form is told by its bytes', async () => {
    const before = site.asked.length;
    site.set('/', page(`<img src="data:image/png;base64,${Buffer.from(png(255).body as Uint8Array).toString('base64')}">`));
    const id = await add();
    assert.match(String((await check(id)).values[0]?.value), /^[\da-f]{16}$/);
    assert.deepEqual(
      site.asked.slice(before).map(({ path }) => path),
      ['/'],
    );
    site.set('/', page('<img src=/a.svg>'));
    site.set('/a.svg', { body: '<svg xmlns="http://www.w3.org/2000/svg"/>', type: 'image/svg+xml' });
    const drawn = await check(id);
    assert.match(String(drawn.values[0]?.value), /^[\da-f]{64}$/);
    assert.match(drawn.trace[0]?.reasons.join(' ') ?? '', /a\.svg is neither a PNG nor a JPEG: it is told by its bytes/);
  });

  test('ten pictures of a page are looked at, and no more', async () => {
    const names = Array.from({ length: 11 }, (_, i) => `/${i}.png`);
    for (const name of names) site.set(name, png(255));
    const show = (count: number) =>
      site.set(
        '/',
        page(
          names
            .slice(0, count)
            .map((name) => `<img src=${name}>`)
            .join(''),
        ),
      );
    show(11);
    const id = await add({}, { many: true });
    const before = site.asked.length;
    const eleven = await check(id);
    assert.match(eleven.trace.find(({ gate }) => gate === 'extract')?.reasons.join(' ') ?? '', /10 pictures at most.*select fewer/);
    assert.equal(site.asked.length - before, 1 + 10);
    show(10);
    assert.equal((await check(id)).verdict, 'first');
  });

  test('robots.txt of its host forbids a picture as it forbids a page, unless it is not to be asked', async () => {
    other.set('/robots.txt', { body: 'User-agent: *\nDisallow: /a.png', type: 'text/plain' });
    other.set('/a.png', png(255));
    other.set('/', page('<img src=/a.png>'));
    const url = `${other.origin}/`;
    const polite = await check(await add({ url }));
    assert.match(JSON.stringify(polite.trace), /robots\.txt of .* forbids/);
    assert.equal((await check(await add({ url, respect_robots: false }))).verdict, 'first');
  });

  test('a page leads to no other private host', async () => {
    const before = other.asked.length;
    other.set('/a.png', png(255));
    site.set('/', page(`<img src="${other.origin}/a.png">`));
    const lost = await check(await add({ respect_robots: false }));
    assert.deepEqual([lost.verdict, other.asked.length], ['trouble', before]);
  });

  test('tests of selector and extractor see the picture, and a baseline keeps it', async () => {
    site.set('/', page('<img src=/a.png>'));
    const id = await add();
    const [selector] = (await agent.client.monitors.read({ id })).selectors;
    assert.ok(selector);
    const at = { id, selector_id: selector.id };
    const tested = await agent.client.selectors.test(at);
    const { baseline } = (await agent.client.selectors.setBaseline(at)) as Selector;
    const extractor: ExtractorTest = await agent.client.extractors.test({ extractor_id: selector.extractors[0]?.id ?? 0 });
    assert.deepEqual([tested.values[0]?.value, baseline?.values[0]?.value], [extractor.value, extractor.value]);
    assert.match(String(extractor.value), /^[\da-f]{16}$/);
  });

  async function add(more: object = {}, selector: object = {}): Promise<number> {
    const selectors = [{ selector: 'img', extractors: [{ type: 'image_hash' }], ...selector }];
    const body = { url: `${site.origin}/`, active: false, selectors, ...more };
    return ((await agent.client.monitors.create(body as never)) as Monitor).id;
  }

  async function check(id: number): Promise<Check> {
    const run = await agent.client.monitors.run({ id, wait: true });
    return (await agent.client.runs.results({ id: run.id })).output as Check;
  }
});

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1><p>What is on the shelf.</p>${body}</body></html>`;
}

/** A picture that is light on one side. */
function png(light: number): Version {
  const data = new Uint8Array(1600 * 4);
  for (let at = 0; at < 1600; at++) data.set([at % 40 < 20 ? light : 255 - light, 0, 0, 255], at * 4);
  return { body: encodePng({ width: 40, height: 40, data }), type: 'image/png' };
}

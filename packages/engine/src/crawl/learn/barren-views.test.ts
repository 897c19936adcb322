import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BARREN_LIMITS, BarrenViews, kindsOf } from './barren-views.ts';

const at = (path: string) => new URL(path, 'https://admin.test').href;
const tool = (id: number) => at(`/index.php?route=/table/search&table=${id}`);
const FORM = [101, 102, 103, 104];

/** Notes the pages of `count` things and their tool, which shows one form for all; says which tools were asked for. */
function read(views: BarrenViews, count: number, textsOf = (_id: number): readonly number[] => FORM): readonly number[] {
  const asked: number[] = [];
  for (let id = 1; id <= count; id++) {
    const thing = at(`/index.php?route=/table&table=${id}`);
    views.observe({ url: thing, texts: [1, 2, id * 1000, id * 1000 + 1], links: [tool(id), thing] });
    if (views.find(tool(id)) !== undefined) continue;
    asked.push(id);
    views.observe({ url: tool(id), texts: [1, id * 1000, ...textsOf(id)], links: [thing] });
  }
  return asked;
}

test('ends a kind of views after pages in a row that brought nothing, and tries ever fewer of the rest', () => {
  const views = new BarrenViews();
  const begun = 1 + BARREN_LIMITS.barrenMax;
  const [second, fourth, eighth] = [begun + 2, begun + 4, begun + 8];
  assert.deepEqual(read(views, 18), [...Array.from({ length: begun }, (_, i) => i + 1), second, fourth, eighth]);
  assert.match(
    views.find(tool(50)) ?? '',
    /admin\.test\/index\.php\?route=\/table\/search beside route&table: 7 pages in a row.*number 14/,
  );
  assert.equal(views.isLate(tool(50)), true);
  for (const path of [
    '/index.php?route=/table&table=50',
    '/index.php?route=/table/search&table=50&page=2',
    '/index.php?route=/table/search',
  ])
    assert.equal(views.find(at(path)), undefined, path);
});

test('decides once for each address that is tried', () => {
  const views = new BarrenViews();
  read(views, 5);
  assert.notEqual(views.find(tool(6)), undefined);
  for (let times = 0; times < 3; times++) assert.equal(views.find(tool(7)), undefined);
  assert.notEqual(views.find(tool(8)), undefined);
});

test('ends no kind whose pages say something, or lead somewhere', () => {
  const twoNew = (id: number) => [...FORM, id * 1000 + 500, id * 1000 + 501];
  assert.equal(read(new BarrenViews(), 20, twoNew).length, 20);
  const views = new BarrenViews();
  for (let id = 1; id <= 20; id++) views.observe({ url: tool(id), texts: FORM, links: [at(`/thing/${id}`)] });
  assert.equal(views.find(tool(21)), undefined);
});

test('opens a kind for good once a page that was tried brings something', () => {
  const views = new BarrenViews();
  read(views, 5);
  views.observe({ url: tool(6), texts: [901, 902, 903], links: [] });
  for (let id = 7; id < 30; id++) {
    assert.equal(views.find(tool(id)), undefined);
    views.observe({ url: tool(id), texts: FORM, links: [] });
  }
});

test('learns nothing from other addresses of a page: each is known by itself', () => {
  const views = new BarrenViews();
  for (let i = 0; i < 10; i++) views.observe({ url: tool(i), texts: FORM, links: [], isCopy: true });
  assert.equal(views.isLate(tool(11)), false);
});

test('takes addresses without a page for views that brought nothing', () => {
  const views = new BarrenViews();
  const tag = (name: string) => at(`/index.php?title=Special:Changes&tag=${name}`);
  for (let i = 0; i < BARREN_LIMITS.barrenMax; i++) views.observeNothing(tag(`t-${i}-x`));
  assert.notEqual(views.find(tag('other')), undefined);
});

test('asks for a kind one after the other while it is in doubt', () => {
  const views = new BarrenViews();
  read(views, 3);
  assert.deepEqual(views.findDoubts(tool(4)), ['admin.test/index.php?route=/table/search beside route&table']);
  assert.deepEqual(views.findDoubts(at('/index.php?route=/table&table=4')), []);
  assert.deepEqual(views.findDoubts(at('/index.php?route=/other&table=4')), []);
  read(views, 6);
  assert.deepEqual(views.findDoubts(tool(7)), []);
});

test('knows what it learnt after it was saved', () => {
  const views = new BarrenViews();
  read(views, 6);
  const restored = new BarrenViews(JSON.parse(JSON.stringify(views)));
  assert.equal(restored.isLate(tool(7)), true);
});

test('sees a kind in actions beside other parameters, in words below things and in tools', () => {
  const cases: readonly (readonly [path: string, kinds: readonly string[]])[] = [
    ['/i?a=edit&id=5', ['admin.test/i?a=edit beside a&id']],
    ['/i?id=5;a=edit', ['admin.test/i?a=edit beside a&id']],
    ['/i?a=edit', []],
    ['/i?a=list&page=2', []],
    ['/projects/x/wiki/Bean/history', ['admin.test/projects/**/history']],
    ['/wiki/Special:Links/Bean', ['admin.test/wiki/Special:Links/*']],
    ['/docs/intro', []],
    ['/', []],
  ];
  for (const [path, kinds] of cases) assert.deepEqual(kindsOf(at(path)), kinds, path);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreMemory, saveMemory } from './crawl-memory.ts';
import { pageWords } from './page-words.ts';
import { TrapMemory } from './trap-memory.ts';
import type { VisitedPage } from './trap-memory.ts';
import { TwinMemory } from './twin-memory.ts';

const at = (path: string) => new URL(path, 'https://shop.test').href;

/** A page with a menu and whatever is given. */
function visited(path: string, over: { readonly [K in keyof VisitedPage]?: VisitedPage[K] } = {}): VisitedPage {
  return { url: at(path), duplicateOf: undefined, canonical: undefined, links: [at('/')], words: () => ['menu'], ...over };
}

test('believes that a difference makes none only after pairs have shown it, and never again after one has not', () => {
  const twins = new TwinMemory();
  const pair = (i: number) => [at(`/a${i}`), at(`/a${i}/`)] as const;
  for (let i = 0; i < 3; i++) {
    assert.equal(twins.findReason(...pair(9)), undefined);
    twins.observe(...pair(i), true);
  }
  assert.match(twins.findReason(...pair(9)) ?? '', /slash made no difference/);
  assert.equal(twins.findReason(at('/a'), 'https://www.shop.test/a'), undefined);
  assert.equal(twins.findReason('https://other.test/a', 'https://other.test/a/'), undefined);
  twins.observe(...pair(4), false);
  assert.equal(twins.findReason(...pair(9)), undefined);
});

test('distrusts canonical links of a host only when none was ever right', () => {
  const twins = new TwinMemory();
  for (let i = 0; i < 3; i++) twins.observeCanonical(at('/a'), false);
  assert.equal(twins.distrustsCanonical(at('/b')), true);
  twins.observeCanonical(at('/a'), true);
  assert.equal(twins.distrustsCanonical(at('/b')), false);
});

test('ends a calendar whose months bring neither words nor links, and one that lists events never', () => {
  const empty = new TrapMemory();
  const busy = new TrapMemory();
  for (let month = 1; month <= 12; month++) {
    const path = `/calendar/2027/${month}`;
    const links = [at('/'), at(`/calendar/2027/${month + 1}`)];
    empty.observe(visited(path, { links, words: () => ['menu', `month${month}`] }));
    busy.observe(visited(path, { links: [...links, at(`/event-${month}`)] }));
  }
  assert.equal(empty.find(at('/calendar/2031/05'))?.trap, 'calendar');
  assert.equal(busy.find(at('/calendar/2031/05')), undefined);
  assert.equal(empty.find(at('/calendar-of-saints')), undefined);
});

test('never ends a daily page that says something new each day', () => {
  const traps = new TrapMemory();
  for (let day = 1; day <= 28; day++)
    traps.observe(visited(`/comic/2026/11/${day}`, { words: () => [`red${day}`, `green${day}`, `blue${day}`] }));
  assert.equal(traps.find(at('/comic/2026/12/01')), undefined);
});

test('never ends numbered pages, however alike', () => {
  const traps = new TrapMemory();
  for (let i = 0; i < 200; i++) traps.observe(visited(`/product/${i}`));
  for (let i = 0; i < 200; i++) traps.observe(visited(`/item?id=${i}`));
  assert.equal(traps.find(at('/product/999')), undefined);
  assert.equal(traps.find(at('/item?id=999')), undefined);
});

test('ends a search that takes its query up into its links, not one whose results are new', () => {
  const echo = new TrapMemory();
  const honest = new TrapMemory();
  for (let i = 0, query = 'a'; i < 6; i++, query += 'x') {
    const links = [at('/'), at(`/search?q=${query}x`)];
    echo.observe(visited(`/search?q=${query}`, { links }));
    honest.observe(visited(`/search?q=${query}`, { links: [...links, at(`/found/${query}`)] }));
  }
  assert.equal(echo.find(at('/search?q=zzz'))?.trap, 'echo');
  assert.equal(honest.find(at('/search?q=zzz')), undefined);
});

test('ends a parameter that never changes the page, wherever it stands', () => {
  const traps = new TrapMemory();
  for (let i = 0; i < 5; i++) traps.observe(visited(`/p${i}?ref=menu`, { duplicateOf: at(`/p${i}`) }));
  assert.equal(traps.find(at('/other?ref=menu'))?.trap, 'parameters');
  assert.equal(traps.find(at('/other?page=2')), undefined);
});

test('lays a duplicate to the address that carries more, whichever was fetched first', () => {
  const traps = new TrapMemory();
  for (let i = 0; i < 5; i++) {
    traps.observe(visited(`/p${i}?ref=menu`));
    traps.observe(visited(`/p${i}`, { duplicateOf: at(`/p${i}?ref=menu`) }));
  }
  assert.equal(traps.find(at('/other?ref=menu'))?.trap, 'parameters');
});

test('ends sessions by content or by what their pages declare, and takes equal empty lists for neither', () => {
  const byContent = new TrapMemory();
  const declared = new TrapMemory();
  const lists = new TrapMemory();
  for (const part of ['a1b2c3', 'd4e5f6', 'g7h8i9', 'j1k2l3']) {
    byContent.observe(visited(`/s/${part}/about`, { duplicateOf: at('/about') }));
    declared.observe(visited(`/s/${part}/about`, { canonical: at('/about') }));
  }
  for (const part of ['shoes', 'hats', 'coats', 'gloves'])
    lists.observe(visited(`/list/${part}/new`, { duplicateOf: at('/list/socks/new') }));
  assert.equal(byContent.find(at('/s/z9y8x7/home'))?.trap, 'session');
  assert.equal(declared.find(at('/s/z9y8x7/home'))?.trap, 'session');
  assert.equal(lists.find(at('/list/scarves/new')), undefined);
});

test('carries what was learnt over to another process, and begins anew where it can not be read', () => {
  const memory = restoreMemory(undefined);
  for (let i = 0; i < 5; i++) memory.traps.observe(visited(`/p${i}?ref=menu`, { duplicateOf: at(`/p${i}`) }));
  for (let i = 0; i < 3; i++) memory.twins.observe(at('/a'), at('/a/'), true);
  const restored = restoreMemory(saveMemory(memory));
  assert.equal(restored.traps.find(at('/x?ref=menu'))?.trap, 'parameters');
  assert.notEqual(restored.twins.findReason(at('/b'), at('/b/')), undefined);
  assert.equal(saveMemory(restored), saveMemory(memory));
  assert.equal(restoreMemory('{"twins":').traps.find(at('/x?ref=menu')), undefined);
});

test('reads the words that a visitor sees', () => {
  const html =
    '<title>Red</title><script>var hidden</script><!-- hidden --><p class="hidden">Blue&nbsp;cup No 12, café</p><style>hidden</style>';
  assert.deepEqual([...pageWords(new TextEncoder().encode(html))], ['red', 'blue', 'cup', 'café']);
});

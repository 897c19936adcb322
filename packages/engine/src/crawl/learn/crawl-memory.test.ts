import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreMemory, saveMemory } from './crawl-memory.ts';
import { pageWords, sumOfWords } from '../links/page-words.ts';
import { TrapMemory } from './trap-memory.ts';
import type { VisitedPage } from './trap-memory.ts';
import { TwinMemory } from './twin-memory.ts';

const at = (path: string) => new URL(path, 'https://shop.test').href;

/** Pages differ unless a test says otherwise. */
let distinctSums = 0;

/** A page with a menu and whatever is given. */
function visited(path: string, over: { readonly [K in keyof VisitedPage]?: VisitedPage[K] } = {}): VisitedPage {
  return {
    url: at(path),
    duplicateOf: undefined,
    canonical: undefined,
    links: [at('/')],
    words: () => ['menu'],
    wordSum: () => distinctSums++,
    ...over,
  };
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
  for (let i = 0; i < 3; i++) twins.observeCanonical(at('/a?v=1'), at('/a'), false);
  assert.equal(twins.distrustsCanonical(at('/b')), true);
  twins.observeCanonical(at('/a?v=1'), at('/a'), true);
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
  for (let i = 0, query = 'a'; i < 6; i++, query += '+x') {
    const links = [at('/'), at(`/search?q=${query}+x`)];
    echo.observe(visited(`/search?q=${query}`, { links }));
    honest.observe(visited(`/search?q=${query}`, { links: [...links, at(`/found/${query}`)] }));
  }
  assert.equal(echo.find(at('/search?q=zzz'))?.trap, 'echo');
  assert.equal(honest.find(at('/search?q=zzz')), undefined);
});

test('ends one action of a program and the parameter that grows there, not the program', () => {
  const traps = new TrapMemory();
  for (let i = 0, back = '/index.php?r=a'; i < 6; i++, back = encodeURIComponent(`/index.php?r=login&back=${back}`)) {
    const links = [at('/'), at(`/index.php?r=login&back=${encodeURIComponent(`/index.php?r=login&back=${back}`)}`)];
    traps.observe(visited(`/index.php?r=login&back=${back}`, { links, words: () => ['login'] }));
    traps.observe(visited(`/index.php?r=post/reply&id=${i}`, { duplicateOf: at('/index.php?r=post/reply&id=99') }));
  }
  assert.equal(traps.find(at('/index.php?r=login&back=%2Fx'))?.trap, 'echo');
  assert.equal(traps.find(at('/index.php?r=post/reply&id=7'))?.trap, 'query');
  for (const path of ['/index.php?r=post/view&id=7', '/index.php?r=list&page=2', '/index.php?r=list&back=%2Fx'])
    assert.equal(traps.find(at(path)), undefined, path);
});

test('ends a set of names whose parts were all found empty', () => {
  const traps = new TrapMemory();
  const observe = (action: string, id: number) =>
    traps.observe(visited(`/index.php?do=${action}&id=${id}`, { duplicateOf: at('/index.php?id=5') }));
  for (const action of ['login', 'register', 'remind']) observe(action, 5);
  assert.equal(traps.find(at('/index.php?do=other&id=6')), undefined, 'one known page of each says little');
  for (const action of ['login', 'register', 'remind']) for (const id of [6, 7]) observe(action, id);
  assert.equal(traps.find(at('/index.php?do=other&id=6'))?.trap, 'query');
});

test('keeps what lies beside other names of the default page, as code browsers write it', () => {
  const traps = new TrapMemory();
  for (const action of ['commit', 'log', 'tree', 'shortlog', 'diff'])
    for (const head of ['HEAD', 'c0ffee1'])
      traps.observe(visited(`/?p=a.git;a=${action};h=${head}`, { duplicateOf: at(`/?p=a.git;a=${action}`) }));
  assert.equal(traps.find(at('/?p=a.git;a=commit;h=beef123')), undefined);
});

test('counts one of two equal addresses of a class as its page, whichever is shorter', () => {
  const traps = new TrapMemory();
  for (const head of ['c0ffee1', 'beef123', 'f00d456', 'facade789'])
    traps.observe(
      visited(
        `/?p=a.git;a=blob;f=read.me;h=${head};hb=${head}`,
        head === 'c0ffee1' ? {} : { duplicateOf: at('/?p=a.git;a=blob;f=read.me;h=c0ffee1;hb=c0ffee1') },
      ),
    );
  traps.observe(
    visited('/?p=a.git;a=blob;f=read.me;h=c0ffee1;hb=HEAD', { duplicateOf: at('/?p=a.git;a=blob;f=read.me;h=c0ffee1;hb=c0ffee1') }),
  );
  assert.equal(traps.find(at('/?p=a.git;a=blob;f=read.me;h=0ther12;hb=0ther12')), undefined);
});

test('takes a parameter with very many values for one that names things: one action is ended for all of them', () => {
  const traps = new TrapMemory();
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const letter of letters) traps.observe(visited(`/wiki.php?title=${letter}`));
  for (const letter of letters.slice(0, 3))
    traps.observe(visited(`/wiki.php?title=${letter}&action=edit`, { duplicateOf: at('/wiki.php?title=z&action=edit') }));
  assert.equal(traps.find(at('/wiki.php?title=New&action=edit'))?.trap, 'query');
  assert.equal(traps.find(at('/wiki.php?title=New&action=history')), undefined);
});

test('keeps a parameter that grew once and whose pages say something new as often as not', () => {
  const traps = new TrapMemory();
  for (let i = 0; i < 20; i++) {
    const isThin = i > 9 && i < 16;
    const links = [at('/'), at(`/wiki?title=Cat${i}s`), ...(isThin ? [] : [at(`/found/${i}`)])];
    traps.observe(visited(`/wiki?title=Cat${i}`, { links, words: () => (isThin ? ['menu'] : ['menu', `x${i}`, `y${i}`, `z${i}`]) }));
  }
  assert.equal(traps.find(at('/wiki?title=Dog')), undefined);
});

test('ends the orders of a list, by any column and anywhere on the host, and no list whose parts differ', () => {
  const traps = new TrapMemory();
  for (const folder of ['/a/', '/b/']) {
    const rows = [at(`${folder}1`), at(`${folder}2`)];
    const orders = ['N', 'M', 'S', 'D'].flatMap((column) => [`?col=${column};way=A`, `?col=${column};way=D`]);
    const view = { links: [...rows, ...orders.map((order) => at(folder + order))], wordSum: () => 7 };
    traps.observe(visited(folder, view));
    for (const order of orders) traps.observe(visited(folder + order, { ...view, links: view.links.toReversed() }));
    for (let page = 2; page < 9; page++) traps.observe(visited(`${folder}?page=${page}`));
  }
  assert.equal(traps.find(at('/a/?col=X;way=D'))?.trap, 'query');
  assert.equal(traps.find(at('/c/?col=X;way=D'))?.trap, 'parameters');
  assert.equal(traps.find(at('/c/?page=2')), undefined);
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

test('adds up the words and numbers of a page whatever their order', () => {
  const sum = (html: string) => sumOfWords(new TextEncoder().encode(html));
  assert.equal(sum('<tr><td>lamp</td><td>12</td></tr><p>and more'), sum('<p>more <b>and</b> 12 lamp</p>'));
  assert.notEqual(sum('<p>lamp 12'), sum('<p>lamp 13'));
});

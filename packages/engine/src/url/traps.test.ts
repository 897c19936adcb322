import assert from 'node:assert/strict';
import { test } from 'node:test';
import { couldBeSamePlace } from './same-place.ts';
import { echoClassesOf, grownNames, trapClassesOf } from './trap-class.ts';
import { routeAsPath } from './route.ts';
import { findUrlTrap } from './traps.ts';

const NOW = Date.UTC(2026, 10, 20);

test('names the trap that an address shows by its form', () => {
  const cases: readonly (readonly [path: string, trap: string])[] = [
    ['/a/a/a/', 'repeating_path'],
    ['/x/a/b/a/b/a/b', 'repeating_path'],
    ['/?a=1&a=1&a=1', 'repeating_query'],
    [`/?${Array.from({ length: 31 }, (_, i) => `p${i}=1`).join('&')}`, 'repeating_query'],
    [`/${'a'.repeat(2_000)}`, 'long_url'],
    [`/${Array.from({ length: 25 }, (_, i) => `p${i}`).join('/')}`, 'deep_path'],
    ['/login?next=/login?next=/login?next=/a', 'nested_url'],
    ['/login?next=%2Flogin%3Fnext%3D%2Flogin%3Fx', 'nested_url'],
    ['/calendar/2051/02', 'far_date'],
    ['/calendar/1492-10', 'far_date'],
    ['/events?month=2051-02', 'far_date'],
    ['/?route=/sql&table=a&sql_query=SELECT+%2A+FROM+%60a%60+ORDER+BY+%60b%60', 'statement'],
    ['/adminer.php?db=a&sql=DROP%20TABLE%20a', 'statement'],
  ];
  for (const [path, trap] of cases) assert.equal(findUrlTrap(`https://shop.test${path}`, NOW)?.trap, trap, path);
});

test('lets honest addresses through', () => {
  const honest = [
    '/a/a/b',
    '/1/1/1/1',
    '/2024/05/17/title',
    '/2024/05',
    '/events?month=2027-02',
    '/docs/api/docs/api',
    '/?a=1&a=2&a=3',
    '/login?next=/a',
    '/product/3051/11',
    '/a/b/c/d/e/f/g/h/i/j',
  ];
  for (const path of honest) assert.equal(findUrlTrap(`https://shop.test${path}`, NOW), undefined, path);
});

test('puts addresses of one make into one class', () => {
  const classes = (path: string) =>
    trapClassesOf(new URL(path, 'https://shop.test')).map(({ kind, key }) => `${kind} ${key.slice('shop.test'.length)}`);
  const cases: readonly (readonly [path: string, expected: readonly string[]])[] = [
    ['/', []],
    ['/about', []],
    ['/calendar/2026/11', ['calendar /calendar/ by date', 'session /calendar/*']],
    ['/calendar/2026-11', ['calendar /calendar/ by date']],
    ['/calendar/2026/11/05', ['calendar /calendar/ by date', 'session /calendar/*']],
    ['/cal?month=2026-11', ['calendar /cal?month by date', 'query /cal?month', 'parameters /**?month']],
    [
      '/?r=cal&month=2026-11',
      ['calendar /?month&r=cal by date', 'query /?month&r=cal', 'query /?month&r', 'parameters /**?month&r=cal', 'parameters /**?month&r'],
    ],
    ['/view?t=2034', ['query /view?t', 'parameters /**?t']],
    ['/i?topic=12.0;print', ['query /i?print&topic', 'parameters /**?print&topic']],
    ['/kalender/17', ['calendar /kalender/ by date']],
    ['/2024/05/', ['calendar / by date', 'session /2024/*']],
    ['/2024/05/title', ['session /2024/*']],
    ['/list?b=3&a=2&b=4', ['query /list?a&b', 'parameters /**?a&b']],
    ['/s/a8f3c1/about', ['session /s/*']],
    ['/a8f3c1d9/about', ['session /*']],
    ['/product/12', []],
    ['/posts/my-summer-of-2019', []],
    ['/(S(abcdef))/about', ['session /*']],
  ];
  for (const [path, expected] of cases) assert.deepEqual(classes(path), expected, path);
});

test('sees in which parameter a page takes its own query up into its links', () => {
  const cases: readonly (readonly [parent: string, child: string, grown: readonly string[]])[] = [
    ['/s?q=a', '/s?q=a-a', ['q']],
    ['/s?q=a', '/s?q=best+a', ['q']],
    ['/s?q=a', '/s?q=a&q=b', ['q']],
    ['/s?q=a', '/s?q=a;q=b', ['q']],
    ['/s?q=a', '/s?q=a&back=/s?q=a', ['back']],
    ['/i.php?r=a&id=5', '/i.php?r=login&back=i.php%3Fr%3Da', ['back']],
    ['/?r=a', '/?r=login&back=%2F%3Fr%3Da', ['back']],
    ['/s?q=a', '/s?q=b', []],
    ['/s?q=a', '/s?q=a&size=l', []],
    ['/s?page=1', '/s?page=12', []],
    ['/s', '/s?q=a', []],
    ['/s?q=a', '/t?q=a-a', []],
    ['/?route=/', '/?route=/x', []],
    ['/?p=a.git;a=tree;f=src', '/?p=a.git;a=tree;f=src/views', []],
    ['/doku.php?id=start', '/doku.php?id=garden:start', []],
    ['/doku.php?id=garden:start', '/doku.php?id=garden:start:today', []],
    ['/?path=20', '/?path=20_27', []],
    ['/?a=commit', '/?a=commitdiff', []],
    ['/?a=blob', '/?a=blob_plain', []],
    ['/?topic=1.0', '/?topic=11.0', []],
    ['/doc?pkg=org.foo', '/doc?pkg=org.foo.bar', []],
  ];
  for (const [parent, child, grown] of cases) {
    assert.deepEqual(grownNames(new URL(parent, 'https://shop.test'), new URL(child, 'https://shop.test')), grown, `${parent} ${child}`);
  }
});

test('puts a growing parameter into one class with each action, and into one with all of them', () => {
  const keys = echoClassesOf(new URL('https://shop.test/?r=site/login&back=/x'), 'back').map(({ key, part }) => [key, part]);
  assert.deepEqual(keys, [
    ['shop.test/?back=*&r=site/login', undefined],
    ['shop.test/?back=*&r', 'shop.test/?back=*&r=site/login'],
  ]);
});

test('lets pages of one text be one page only where their addresses end alike', () => {
  const cases: readonly (readonly [left: string, right: string, same: boolean])[] = [
    ['/a', '/a?x=1', true],
    ['/a', '/s/x1y2z3/a', true],
    ['/a/', '/a/b/a', true],
    ['/', '/s/x1y2z3/', true],
    ['/s/a1b2c3/', '/s/x1y2z3/', true],
    ['/a', '/b', false],
    ['/', '/about', false],
    ['/list/1', '/list/2', false],
  ];
  for (const [left, right, same] of cases) {
    const urls = [left, right].map((path) => new URL(path, 'https://shop.test').href) as [string, string];
    assert.equal(couldBeSamePlace(...urls), same, `${left} ${right}`);
  }
});

test('looks at routes behind # as at paths', () => {
  assert.equal(routeAsPath('https://app.test/#/calendar/2051/02'), 'https://app.test/%23/calendar/2051/02');
  assert.equal(routeAsPath('https://app.test/x#!/a?b=1'), 'https://app.test/x/%23/a?b=1');
  assert.equal(routeAsPath('https://app.test/x#top'), 'https://app.test/x#top');
  assert.equal(findUrlTrap('https://app.test/#/calendar/2051/02', NOW)?.trap, 'far_date');
  assert.equal(findUrlTrap('https://app.test/#/a/a/a', NOW)?.trap, 'repeating_path');
});

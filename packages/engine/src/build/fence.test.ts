import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AskedByPage } from '../run/session.ts';
import { isSearch, refusalOfRequest } from './fence.ts';
import type { SeenForm } from './ai/sight.ts';
import { WordsSeen } from './ai/words-seen.ts';

const SITE = 'https://shop.example/';
const FIND: SeenForm = { type: 'search', method: 'post', action: 'https://shop.example/find', isPersonal: false };

suite('what pages may send while a model acts', () => {
  const asked = (line: string, body?: string): AskedByPage => {
    const [kind = '', method = '', url = ''] = line.split(' ');
    // The lines below name kinds that there are.
    return { kind: kind as AskedByPage['kind'], method, url: URL.parse(url, SITE)?.href ?? url, body };
  };
  const graphql = (query: string) => JSON.stringify({ query });

  const SENT: readonly (readonly [line: string, body?: string])[] = [
    ['document GET /list?page=2'],
    ['document GET https://www.shop.example/list'],
    ['document POST /find', 'q=tea'],
    ['frame GET https://ads.example/x'],
    ['other GET https://cdn.example/a.png'],
    ['script GET /api/items?q=tea'],
    ['script POST /api/search', '{"q":"tea"}'],
    ['script POST https://x-dsn.example/1/indexes/goods/query', '{"query":"tea"}'],
    ['script POST /graphql', graphql('{ items { name } }')],
    ['script POST /graphql', graphql('query A($q: String = "mutation {") { items(q: $q) { name } } # } mutation')],
    ['script POST /graphql', JSON.stringify([{ query: '{ a }' }, { query: 'fragment F on T { b } query { ...F }' }])],
    ['other GET data:image/png;base64,xx'],
  ];
  for (const [line, body] of SENT)
    test(`${line} ${body ?? ''}`, () => assert.equal(refusalOfRequest(asked(line, body), { siteUrl: SITE, searches: [FIND] }), undefined));

  const REFUSED: readonly (readonly [line: string, reason: RegExp, body?: string])[] = [
    ['document GET https://other.example/', /another site/],
    ['document GET https://shop.example:8443/', /another site/],
    ['document GET /logout', /sign out/],
    ['document POST /order', /no search/],
    ['document POST /find?buy=1', /no search/, 'q=tea'],
    ['frame POST /find', /may change/, 'q=tea'],
    ['script GET /items/3/delete', /delete/],
    ['script POST /order', /may change/, '{"n":1}'],
    ['script DELETE /api/search', /may change/],
    ['script PUT /api/items/3', /may change/, '{}'],
    ['script POST /graphql', /may change/, graphql('mutation { buy }')],
    ['script POST /graphql', /may change/, graphql('{ a } mutation { buy }')],
    ['script POST /graphql', /may change/, graphql('query { a }\n#x\nmutation Buy { buy }')],
    // Commas are blanks of GraphQL.
    ['script POST /graphql', /may change/, graphql('{ a },mutation { buy }')],
    ['script POST /graphql', /may change/, JSON.stringify([{ query: '{ a }' }, { query: 'mutation { b }' }])],
    ['script POST /graphql', /may change/, JSON.stringify({ operationName: 'Buy', extensions: { persistedQuery: { sha256Hash: 'x' } } })],
    ['script POST /graphql', /may change/, 'not json'],
    ['script POST /search', /may change/, graphql('mutation { buy }')],
    ['ping POST /beacon', /nobody waits/],
    ['socket GET wss://shop.example/line', /both ways/],
  ];
  for (const [line, reason, body] of REFUSED)
    test(`not ${line} ${body ?? ''}`, () =>
      assert.match(refusalOfRequest(asked(line, body), { siteUrl: SITE, searches: [FIND] }) ?? '', reason));
});

suite('which forms are searches', () => {
  const CASES: readonly (readonly [form: Partial<SeenForm>, is: boolean])[] = [
    [{}, true],
    [{ method: 'get', type: 'other' }, true],
    [{ type: 'other' }, false],
    [{ type: 'login' }, false],
    [{ isPersonal: true }, false],
    [{ method: 'dialog' }, false],
    [{ action: 'https://shop.example/cart/add?id=1' }, false],
  ];
  for (const [form, is] of CASES) test(`${JSON.stringify(form)}: ${is}`, () => assert.equal(isSearch({ ...FIND, ...form }), is));
});

suite('what may be typed', () => {
  const words = new WordsSeen(['The price of Earl Grey', 'Straße 東京 C++']);
  for (const text of ['earl grey', 'EARL, "Grey"', 'strasse', 'Straße', '東京', 'c++', 'price-of'])
    test(text, () => assert.equal(words.problemOf(text) === undefined, text !== 'strasse'));
  for (const text of [
    '',
    '   ',
    'password',
    'earl hunter2',
    'http://earl',
    'earl/grey',
    'earl@grey',
    '<earl>',
    '{{earl}}',
    'earl '.repeat(20),
    '+++',
  ])
    test(`not "${text.slice(0, 20)}"`, () => assert.notEqual(words.problemOf(text), undefined));
});

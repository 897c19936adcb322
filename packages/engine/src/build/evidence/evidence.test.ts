import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fillTemplate, findAddressTemplates } from './address-templates.ts';
import { findEndpoints } from './endpoints.ts';
import { readHarEvidence } from './har-evidence.ts';
import { Ids } from './ids.ts';
import { findJsonLists } from './json-lists.ts';
import { readNumbering } from './numbering.ts';
import { matchObjective, searchWords } from './words.ts';

suite('how pages are counted', () => {
  for (const [from, to, expected] of [
    ['https://s.test/?q=a', 'https://s.test/?q=a&page=2', ['page', 1, 1, 'https://s.test/?q=a&page={}']],
    ['https://s.test/?q=a', 'https://s.test/?q=a&page=1', ['page', 0, 1, 'https://s.test/?q=a&page={}']],
    ['https://s.test/?q=a', 'https://s.test/?q=a&start=10', ['offset', 0, 10, 'https://s.test/?q=a&start={}']],
    ['https://s.test/?start=20', 'https://s.test/?start=40', ['offset', 20, 20, 'https://s.test/?start={}']],
    ['https://s.test/blog/', 'https://s.test/blog/page/2/', ['page', 1, 1, 'https://s.test/blog/page/{}/']],
    ['https://s.test/page-2.html', 'https://s.test/page-3.html', ['page', 2, 1, 'https://s.test/page-{}.html']],
  ] as const)
    test(`${from} goes on at ${to}`, () => {
      const { role, initial, step, template } = readNumbering(from, to) ?? {};
      assert.deepEqual([role, initial, step, template], expected);
    });

  for (const [from, to] of [
    ['https://s.test/?q=a', 'https://s.test/?q=b&page=2'],
    ['https://s.test/?from=Alpha', 'https://s.test/?from=Beta'],
    ['https://s.test/', 'https://other.test/?page=2'],
    ['https://s.test/?page=5', 'https://s.test/?page=4'],
  ] as const)
    test(`${to} is not counted on from ${from}`, () => assert.equal(readNumbering(from, to), undefined));
});

suite('lists in JSON', () => {
  test('are found with the path of their rows and of each field', () => {
    const [list] = findJsonLists({
      meta: { total: 2 },
      data: {
        'the goods': [
          { name: 'Lamp', by: { maker: 'Ono' } },
          { name: 'Chair', by: { maker: 'Ora' } },
        ],
      },
    });
    assert.deepEqual([list?.path, list?.rows], ["$['data']['the goods'][*]", 2]);
    assert.deepEqual(
      list?.fields.map(({ path }) => path),
      ["$['name']", "$['by']['maker']"],
    );
  });

  test('of a connection are its nodes', () => {
    const [list] = findJsonLists({ goods: { edges: [{ node: { id: 'a', name: 'Lamp' } }, { node: { id: 'b', name: 'Chair' } }] } });
    assert.equal(list?.path, "$['goods']['edges'][*]['node']");
  });

  test('are none where nothing repeats with two fields', () => {
    for (const value of [null, 7, [1, 2, 3], { a: { b: 1 } }, [{ a: 1 }]]) assert.deepEqual(findJsonLists(value), []);
  });
});

suite('addresses of one kind', () => {
  test('differ in one place, which is named after what stands before it', () => {
    const urls = ['lamps', 'chairs', 'tables'].map((kind) => `https://s.test/kinds/${kind}`);
    const [found] = findAddressTemplates(urls);
    assert.deepEqual([found?.template, found?.name, found?.values], ['https://s.test/kinds/{}', 'kind', ['lamps', 'chairs', 'tables']]);
    assert.equal(fillTemplate(found?.template ?? '', 'a/b c'), 'https://s.test/kinds/a%2Fb%20c');
  });
});

suite('words', () => {
  test('to search with are those that some rows have and most have not', () => {
    const [first] = searchWords(['Amber lamp', 'Walnut lamp', 'Amber chair', 'Linen chair', 'Copper table', 'Glass table']);
    assert.ok(['amber', 'chair', 'table'].includes(first ?? ''), first);
    assert.ok(!searchWords(['Things one', 'Things two', 'Things three']).includes('things'));
  });

  for (const [objective, texts, expected] of [
    ['search products by name', ['Our product range', 'title'], 1],
    ['list issues with status', ['Tickets'], 0.5],
    ['timetable of ferries', ['Household goods'], 0],
    ['search by keyword', ['anything'], 1],
    ['search check-ins by word', ['Check-in of Monday'], 1],
    ['list full-text indexes', ['The full text of each index'], 1],
    ['list e-mails', ['Email'], 1],
    ['list full-text indexes', ['The text of an index'], 0.5],
    ['', ['anything'], 0],
  ] as const)
    test(`"${objective}" is spoken of by ${expected}`, () => assert.equal(matchObjective(objective, texts), expected));
});

suite('endpoints', () => {
  const request = (url: string, json: unknown, body?: string) => ({
    method: body === undefined ? 'GET' : 'POST',
    url,
    status: 200,
    headers: { 'x-csrf-token': 'tok123456' },
    ...(body === undefined ? {} : { body }),
    json,
    pageUrl: 'https://s.test/',
    atMs: 0,
  });
  const goods = (name: string) => ({
    goods: [
      { id: 1, name },
      { id: 2, name: `${name} two` },
    ],
  });

  test('have the word, the page and the token in their places, and drop the moment', () => {
    const url = (word: string) => `https://s.test/api?q=${word}&page=1&limit=20&_=1700000000000`;
    const tokens = [{ name: 'csrf-token', value: 'tok123456' }];
    const [found] = findEndpoints([request(url('lamp'), goods('lamp')), request(url('chair'), goods('chair'))], {
      ids: new Ids(),
      words: ['lamp', 'chair'],
      tokens,
    });
    assert.equal(found?.way.kind === 'request' ? found.way.url : '', `https://s.test/api?q={${found?.input?.id ?? ''}}&page={P3}&limit=20`);
    assert.deepEqual(found?.parameters.map(({ role }) => role).toSorted(), ['input', 'page', 'token']);
    assert.deepEqual(found?.way.kind === 'request' ? found.way.tokenFrom?.selector : '', 'meta[name="csrf-token"]');
  });

  test('that begin and end somewhere go on with both, whichever is said first', () => {
    for (const query of ['_start=0&_end=20', '_end=20&_start=0']) {
      const [found] = findEndpoints([request(`https://s.test/api?${query}`, goods('lamp'))], { ids: new Ids(), words: [], tokens: [] });
      const [parameter] = found?.parameters ?? [];
      assert.deepEqual([parameter?.role, parameter?.initial, parameter?.step], ['offset', '0', 20]);
      const written = query.replace('_start=0', '_start={P1}').replace('_end=20', '_end={P1+20}');
      assert.equal(found?.way.kind === 'request' ? found.way.url : '', `https://s.test/api?${written}`);
    }
  });

  test('are none for an answer without a list', () => {
    assert.deepEqual(findEndpoints([request('https://s.test/api', { ok: true })], { ids: new Ids(), words: [], tokens: [] }), []);
  });
});

suite('an archive of a person', () => {
  const entry = (url: string, mimeType: string, text: string) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: {
      method: 'GET',
      url,
      headers: [
        { name: 'Cookie', value: 'session=s3cret' },
        { name: 'Authorization', value: 'Bearer s3cret' },
      ],
    },
    response: { status: 200, headers: [], content: { mimeType, text } },
  });
  const har = (...entries: readonly unknown[]) => JSON.stringify({ log: { entries } });

  test('gives the JSON of the site with its words, and nothing of who asked', () => {
    const text = har(
      entry('https://api.s.test/goods?q=lamp', 'application/json', '{"goods":[]}'),
      entry('https://ads.test/goods?q=lamp', 'application/json', '{}'),
      entry('https://s.test/', 'text/html', '<title>Goods</title>'),
    );
    const { requests, pages, words } = readHarEvidence(text, 'https://s.test/', 5);
    assert.deepEqual([requests.length, pages.length, words], [1, 1, ['lamp']]);
    assert.ok(!JSON.stringify(requests).includes('s3cret'));
  });

  test('says why there is nothing in it', () => {
    assert.match(readHarEvidence('{}', 'https://s.test/', 5).fault ?? '', /log\.entries/);
    assert.match(readHarEvidence(har(), 'https://s.test/', 5).fault ?? '', /no page and no JSON of s\.test/);
  });
});

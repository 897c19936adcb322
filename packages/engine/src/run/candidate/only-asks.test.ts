import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { CapturedRequest } from '../session.ts';
import { graphqlKind } from './graphql.ts';
import { doubtOf } from './only-asks.ts';

const ANSWER = {
  hits: [
    { name: 'Tea', kind: 'leaf' },
    { name: 'Earl Grey', kind: 'leaf' },
  ],
};
const request = (path: string, sent: unknown, more: Partial<CapturedRequest> = {}): CapturedRequest => ({
  method: 'POST',
  url: `https://shop.example${path}`,
  status: 200,
  headers: { 'content-type': 'application/json' },
  ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  json: ANSWER,
  pageUrl: 'https://shop.example/',
  atMs: 0,
  ...more,
});

suite('requests that only ask', () => {
  const ASKS: readonly (readonly [path: string, sent: unknown])[] = [
    ['/graphql', { query: '{ items { name } }' }],
    [
      '/graphql',
      { query: 'query A($q: String = "mutation { x }") { items(q: $q) { name } } # } mutation B { b }', variables: { q: 'tea' } },
    ],
    ['/graphql', { query: 'fragment F on T { b }, query($a: [In!] = [{ b: """ \\""" } mutation { """ }]) @on(if: true) { ...F }' }],
    ['/graphql', [{ query: '{ a }' }, { query: 'query { b }' }]],
    ['/api/search', { q: 'tea', page: 1 }],
    ['/api/v2/products/_search', { query: { match: { name: 'tea' } }, track_total_hits: true }],
    ['/1/indexes/goods/query', { query: 'tea', hitsPerPage: 20 }],
    ['/api/searchProducts', { keyword: 'tea', sort: { order: 'asc' } }],
    ['/api/get-products', { kind: 'leaf' }],
    ['/products/filter', { kind: 'leaf' }],
    ['/products/search/v2', { action: 'search', words: 'tea' }],
    ['/suche', { begriff: 'tee' }],
  ];
  for (const [path, sent] of ASKS) test(`${path} ${JSON.stringify(sent)}`, () => assert.equal(doubtOf(request(path, sent)), undefined));
  test('any GET', () => assert.equal(doubtOf(request('/order', undefined, { method: 'GET', status: 404 })), undefined));

  const DOUBTS: readonly (readonly [path: string, sent: unknown, doubt: RegExp, more?: Partial<CapturedRequest>])[] = [
    ['/graphql', { query: 'mutation { buy { name } }' }, /no query of GraphQL/],
    ['/graphql', { query: '{ a },mutation { buy }' }, /no query of GraphQL/],
    ['/graphql', { query: 'subscription { a }' }, /no query of GraphQL/],
    ['/graphql', { query: '{ a' }, /no query of GraphQL/],
    ['/graphql', { query: '{ a(b: "c) }' }, /no query of GraphQL/],
    ['/graphql', [{ query: '{ a }' }, { query: 'mutation { b }' }], /no query of GraphQL/],
    ['/search', { operationName: 'Items', extensions: { persistedQuery: { sha256Hash: 'x' } } }, /no query of GraphQL/],
    ['/graphql', { id: 'x', variables: {} }, /neither its address/],
    ['/api/search', { q: 'tea' }, /PUT is sent to change/, { method: 'PUT' }],
    ['/api/search', { q: 'tea' }, /its answer is 201/, { status: 201 }],
    ['/api/search', undefined, /no JSON object/],
    ['/api/search', 'q=tea', /no JSON object/],
    ['/api/books', { q: 'tea' }, /neither its address/],
    ['/api/searches', { q: 'tea' }, /neither its address/],
    ['/api/saved-search', { q: 'tea' }, /neither its address/],
    ['/api/search/save', { q: 'tea' }, /save|neither/],
    ['/api/search-alert', { q: 'tea' }, /neither its address/],
    ['/api/searchAndAdd', { q: 'tea' }, /neither its address/],
    ['/goods/_update_by_query', { query: { match_all: {} } }, /neither its address/],
    ['/rest/api/2/filter', { jql: 'a = b' }, /neither its address/],
    ['/shopping/list', { name: 'tea' }, /neither its address/],
    ['/api/search', { q: 'tea', save: true }, /"save"/],
    ['/api/search', { q: 'tea', createAlert: 1 }, /"createAlert"/],
    ['/rpc/search', { method: 'cart.add', params: {} }, /"method"/],
    ['/api/query', { sql: 'select 1' }, /"sql"/],
    ['/api/query', { query: ' DELETE FROM books' }, /"query"/],
    ['/api/search', { name: 'Tea' }, /row that was made of it/],
    ['/cart/add?search', { q: 'tea' }, /address says/],
  ];
  for (const [path, sent, doubt, more] of DOUBTS)
    test(`not ${more?.method ?? ''} ${path} ${JSON.stringify(sent)}`, () => assert.match(doubtOf(request(path, sent, more)) ?? '', doubt));

  test('a filter, which stands in all rows, is none that was made', () =>
    assert.equal(doubtOf(request('/api/search', { kind: 'leaf' })), undefined));
  test('words of a search by REST are no document of GraphQL', () => assert.equal(graphqlKind({ query: 'tea' }), undefined));
});

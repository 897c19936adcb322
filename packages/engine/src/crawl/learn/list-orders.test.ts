import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListOrders } from './list-orders.ts';

const at = (path: string) => new URL(path, 'https://board.test');
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => at(`/topic/${from + i}`).href);
const SORTS = ['author', 'date', 'title'].map((sort) => at(`/list?page=1&sort=${sort}`).href);

test('ends the orders of a list that lead where its own order leads, on all its pages', () => {
  const orders = new ListOrders();
  for (let page = 0; page < 3; page++) orders.observe(at(`/list?page=${page}`), [...range(page * 10, page * 10 + 10), ...SORTS]);
  for (let page = 0; page < 4; page++) {
    assert.equal(orders.find(at('/list?page=9&sort=author')), undefined);
    orders.observe(at(`/list?page=${page}&sort=date`), [...range(page, page + 10), at(`/list?page=5&sort=date`).href]);
  }
  assert.match(orders.find(at('/list?page=9&sort=author')) ?? '', /lists led nowhere/);
  assert.match(orders.find(at('/other?sort=author')) ?? '', /lists led nowhere/);
  for (const path of ['/list?page=9', '/list', '/shop?order=5531', 'https://other.test/list?sort=date'])
    assert.equal(orders.find(at(path)), undefined, path);
});

test('ends the orders of lists that are shown whole after two', () => {
  const orders = new ListOrders();
  orders.observe(at('/list'), [...range(0, 5), ...SORTS]);
  orders.observe(at('/list?sort=author'), range(0, 5), true);
  assert.equal(orders.find(at('/list?sort=title')), undefined);
  orders.observe(at('/list?sort=date'), range(0, 5), true);
  assert.notEqual(orders.find(at('/list?sort=title')), undefined);
});

test('ends orders whose links carry them along, whatever they are called', () => {
  for (const name of ['o', '_sort_desc', 'ordering']) {
    const orders = new ListOrders();
    const list = (order: string) =>
      orders.observe(at(`/list?${name}=${order}`), [...range(0, 5), at(`/add?back=${encodeURIComponent(`${name}=${order}`)}`).href]);
    orders.observe(at('/list'), [...range(0, 5), at(`/list?${name}=1`).href]);
    for (const order of ['1', '-1.2', '3.-1', '2.3.1']) list(order);
    assert.match(orders.find(at(`/list?${name}=3.2.1`)) ?? '', /lists led nowhere/, name);
  }
});

test('ends orders that say which way they go, whatever their parameters are called', () => {
  const orders = new ListOrders();
  const turned = (column: string, way: string) => at(`/list?_oc_PartView=${column}&_od_PartView=${way}`);
  orders.observe(at('/list'), [...range(0, 10), turned('name', 'asc').href]);
  for (const way of ['asc', 'desc']) for (const column of ['name', 'price']) orders.observe(turned(column, way), range(0, 10));
  assert.match(orders.find(turned('stock', 'Descending')) ?? '', /lists led nowhere/);
  for (const path of ['/list?word=describe', '/list?asc_PartView=1', '/list?way=ascent'])
    assert.equal(orders.find(at(path)), undefined, path);
});

test('counts what is addressed by a letter that is an order in upper case alone', () => {
  const orders = new ListOrders();
  const categories = (from: number) => range(from, from + 5).map((url) => url.replace('/topic/', '/list?c='));
  orders.observe(at('/list'), [...categories(0), at('/list?sort=new').href]);
  for (let i = 1; i < 8; i++) orders.observe(at(`/list?sort=by${i}`), categories(i * 5));
  assert.equal(orders.find(at('/list?sort=by9')), undefined);
});

test('asks on for orders that show what no other shows', () => {
  const orders = new ListOrders();
  orders.observe(at('/top'), [...range(0, 10), at('/top?sort=new').href]);
  for (let i = 1; i < 12; i++) orders.observe(at(`/top?sort=by${i}`), range(i * 10, i * 10 + 10));
  assert.equal(orders.find(at('/top?sort=by12')), undefined);
});

test('knows after a restart what it knew before', () => {
  const orders = new ListOrders();
  orders.observe(at('/list'), [...range(0, 10), ...SORTS]);
  for (let i = 0; i < 4; i++) orders.observe(at(`/list?sort=by${i}`), range(0, 10));
  const saved = JSON.parse(JSON.stringify(orders)) as Record<string, number>;
  assert.notEqual(new ListOrders(saved).find(at('/list?sort=title')), undefined);
});

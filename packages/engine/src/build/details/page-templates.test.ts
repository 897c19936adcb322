import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPageTemplates } from './page-templates.ts';
import { singular, thingFrom } from './thing.ts';

const HOST = 'https://site.test';
const CASES: readonly (readonly [addresses: readonly string[], template: string | undefined, names: readonly string[]])[] = [
  [['/issues/1', '/issues/22', '/issues/3'], '/issues/{0}', ['issue']],
  [['/doku.php?id=a:b', '/doku.php?id=a:c', '/doku.php?id=d'], '/doku.php?id={0}', ['id']],
  [['/2024/02/bean/', '/2024/03/pea/', '/2024/03/leek/'], '/2024/{0}/{1}/', ['slug', 'month']],
  [['/wiki/Bean', '/wiki/Pea', '/wiki/Leek'], '/wiki/{0}', ['wiki']],
  [['/#/goods/1', '/#/goods/2', '/#/goods/3'], undefined, []],
  [['/a/1', '/b/2', '/c/3'], undefined, []],
  [['/goods/1', '/goods/2'], undefined, []],
];

for (const [addresses, template, names] of CASES)
  test(`finds ${template ?? 'no template'} in ${addresses.join(' ')}`, () => {
    const [found] = findPageTemplates(
      addresses.map((each) => HOST + each),
      3,
    );
    assert.equal(found?.template, template === undefined ? undefined : HOST + template);
    assert.deepEqual(found?.places.map(({ name }) => name) ?? [], names);
  });

test('calls a record what its address or the objective calls it', () => {
  assert.equal(thingFrom('issue', 'get one thing'), 'issue');
  assert.equal(thingFrom('wiki', 'get one plant article with its title'), 'plant_article');
  assert.equal(thingFrom('catalogue', 'all books with title and price; one book by its address'), 'book');
  assert.equal(thingFrom('id', 'look at it'), 'page');
  assert.deepEqual(['categories', 'boxes', 'goods', 'news', 'glass'].map(singular), ['category', 'box', 'good', 'new', 'glass']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wasteFloor, wasteKinds } from './waste.ts';
import type { EndedRequest } from './waste.ts';

const asked = (target: string, end: EndedRequest['end'], status = 200, contentType = 'text/html'): EndedRequest => ({
  target,
  status,
  contentType,
  end,
});

test('names each wasted request by what came for it', () => {
  const kinds = wasteKinds(
    [
      asked('/', 'page'),
      asked('/?o=age', 'waste'),
      asked('/moved', 'waste', 302),
      asked('/gone', 'waste', 404),
      asked('/a.png', 'waste', 200, 'image/png'),
      asked('/a.diff', 'waste', 200, 'text/plain; charset=utf-8'),
      asked('/edit', 'waste'),
      asked('/history', 'aside'),
    ],
    (target) => target.startsWith('/?'),
  );
  assert.deepEqual(kinds, { redirect: 1, error: 1, file: 1, raw: 1, again: 1, other: 1 });
});

test('an oracle ends a class without pages after its probes, and none that has a page', () => {
  const views = [1, 2, 3, 4, 5].map((id) => asked(`/index.php?id=${id}&view=print`, 'waste'));
  const pages = [1, 2, 3].map((id) => asked(`/index.php?id=${id}`, 'page'));
  assert.equal(wasteFloor([...pages, ...views], 2), 2);
  assert.equal(wasteFloor([...pages, ...views], 3), 3);
  assert.equal(wasteFloor([...pages, ...views, asked('/index.php?id=9&view=print', 'page')], 2), 5);
});

test('requests that share nothing can not be spared', () => {
  assert.equal(wasteFloor([asked('/', 'page'), asked('/login', 'waste', 302), asked('/about', 'waste', 404)], 2), 2);
});

test('a request counts for one class only, the largest', () => {
  const both = [1, 2, 3, 4].map((id) => asked(`/i?a=show&id=${id}&hl=de`, 'waste'));
  const more = [5, 6, 7].map((id) => asked(`/i?a=list&id=${id}&hl=de`, 'waste'));
  assert.equal(wasteFloor([asked('/i?a=show&id=1', 'page'), asked('/i?a=list&id=5', 'page'), ...both, ...more], 2), 2);
});

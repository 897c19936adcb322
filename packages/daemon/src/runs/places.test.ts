import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Places } from './places.ts';
import type { RunQueue } from './store.ts';

const QUEUES = ['crawl', 'page', 'workflow', 'monitor'] as const;
const limits = (total: number) => ({ total, crawl: 8, page: 8, workflow: 4, monitor: 8, automation: 4, build: 2 });

/** How many of each queue begin where all have many waiting, filled in this order. */
function fill(places: Places, order: readonly RunQueue[]): readonly number[] {
  return order.map((queue) => {
    let count = 0;
    while (places.mayBegin(queue, 0)) {
      places.take(queue);
      count++;
    }
    return count;
  });
}

test('leaves a place to each queue that has none, as long as half are left', () => {
  assert.deepEqual(fill(new Places(limits(16), QUEUES), ['crawl', 'page', 'workflow', 'monitor']), [8, 6, 1, 1]);
  assert.deepEqual(fill(new Places(limits(4), QUEUES), ['crawl', 'page', 'workflow', 'monitor']), [2, 1, 1, 0]);
  assert.deepEqual(fill(new Places(limits(1), QUEUES), ['crawl', 'page']), [1, 0]);
});

test('lets a run come back where none is free, and nobody begin before it has gone', () => {
  const places = new Places({ ...limits(16), crawl: 1 }, QUEUES);
  places.take('crawl');
  places.take('crawl');
  places.giveBack('crawl');
  assert.equal(places.mayBegin('crawl', 2), false);
  places.giveBack('crawl');
  assert.equal(places.mayBegin('crawl', 2), true);
  assert.equal(places.mayBegin('crawl', 1000), false);
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createProgress, progressParts } from './progress.ts';

const counts = (fetched: number, pending: number) => ({
  discovered: fetched + pending,
  fetched,
  reused: 0,
  failed: 0,
  skipped: 0,
  pending,
  elsewhere: 0,
});

suite('progress of a crawl', () => {
  test('says only numbers that are not zero, and links that are not followed last', () => {
    assert.deepEqual(progressParts(counts(3, 4), 0), ['3 fetched', '4 queued']);
    assert.deepEqual(progressParts({ ...counts(3, 0), reused: 1, failed: 2, skipped: 5, elsewhere: 4 }, 12.4), [
      '3 fetched',
      '0 queued',
      '2 failed',
      '1 reused',
      '12 pages/s',
      '1 link not followed',
      '4 links to other sites',
    ]);
  });

  test('tells the pace of the last half minute, and how long what is queued takes at it', () => {
    let said: readonly string[] = [];
    const progress = createProgress({ isLive: true, show: (parts) => (said = parts), end: () => undefined }, async () => 0);
    progress.show(counts(0, 10), 0);
    progress.show(counts(600, 400), 60_000);
    progress.show(counts(620, 400), 70_000);
    assert.deepEqual(said, ['620 fetched', '400 queued', '2.0 pages/s', '3 min left at least']);
  });

  test('counts the links to other sites anew only once the count before has come', async () => {
    let said: readonly string[] = [];
    const asked = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    let counts = 0;
    const progress = createProgress({ isLive: true, show: (parts) => (said = parts), end: () => undefined }, () => {
      const next = asked[counts++];
      assert.ok(next, 'a third count');
      return next.promise;
    });
    const ledger = { fetched: 1, pending: 1, skipped: 4000 };
    for (const atMs of [0, 1, 2]) progress.show(ledger, atMs);
    assert.deepEqual([counts, said.at(-1)], [1, '4000 links not followed']);
    asked[0]?.resolve(3999);
    await asked[0]?.promise;
    await new Promise(setImmediate);
    progress.show(ledger, 3);
    assert.deepEqual(said.slice(-2), ['1 link not followed', '3999 links to other sites']);
  });
});

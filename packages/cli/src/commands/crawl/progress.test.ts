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
});

suite('progress of a crawl', () => {
  test('says only numbers that are not zero, and links that are not followed last', () => {
    assert.deepEqual(progressParts(counts(3, 4), 0), ['3 fetched', '4 queued']);
    assert.deepEqual(progressParts({ ...counts(3, 0), reused: 1, failed: 2, skipped: 5 }, 12.4), [
      '3 fetched',
      '0 queued',
      '2 failed',
      '1 reused',
      '12 pages/s',
      '5 links not followed',
    ]);
  });

  test('tells the pace of the last half minute, and how long what is queued takes at it', () => {
    let said: readonly string[] = [];
    const progress = createProgress({ isLive: true, show: (parts) => (said = parts), end: () => undefined });
    progress.show(counts(0, 10), 0);
    progress.show(counts(600, 400), 60_000);
    progress.show(counts(620, 400), 70_000);
    assert.deepEqual(said, ['620 fetched', '400 queued', '2.0 pages/s', '3 min left at least']);
  });
});

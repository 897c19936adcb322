import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createProgress, progressLine } from './progress.ts';

const counts = (fetched: number, pending: number) => ({
  discovered: fetched + pending,
  fetched,
  reused: 0,
  failed: 0,
  skipped: 0,
  pending,
});

function shown(isTTY: boolean, steps: readonly (readonly [fetched: number, pending: number, atMs: number])[]): string {
  let text = '';
  const progress = createProgress({ isTTY, write: (more) => (text += more) });
  for (const [fetched, pending, atMs] of steps) progress.show(counts(fetched, pending), atMs);
  progress.end();
  return text;
}

suite('progress of a crawl', () => {
  test('says only numbers that are not zero', () => {
    assert.equal(progressLine(counts(3, 4), 0), 'weft: 3 fetched, 4 queued');
    assert.equal(
      progressLine({ ...counts(3, 0), reused: 1, failed: 2, skipped: 5 }, 12.4),
      'weft: 3 fetched, 0 queued, 1 reused, 2 failed, 5 skipped, 12 pages/s',
    );
  });

  test('tells the pace of the last half minute, and how long what is queued takes at it', () =>
    assert.match(
      shown(true, [
        [0, 10, 0],
        [600, 400, 60_000],
        [620, 400, 70_000],
      ]),
      /620 fetched, 400 queued, 2\.0 pages\/s, 3 min left at least\n$/,
    ));

  test('rewrites one line of a terminal', () =>
    assert.equal(
      shown(true, [
        [1, 0, 0],
        [2, 0, 1000],
      ]),
      '\r\u001b[Kweft: 1 fetched, 0 queued\r\u001b[Kweft: 2 fetched, 0 queued, 1.0 pages/s\n',
    ));

  test('writes plain lines elsewhere, ten seconds apart at least', () =>
    assert.equal(
      shown(false, [
        [1, 0, 0],
        [2, 0, 9_000],
        [3, 0, 10_000],
      ]),
      'weft: 1 fetched, 0 queued\nweft: 3 fetched, 0 queued, 0.2 pages/s\n',
    ));
});

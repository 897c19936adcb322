import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createStatusLine, fitted } from './status-line.ts';

const PARTS = ['1200 fetched', '88 queued', '3 failed', '5.1 pages/s', '17 s left at least'];

function shown(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  steps: readonly (readonly [parts: string[], atMs: number])[],
) {
  let text = '';
  const line = createStatusLine({ ...stream, write: (more) => (text += more) });
  for (const [parts, atMs] of steps) line.show(parts, atMs);
  line.end();
  return text;
}

suite('the status line', () => {
  for (const [columns, said] of [
    [200, 'weft: 1200 fetched, 88 queued, 3 failed, 5.1 pages/s, 17 s left at least'],
    [60, 'weft: 1200 fetched, 88 queued, 3 failed, 5.1 pages/s'],
    [39, 'weft: 1200 fetched, 88 queued, 3 failed'],
    [38, 'weft: 1200 fetched, 88 queued'],
    [10, 'weft: 1200'],
  ] as const)
    test(`in ${columns} columns it says: ${said}`, () => assert.equal(fitted(PARTS, columns), said));

  test('is written over on a terminal, and taken off it at the end', () =>
    assert.equal(
      shown({ isTTY: true, columns: 40 }, [
        [['1 fetched'], 0],
        [['2 fetched'], 1],
      ]),
      '\r\u001B[Kweft: 1 fetched\r\u001B[Kweft: 2 fetched\r\u001B[K',
    ));

  test('is a line of its own elsewhere, ten seconds apart at least', () =>
    assert.equal(
      shown({}, [
        [['1 fetched'], 0],
        [['2 fetched'], 9_000],
        [['3 fetched', '4 queued'], 10_000],
      ]),
      'weft: 1 fetched\nweft: 3 fetched, 4 queued\n',
    ));
});

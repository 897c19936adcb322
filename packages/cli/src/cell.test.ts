import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellText, cellsFor, lineText } from './cell.ts';

const ADDRESS = 'https://shop.test/catalogue/a-very-long-name-of-a-brass-compass_6/reviews/';

test('cuts a cell where it has to fit beside others on a screen, and nowhere else', () => {
  assert.equal(cellsFor({ isTerminal: true })(ADDRESS), `${ADDRESS.slice(0, 39)}\u2026`);
  assert.equal(cellsFor({ isTerminal: false })(ADDRESS), ADDRESS);
  assert.equal(cellText(ADDRESS).length, 40);
});

test('a cell is one line without control characters on both', () => {
  for (const isTerminal of [true, false]) assert.equal(cellsFor({ isTerminal })('a\n\u001b[31mb'), 'a [31mb');
  assert.equal(lineText(undefined, 5), '');
});

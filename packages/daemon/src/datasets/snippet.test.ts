import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseQuery } from './match-query.ts';
import { findSnippet } from './snippet.ts';

const FILLER = Array.from({ length: 200 }, (_, i) => `filler${i}`).join(' ');
const shown = (text: string, query: string) => {
  const { snippet, matches } = findSnippet(text, parseQuery(query).terms);
  return { snippet, found: matches.map(({ start, end }) => snippet.slice(start, end)) };
};

const CASES: readonly (readonly [name: string, text: string, query: string, found: readonly string[]])[] = [
  ['finds words in any case', 'The Shelf holds three Books.', 'books shelf', ['Shelf', 'Books']],
  ['finds words without their accents', 'Un caf\u00e9 noir', 'cafe', ['caf\u00e9']],
  ['finds phrases, not their words apart', 'red wine and red old wine', '"red wine"', ['red wine']],
  ['finds beginnings', 'booking a bookshelf', 'book*', ['booking', 'bookshelf']],
  ['does not take a whole word for a beginning', 'booking', 'book', []],
  ['finds Korean', '\ud55c\uad6d\uc5b4 \ubb38\uc11c', '\ubb38\uc11c', ['\ubb38\uc11c']],
  ['finds words across lines', 'one\n\n\ttwo', '"one two"', ['one two']],
  ['is empty for an empty text', '', 'x', []],
];

suite('snippets', () => {
  for (const [name, text, query, found] of CASES) test(name, () => assert.deepEqual(shown(text, query).found, found));

  test('shows the place where most of the words stand together', () => {
    const { snippet, found } = shown(`apple ${FILLER} apple pear ${FILLER}`, 'pear apple');
    assert.deepEqual(found, ['apple', 'pear']);
    assert.match(snippet, /^\u2026 filler19\d .* apple pear filler0 .* \u2026$/);
  });

  test('shows the beginning when only the title was found', () =>
    assert.match(shown(FILLER, 'absent').snippet, /^filler0 filler1 .*\u2026$/));

  test('stays short for a text without spaces', () => assert.ok(shown('x'.repeat(100_000), 'y').snippet.length < 400));
});

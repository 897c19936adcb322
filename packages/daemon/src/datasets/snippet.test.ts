import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from './match-query.ts';
import { findSnippet } from './snippet.ts';

const FILLER = Array.from({ length: 200 }, (_, i) => `filler${i}`).join(' ');
const shown = (text: string, query: string) => {
  const { snippet, matches } = findSnippet((charsMax) => text.slice(0, charsMax), parseQuery(query).terms);
  return { snippet, found: matches.map(({ start, end }) => snippet.slice(start, end)) };
};

const CASES: readonly (readonly [name: string, text: string, query: string, found: readonly string[]])[] = [
  ['finds words in any case', 'The Shelf holds three Books.', 'books shelf', ['Shelf', 'Books']],
  ['finds words without their accents', 'Un caf\u00e9 noir', 'cafe', ['caf\u00e9']],
  ['finds phrases, not their words apart', 'red wine and red old wine', '"red wine"', ['red wine']],
  ['finds beginnings', 'booking a bookshelf', 'book*', ['booking', 'bookshelf']],
  ['does not take a whole word for a beginning', 'booking', 'book', []],
  ['finds words in capitals that grow in lower case', '\u0130stanbul \u0130 Books', 'books', ['Books']],
  ['finds Chinese where it stands, without spaces of our own', '\u6211\u5728\u5317\u4eac\u5927\u5b66', '\u5317\u4eac', ['\u5317\u4eac']],
  ['takes a joined character for a part of its word', 'caf\u00e9\u0323 cafe', 'cafe', ['cafe']],
  ['finds letters beyond the basic plane', '\u{10400}b x', '\u{10400}b', ['\u{10400}b']],
  ['finds the same word once for two terms', 'shelf', 'shelf shel*', ['shelf']],
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

  test('shows a place far behind when only there all words stand together', () =>
    assert.deepEqual(shown(`apple ${'x '.repeat(20_000)} pear apple ${FILLER}`, 'pear apple').found, ['pear', 'apple']));

  test('marks what it found and nothing else, in any text', () => {
    const piece = fc.constantFrom(
      'book',
      'Book',
      'b\u00f6ok',
      'shelf',
      ' ',
      '\n',
      '-',
      'e',
      '\u4e2d',
      '\u{1f4da}',
      '\u0130',
      '. ',
      'bookshelf',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 400 }),
        fc.constantFrom('book', 'book shelf', '"book shelf"', 'boo*', '\u4e2d'),
        (pieces, query) => {
          const text = pieces.join('');
          const { snippet, found } = shown(text, query);
          const pattern = /^(?:b[o\u00f6]ok|shelf|b[o\u00f6]ok[ \n.\u{1f4da}-]+shelf|boo\S*|b\u00f6ok\S*|\u4e2d)$/iu;
          for (const word of found) assert.match(word, pattern);
          assert.ok(snippet.isWellFormed() && snippet.length <= 260, snippet);
        },
      ),
    );
  });

  test('shows the beginning when only the title was found', () =>
    assert.match(shown(FILLER, 'absent').snippet, /^filler0 filler1 .*\u2026$/));

  test('stays short for a text without spaces', () => assert.ok(shown('x'.repeat(100_000), 'y').snippet.length < 400));
});

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { AppError } from '@weft/contract';
import fc from 'fast-check';
import { parseQuery } from './match-query.ts';

const EXPRESSIONS: readonly (readonly [text: string, expression: string])[] = [
  ['two words', '"two" "words"'],
  ['"a phrase" word', '"a phrase" "word"'],
  ['begin*', '"begin" *'],
  ['foo-bar', '"foo bar"'],
  ['title:x', '"title x"'],
  ['a AND b', '"a" "b"'],
  ['a AND b OR c NOT d', '(("a") AND ("b" OR "c")) NOT ("d")'],
  ['a -b -"c d"', '(("a")) NOT ("b" OR "c d")'],
  ['a OR "b c" OR deep* e', '("a" OR "b c" OR "deep" *) AND ("e")'],
  ['OR a or b', '"OR" "a" "or" "b"'],
  ['a NOT', '"a"'],
  ['e-mail 5 -3', '"e mail" "5" "3"'],
  ['NEAR(a b, 5)', '"NEAR a" "b" "5"'],
  ['open " quote', '"open" "quote"'],
  ["'; DROP TABLE record; --", '"DROP" "TABLE" "record"'],
  ['\u5317\u4eac', '"\u5317 \u4eac"'],
  ['x \0 y', '"x" "y"'],
];

const REFUSED: readonly (readonly [text: string, sentence: RegExp])[] = [
  ['***', /no letter or digit/],
  ['" "', /no letter or digit/],
  ['NOT a -b', /only what must not occur/],
  ['ab*', /too short; give at least 3 letters/],
  ['x '.repeat(51), /51 words; at most 50/],
];

suite('the text of a search', () => {
  for (const [text, expression] of EXPRESSIONS)
    test(`F58 reads ${JSON.stringify(text)} as words`, () => assert.equal(parseQuery(text).expression, expression));

  for (const [text, sentence] of REFUSED)
    test(`F58 refuses ${JSON.stringify(text.slice(0, 20))} with a sentence`, () =>
      assert.throws(
        () => parseQuery(text),
        (error) => error instanceof AppError && error.code === 'bad_request' && sentence.test(error.message),
      ));

  const database = new DatabaseSync(':memory:');
  after(() => database.close());
  database.exec(
    "CREATE VIRTUAL TABLE t USING fts5(title, body, tokenize = 'unicode61 remove_diacritics 2'); INSERT INTO t VALUES ('a', 'b')",
  );
  const match = database.prepare('SELECT count(*) AS n FROM t WHERE t MATCH ?');

  test('F58 makes of any text an expression that the index takes, or refuses it by itself', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '*', 'NEAR(', '^', ':', '{a b}:', '+', '-', 'AND', '(', ')', '\0', "'"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          match.get(parseQuery(pieces.join(' ')).expression);
        } catch (error) {
          assert.ok(error instanceof AppError, String(error));
        }
      }),
    );
  });
});

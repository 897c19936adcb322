import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TextDiff } from '@weft/contract';
import { array, assert as check, constantFrom, property } from 'fast-check';
import { diffText } from './text.ts';
import { wordsOf } from './tokens.ts';

const pieces = array(
  constantFrom('shelf', 'kowari ', '19.99', ' ', ',', '\n', '\r\n', '\r', '日本', 'é', '\u{1F600}', '\ud800', 'e\u0301', '\u2028'),
  {
    maxLength: 40,
  },
).map((all) => all.join(''));
const side = ({ parts }: TextDiff, hidden: 'added' | 'removed') =>
  parts
    .filter(({ kind }) => kind !== hidden)
    .map(({ text }) => text)
    .join('');
const shown = ({ parts }: TextDiff) =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`)).join('');

for (const unit of ['line', 'word'] as const)
  suite(`the difference by ${unit}`, () => {
    test('holds the old text and the new one whole', () => {
      check(
        property(pieces, pieces, (old, fresh) => {
          const diff = diffText(old, fresh, unit);
          assert.equal(side(diff, 'added'), old);
          assert.equal(side(diff, 'removed'), fresh);
          assert.ok(diff.parts.every(({ kind, text }, i) => text !== '' && kind !== diff.parts[i - 1]?.kind));
        }),
        { numRuns: 300 },
      );
    });

    test('exchanges added and removed for exchanged texts', () => {
      check(
        property(pieces, pieces, (old, fresh) => {
          const [there, back] = [diffText(old, fresh, unit), diffText(fresh, old, unit)];
          assert.deepEqual([there.added, there.removed], [back.removed, back.added]);
        }),
        { numRuns: 300 },
      );
    });
  });

test('by word: a price changes as one, neighbours that changed are one replacement, and words are counted', () => {
  for (const [old, fresh, expected, removed, added] of [
    ['Price: 1,299.00 EUR', 'Price: 1,199.00 EUR', 'Price: [-1,299.00-]{+1,199.00+} EUR', 1, 1],
    ['in stock today', 'sold out today', '[-in stock-]{+sold out+} today', 2, 2],
    ['a  b', 'a b', 'a[-  -]{+ +}b', 0, 0],
    ['価格は百円', '価格は千円', '価格は[-百-]{+千+}円', 1, 1],
    ['', 'new words', '{+new words+}', 0, 2],
    ['same', 'same', 'same', 0, 0],
  ] as const) {
    const diff = diffText(old, fresh, 'word');
    assert.deepEqual([shown(diff), diff.removed, diff.added], [expected, removed, added]);
  }
});

test('by line: counts lines, and a line that lost its line break has changed', () => {
  const diff = diffText('a\nb\n', 'a\nb', 'line');
  assert.deepEqual([shown(diff), diff.removed, diff.added, diff.exact], ['a\n[-b\n-]{+b+}', 1, 1, true]);
});

test('texts that differ in too much say which limit was reached', () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i}\n`);
  const diff = diffText(lines.join(''), lines.toReversed().join(''), 'line');
  assert.equal(diff.exact, false);
  assert.match(diff.reason ?? '', /compared in parts/);
});

test('cuts words so that they make the text again', () => {
  assert.deepEqual(wordsOf('x_1 3rd, 18:30\r\n'), ['x_1', ' ', '3rd', ',', ' ', '18:30', '\r\n']);
});

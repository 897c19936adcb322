import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextCounts } from './text-counts.ts';
import { countText } from './text-counts.ts';

const NONE: TextCounts = { words: 1, commas: 0, sentences: 0, digits: 0, capitals: 0, symbols: 0 };
const CASES: readonly (readonly [text: string, counts: Partial<TextCounts>])[] = [
  ['plain', {}],
  ['three plain words', { words: 3 }],
  ['One, two、three，four', { words: 2, commas: 3, capitals: 1, symbols: 2 }],
  ['Ends. Here! v1.2', { words: 3, sentences: 2, digits: 2, capitals: 2, symbols: 1 }],
  ['Élan McDonald ÉCOLE', { words: 3, capitals: 3 }],
  ['文章です。 終', { words: 2, sentences: 1, symbols: 1 }],
  ['a 😀 b 𝒳', { words: 4, symbols: 1, capitals: 1 }],
  ['𠮷野家', {}],
  ['\ud83d', { symbols: 1 }],
  ['a\ude00', { symbols: 1 }],
  ['"don’t" - (5%)', { words: 3, digits: 1, symbols: 3 }],
];
for (const [text, counts] of CASES) {
  test(`counts what ${JSON.stringify(text)} is made of`, () => assert.deepEqual(countText(text), { ...NONE, ...counts }));
}

/** The same counts as one pattern each. */
const PATTERNS: readonly (readonly [name: keyof TextCounts, pattern: RegExp])[] = [
  ['sentences', /[.!?。！？](?:\s|$)/g],
  ['digits', /\d/g],
  ['capitals', /(?:^|\s)\p{Lu}/gu],
  ['symbols', /[^\p{L}\p{N}\s.,'’"“”-]/gu],
];
test('counts the same as patterns do, whatever the characters', () => {
  let seed = 7;
  const next = (below: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % below;
  const pieces = ['a', 'B', ' ', '.', '!', '7', 'É', 'ß', '。', '€', '😀', '𝒳', '𠮷', '\ud83d', '\ude00', ',', '-', '(', 'ǅ', '²'];
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 12 }, () => pieces[next(pieces.length)])
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
    for (const [name, pattern] of PATTERNS)
      assert.equal(countText(text)[name], text.match(pattern)?.length ?? 0, `${name} of ${JSON.stringify(text)}`);
  }
});

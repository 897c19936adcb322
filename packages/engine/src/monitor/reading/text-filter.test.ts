import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TextFilter } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import { canonicalJson, canonicalLine } from './canonical-json.ts';
import { capped, COMPARED_CHARS_MAX, findPhrases, LineFilter } from './text-filter.ts';

const SEED = 20_260;
const ROUNDS = 300;

/** Numbers from 0 to 1 that are the same each time (mulberry32, public domain). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function digestOf(text: string, filter: TextFilter = {}): string {
  const lines = new LineFilter(filter);
  return lines.digest(lines.canonical(lines.strip(text).text));
}

describe('texts as they are compared', () => {
  it(`are equal whatever white space stands between their words, and differ where a word does (seed ${SEED})`, () => {
    const random = randomFrom(SEED);
    const spaces = [' ', '  ', '\u00a0', '\n', ' \n\n ', '\t', '\u2009', '\u200b '];
    for (let round = 0; round < ROUNDS; round++) {
      const words = Array.from({ length: 1 + Math.floor(random() * 8) }, () => pick(random, ['a', 'bc', '1', 'é', '日本']));
      const written = () => pick(random, ['', ' ', '\n']) + words.map((word) => word + pick(random, spaces)).join('');
      assert.equal(digestOf(written()), digestOf(words.join(' ')), JSON.stringify(words));
      const changed = words.with(Math.floor(random() * words.length), 'other');
      assert.notEqual(digestOf(changed.join(' ')), digestOf(words.join(' ')));
    }
  });

  it(`are equal in any order of lines where that means nothing (seed ${SEED})`, () => {
    const random = randomFrom(SEED + 1);
    for (let round = 0; round < ROUNDS; round++) {
      const lines = Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(random, ['a b', 'b', 'c 1', 'd']));
      const turned = shuffled(random, lines);
      assert.equal(digestOf(lines.join('\n'), { sort_lines: true }), digestOf(turned.join('\n'), { sort_lines: true }));
    }
  });

  it(`do not change by what is ignored (seed ${SEED})`, () => {
    const random = randomFrom(SEED + 2);
    const filter = { ignore: ['Visits', '/\\(\\d+\\)/'] };
    for (let round = 0; round < ROUNDS; round++) {
      const noise = () => `visits: ${Math.floor(random() * 1e6)}`;
      const number = () => `(${Math.floor(random() * 1e6)})`;
      const text = (seen: string, shown: string) => `one ${shown}\n${seen}\ntwo`;
      assert.equal(digestOf(text(noise(), number()), filter), digestOf(text(noise(), number()), filter));
    }
  });

  it('are read the same a second time', () => {
    const filter = new LineFilter({ sort_lines: true });
    const once = filter.canonical(' b \n\n a\u00a0 c ');
    assert.equal(once, 'a c\nb');
    assert.equal(filter.canonical(once), once);
  });

  it('keep what is at their end by its hash where they are too long', () => {
    const long = 'x'.repeat(COMPARED_CHARS_MAX);
    const [first, second] = [capped(`${long}a`), capped(`${long}b`)];
    assert.match(first, /\n\[1 more characters, SHA-256 [\da-f]{64}\]$/);
    assert.notEqual(first, second);
    assert.equal(capped(long), long);
  });
});

describe('JSON as it is compared', () => {
  it(`is the same in any order of members, and another with another value (seed ${SEED})`, () => {
    const random = randomFrom(SEED + 3);
    const grow = (depth: number): JsonValue => {
      if (depth === 0 || random() < 0.3) return pick<JsonValue>(random, [1, 'a', true, null, 1.5, '']);
      if (random() < 0.4) return Array.from({ length: Math.floor(random() * 4) }, () => grow(depth - 1));
      return Object.fromEntries(
        ['a', 'b', 'é', '10', '9', '__proto__'].slice(0, Math.floor(random() * 7)).map((name) => [name, grow(depth - 1)]),
      );
    };
    const turn = (value: JsonValue): JsonValue => {
      if (Array.isArray(value)) return value.map(turn);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(shuffled(random, Object.entries(value)).map(([name, member]) => [name, turn(member as JsonValue)]));
    };
    for (let round = 0; round < ROUNDS; round++) {
      const value = grow(4);
      assert.equal(canonicalJson(turn(value)), canonicalJson(value));
      assert.deepEqual(JSON.parse(canonicalLine(value)), value);
      assert.notEqual(canonicalLine({ value, more: 1 }), canonicalLine({ value }));
    }
  });
});

describe('phrases', () => {
  it('of white space alone are found everywhere and take no line away', () => {
    assert.deepEqual(findPhrases([' '], 'a'), [{ phrase: ' ', found: true }]);
    assert.equal(new LineFilter({ ignore: [' '] }).strip('a b').ignored, 0);
  });

  it('refuse an expression that is none', () => {
    assert.throws(() => new LineFilter({ ignore: ['/(/'] }), { code: 'selector' });
  });
});

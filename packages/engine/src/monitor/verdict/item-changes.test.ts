import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../../html/loose-json.ts';
import type { SeenValue } from '../known.ts';
import { summarize } from './summary.ts';

const items = (...titles: readonly string[]): JsonValue => titles.map((title) => ({ key: title.slice(0, 1), item: { title } }));
const seen = (value: JsonValue, text: string): SeenValue => ({ value, text, compared: text, digest: text });
const sentence = (old: JsonValue, now: JsonValue) => summarize('changed', 'list', seen(old, 'x'), seen(now, 'y'), undefined);

for (const [promise, old, now, words] of [
  ['what came and went', items('a', 'b'), items('c', 'a'), 'list: 1 new ("c"), 1 gone ("b").'],
  ['what changed', items('a', 'b'), items('a', 'bb'), 'list: 1 changed ("bb").'],
  ['three names, and how many more', items('a'), items('a', 'b', 'c', 'd', 'e', 'f'), 'list: 5 new ("b", "c", "d" and 2 more).'],
  ['a key where no field has a name', [], [{ key: 'k', item: { n: 1 } }], 'list: 1 new ("k").'],
  ['both values of what is no list of items', ['a'], ['b'], 'list changed from "x" to "y".'],
  ['both values where only the order differs', items('a', 'b'), items('b', 'a'), 'list changed from "x" to "y".'],
] as const satisfies readonly (readonly [string, JsonValue, JsonValue, string])[])
  test(`a change of a list says ${promise}`, () => assert.equal(sentence(old, now), words));

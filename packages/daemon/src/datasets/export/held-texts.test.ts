import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldTexts, textInParts } from './held-texts.ts';

const LONG = '\u{1f4da}x'.repeat(1_000_000);

test('attack 3: the text of a large row is made once for who reads on, and again for who was overtaken', () => {
  const made: string[] = [];
  const held = createHeldTexts(LONG.length);
  const partsOf = (name: string) => textInParts(() => (made.push(name), LONG), held);
  assert.equal(Buffer.concat([...partsOf('a')]).toString(), LONG);
  assert.deepEqual(made, ['a']);
  const slow = partsOf('slow');
  const begun = Buffer.from(slow.next().value ?? '');
  assert.equal(Buffer.concat([...partsOf('b')]).toString(), LONG);
  assert.equal(Buffer.concat([begun, ...slow]).toString(), LONG);
  assert.deepEqual(made, ['a', 'slow', 'b', 'slow']);
});

test('attack 3: texts that fit together are all held, and one that is left makes its place', () => {
  const made: string[] = [];
  const held = createHeldTexts(10);
  const ask = (owner: object, name: string, length: number) => held.of(owner, () => (made.push(name), name.repeat(length)));
  const [a, b, c] = [{}, {}, {}];
  for (const _ of [1, 2])
    for (const [owner, name] of [
      [a, 'a'],
      [b, 'b'],
    ] as const)
      ask(owner, name, 5);
  assert.deepEqual(made, ['a', 'b']);
  held.drop(a);
  ask(c, 'c', 5);
  ask(b, 'b', 5);
  assert.deepEqual(made, ['a', 'b', 'c']);
  ask(a, 'a', 20);
  ask(a, 'a', 20);
  ask(b, 'b', 5);
  assert.deepEqual(made, ['a', 'b', 'c', 'a', 'b']);
});

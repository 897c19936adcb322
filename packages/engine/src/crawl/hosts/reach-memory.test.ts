import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reach } from '../../ports.ts';
import { ReachMemory, reachablePrivately } from './reach-memory.ts';

const TARGETS = ['shop.test:80', 'shop.test:443'];
const PAGE = 'http://shop.test/a';

const memoryOf = (...seen: readonly Reach[]) => {
  const memory = new ReachMemory();
  for (const reach of seen) memory.note(PAGE, reach);
  return memory;
};

for (const [seen, isOpen, leadsThere] of [
  [[], true, false],
  [['private'], true, true],
  [['public'], false, false],
  [['private', 'public'], false, false],
  [['private', 'public', 'private'], false, false],
  [['public', 'private'], false, false],
] as const)
  test(`attack 1: a named host that answered ${seen.join(', then ') || 'never'} is ${isOpen ? '' : 'not '}open, and its pages lead ${leadsThere ? '' : 'not '}there`, () => {
    const memory = memoryOf(...seen);
    for (const known of [memory, new ReachMemory(JSON.parse(JSON.stringify(memory)) as ReturnType<ReachMemory['toJSON']>)]) {
      assert.deepEqual(reachablePrivately(PAGE, TARGETS, known), leadsThere ? TARGETS : []);
      assert.equal(known.admit(PAGE, 'private'), isOpen);
      assert.equal(known.admit(PAGE, 'public'), true);
    }
  });

test('attack 1: what the caller asks for needs no parent, and another host leads nowhere', () => {
  const memory = memoryOf('private');
  assert.deepEqual(reachablePrivately(undefined, TARGETS, memory), TARGETS);
  assert.deepEqual(reachablePrivately('http://other.test/', TARGETS, memory), []);
  assert.deepEqual(reachablePrivately('http://shop.test:8080/', TARGETS, memory), []);
});

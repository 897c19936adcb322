import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listPage, partText } from './list-page.ts';

suite('parts of lists', () => {
  for (const [offset, shown, total, told] of [
    [0, 3, 3, undefined],
    [0, 0, 0, undefined],
    [0, 3, undefined, undefined],
    [0, 50, 120, '1 to 50 of 120; the next: --offset 50'],
    [100, 20, 120, '101 to 120 of 120'],
    [120, 0, 120, 'none of 120'],
  ] as const)
    test(`${shown} after ${offset} of ${total} are told as ${told}`, () => assert.equal(partText(offset, shown, total), told));

  test('a list that comes whole is cut as one that is asked for in parts', () => {
    const said: string[] = [];
    const page = listPage({ say: (text) => said.push(text), signal: new AbortController().signal }, { limit: '2', offset: '1' });
    const part = page.cut(['a', 'b', 'c', 'd']);
    page.tell(part.length);
    assert.deepEqual([part, said], [['b', 'c'], ['weft: 2 to 3 of 4; the next: --offset 3']]);
  });

  for (const options of [{ limit: '0' }, { limit: '501' }, { limit: 'all' }, { offset: '-1' }])
    test(`refuses ${JSON.stringify(options)}`, () =>
      assert.throws(() => listPage({ say: () => {}, signal: new AbortController().signal }, options), /must be a whole number/));
});

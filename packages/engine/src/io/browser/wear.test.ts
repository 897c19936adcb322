import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createWear } from './wear.ts';

suite('the wear of a browser', () => {
  const after = (steps: readonly number[], limits = {}) => {
    const wear = createWear(limits, () => 0);
    for (const ms of steps) wear.addPage(ms);
    return wear.isWorn();
  };
  const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

  const cases: readonly (readonly [string, readonly number[], boolean, object?])[] = [
    ['a new one is not worn', [], false],
    ['pages that cost the same do not wear it', times(500, 80), false],
    ['its pages are counted', times(3, 80), true, { browserPagesMax: 3 }],
    ['steps that became six times as slow wear it', [...times(100, 120), ...times(20, 720)], true],
    ['a few slow steps do not', [...times(100, 120), ...times(9, 5000)], false],
    ['steps that are slow but quick enough do not', [...times(100, 20), ...times(20, 400)], false],
    ['a slow machine from the beginning does not', times(200, 2000), false],
    ['a slow beginning is no rot', [...times(20, 2000), ...times(100, 80)], false],
  ];
  for (const [promise, steps, expected, limits] of cases) test(promise, () => assert.equal(after(steps, limits), expected));

  test('age wears it', () => {
    let nowMs = 0;
    const wear = createWear({ browserAgeMs: 1000 }, () => nowMs);
    assert.equal(wear.isWorn(), false);
    nowMs = 1000;
    assert.equal(wear.isWorn(), true);
  });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hidingInPictures } from './hide-in-pictures.ts';

suite('what pictures hide', () => {
  for (const [browser, hidden] of [
    [undefined, undefined],
    [{}, {}],
    [{ pdf: false }, { pdf: false }],
    [{ pdf: true }, { pdf: true, hide: ['b'] }],
    [
      { screenshot: 'full', hide: ['a'] },
      { screenshot: 'full', hide: ['a', 'b'] },
    ],
  ] as const)
    test(`${JSON.stringify(browser)} hides as ${JSON.stringify(hidden)}`, () => assert.deepEqual(hidingInPictures(browser, ['b']), hidden));
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decideLane } from '../../../packages/engine/src/lane/choose-lane.ts';
import { makePages } from './shell-pages.ts';

suite('made pages and shells', () => {
  test('the same seed makes the same pages, another one others', () => {
    assert.deepEqual(makePages(2, 1), makePages(2, 1));
    assert.notDeepEqual(makePages(2, 1), makePages(2, 2));
  });

  test('the engine tells them apart on sites that it was not fitted on', () => {
    const wrong = makePages(100, 77).filter(({ html, isShell }) => {
      const page = { url: 'https://made.example/', status: 200, headers: [['content-type', 'text/html']] as const, html };
      return (decideLane(page).kind === 'render') !== isShell;
    });
    assert.ok(wrong.length <= 4, `${wrong.length} of 800 are wrong, first ${wrong[0]?.html}`);
  });
});

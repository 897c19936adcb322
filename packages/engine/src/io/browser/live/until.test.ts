// Which error is told when the time for a page is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageError } from '../../../errors.ts';
import { startBudget, StepTimeout } from '../deadline.ts';
import { untilAnswered } from './until.ts';

const late = () => new PageError('selector', 'It did not appear.');
const failsWith = (error: Error) => untilAnswered(startBudget(60_000), () => Promise.reject(error), late);

test('a look that had all the time that was left ends as one that found nothing', async () => {
  const ofPlaywright = Object.assign(new Error('frame.textContent: Timeout 12ms exceeded.'), { name: 'TimeoutError' });
  await assert.rejects(failsWith(ofPlaywright), late());
});

test('a step of ours that took too long is told by its own name', async () => {
  await assert.rejects(failsWith(new StepTimeout('preparing a tab')), { name: 'TimeoutError', step: 'preparing a tab' });
});

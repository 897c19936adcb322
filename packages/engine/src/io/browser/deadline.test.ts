import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isStepTimeout, StepTimeout, startBudget, within, withinBudget } from './deadline.ts';

suite('the time of a step', () => {
  const never = new Promise<never>(() => undefined);

  test('a step that does not end is told by its name', async () => {
    await assert.rejects(within(never, 1, 'opening'), new StepTimeout('opening'));
    await assert.rejects(withinBudget(never, startBudget(1), 'opening'), new StepTimeout('opening'));
  });

  test('a step gets the time for which a budget stood still', async () => {
    const budget = startBudget(5);
    const { promise, resolve } = Promise.withResolvers<void>();
    const paused = budget.pauseFor(() => promise);
    const step = withinBudget(never, budget, 'opening').catch(isStepTimeout);
    assert.ok(await Promise.race([step.then(() => false), new Promise((done) => setTimeout(done, 50, true))]));
    resolve();
    await paused;
    assert.equal(await step, true);
  });

  test('the end of a part within a step is the end of the step, whatever is left of its budget', async () => {
    const budget = startBudget(10_000);
    await assert.rejects(withinBudget(within(never, 1, 'the part'), budget, 'the step'), new StepTimeout('the part'));
    assert.ok(budget.leftMs() > 1);
  });
});

// Steps that hold other steps, and those that end a run or hand over to another.
import type { StepOf } from '@weft/contract';
import { RunFault } from '../fault.ts';
import { BOTH, BROWSER } from '../step-work.ts';
import type { StepKind, StepWork } from '../step-work.ts';
import { StopRun } from '../stop-run.ts';
import { renderJson } from '../template/render.ts';
import { holdsSealed, membersFrom } from '../value.ts';

const ROUNDS_MAX = 1000;

/** Loops, branches, calls. */
export const FLOW = {
  forEach: { lanes: () => BOTH, run: forEach } satisfies StepKind<StepOf<'forEach'>>,
  while: {
    lanes: () => BOTH,
    run: async (step, work) => {
      const { max = ROUNDS_MAX } = step;
      let rounds = 0;
      while (await work.holds(step.condition)) {
        if (rounds >= max)
          throw new RunFault('assert', `${step.id} has gone ${rounds} rounds, as many as it may, and its condition still holds.`);
        await work.room.body(step.body, `round:${rounds}`);
        rounds++;
      }
      return { rounds };
    },
  } satisfies StepKind<StepOf<'while'>>,
  if: {
    lanes: () => BOTH,
    run: async (step, work) => {
      let place = 0;
      for (const { when, body } of step.branches) {
        if (await work.holds(when)) {
          await work.room.body(body, `branch:${place}`);
          return { branch: place };
        }
        place++;
      }
      if (step.else) await work.room.body(step.else, 'else');
      return { branch: null };
    },
  } satisfies StepKind<StepOf<'if'>>,
  call: { lanes: () => BOTH, changes: () => true, run: call } satisfies StepKind<StepOf<'call'>>,
  stop: {
    lanes: () => BOTH,
    run: async (step, work) => {
      const reason = step.reason === undefined ? `${step.id} stopped the run.` : work.plain(step.reason);
      throw new StopRun(step.status ?? 'succeeded', step.id, work.state.masker.text(reason));
    },
  } satisfies StepKind<StepOf<'stop'>>,
  // Whoever approves needs no page.
  pause: { lanes: (step) => (step.reason === 'approval' ? BOTH : BROWSER), run: pause } satisfies StepKind<StepOf<'pause'>>,
} as const;

async function forEach(step: StepOf<'forEach'>, work: StepWork): Promise<unknown> {
  const items = work.json(step.items);
  if (!Array.isArray(items)) throw new RunFault('input', `${step.id} goes through a list, and its "items" are none.`);
  const count = Math.min(items.length, step.limit ?? items.length);
  if (count < items.length) work.state.warn(`${step.id} left out ${items.length - count} of ${items.length} items, by its "limit".`);
  for (let place = 0; place < count; place++)
    await work.room.body(
      step.body,
      `item:${place}`,
      membersFrom([
        [step.as ?? 'item', items[place]],
        ['index', place],
      ]),
    );
  return { rounds: count };
}

async function call(step: StepOf<'call'>, work: StepWork): Promise<unknown> {
  const inputs = membersFrom(Object.entries(step.inputs ?? {}).map(([name, value]) => [name, renderJson(value, work.room.scope)] as const));
  if (holdsSealed(inputs))
    throw new RunFault(
      'input',
      `${step.id} gives a secret as an input, and inputs are stored and shown; the called workflow names it itself.`,
    );
  const called = await work.state.ports.call(work.plain(step.workflow), inputs, work.room.signal);
  if (called.status !== 'succeeded')
    throw new RunFault(
      'assert',
      `Run ${called.id} of ${step.workflow} ended as ${called.status}: ${called.message ?? 'no reason was given'}`,
    );
  return called.output ?? null;
}

/** Waits for a person; where something says that it is done, that ends the wait as well. */
async function pause(step: StepOf<'pause'>, work: StepWork): Promise<unknown> {
  const instructions = work.plain(step.instructions);
  const { ports } = work.state;
  const resume = step.resume;
  const waiting = new AbortController();
  const signal = AbortSignal.any([work.room.signal, waiting.signal]);
  const answer = await work.room.whilePersonActs(instructions, async () => {
    const asked = ports.askPerson({ stepId: step.id, reason: step.reason, instructions }, signal);
    if (!resume) return await asked;
    const seen = waitUntilHolds(resume, work, signal).then(() => 'resumed');
    return await Promise.race([asked, seen]).finally(() => waiting.abort());
  });
  if (resume && !(await work.holds(resume)))
    throw new RunFault('assert', `${step.id} was said to be done, and its "resume" does not hold.`);
  return answer;
}

const LOOK_MS = 1000;

async function waitUntilHolds(condition: NonNullable<StepOf<'pause'>['resume']>, work: StepWork, signal: AbortSignal): Promise<void> {
  const { clock } = work.state.ports;
  while (!signal.aborted && !(await work.holds(condition))) await clock.sleepUntil(clock.steadyMs() + LOOK_MS, signal);
}

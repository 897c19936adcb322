// The verdict on a page whose bytes are those of before: nothing is parsed, and nothing can have changed.
import type { KnownMonitor } from '../known.ts';
import type { JudgeRequest, Judgement } from './judgement.ts';
import { stand } from './trouble.ts';

/** Whether the same bytes would be judged the same again: nothing waits, is missing, goes back and forth or is in trouble. */
export function isQuiet({ state, values, targets }: KnownMonitor): boolean {
  return (
    state.kind === 'ok' &&
    Object.values(values).every(({ pending, returns }) => pending === undefined && !returns.includes(true)) &&
    Object.values(targets).every(({ missing, proposed }) => missing === 0 && proposed === undefined)
  );
}

/** The verdict, where `isQuiet` holds. */
export function judgeSame({ settings, targets, known, nowMs }: JudgeRequest): Judgement {
  const { state } = stand(known.state, { kind: 'ok' }, settings.trouble, nowMs);
  const baselines = targets.flatMap(({ baseline }) => Object.entries(baseline));
  const after = Object.fromEntries(Object.entries(known.targets).map(([id, target]) => [id, { ...target, steady: target.steady + 1 }]));
  return {
    verdict: 'unchanged',
    changedSinceLast: false,
    differsFromBaseline: baselines.length === 0 ? undefined : baselines.some(([key, { digest }]) => known.values[key]?.digest !== digest),
    state: 'ok',
    trouble: undefined,
    values: [],
    changes: [],
    trace: [
      { gate: 'notify', outcome: 'skipped', reasons: ['The page is the same to the byte, and so are the rules: it was not read again.'] },
    ],
    flapping: false,
    known: { ...known, state, targets: after },
    recorded: [],
    heals: [],
  };
}

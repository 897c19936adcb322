// What a run came to: what it saw and gave, with what is secret taken out of it.
import type { RunFailure } from '@weft/contract';
import type { TracedStep } from './candidate/traced-step.ts';
import type { Driving } from './driving.ts';
import { GuardFault } from './guard/guards.ts';
import type { RunEnd } from './plan.ts';
import type { RunState } from './state.ts';

/** Lists that were read in parts are counted when all parts are there. */
export function failureOfTotals({ plan, guards, masker }: RunState): RunFailure | undefined {
  // A dry run ends early, and what it pins was never read.
  if (plan.until !== undefined) return undefined;
  try {
    guards.requireTotals();
    return undefined;
  } catch (error) {
    if (!(error instanceof GuardFault)) throw error;
    return { code: error.code, message: masker.text(error.message), step_id: error.stepId };
  }
}

/** The end of a run, before what it drove is closed. */
export function outcomeOf(
  { masker, outs, files, warnings, guards, repairs }: RunState,
  { lane, current }: Driving,
  { failure, output, page, trace, asked }: Pick<RunEnd, 'failure' | 'output' | 'page' | 'trace' | 'asked'>,
): RunEnd {
  const steps = Object.fromEntries(Object.entries(outs).map(([id, given]) => [id, (given as { readonly out: unknown }).out]));
  const shownAt = (at: TracedStep) => (at.url !== undefined && masker.text(at.url) !== at.url ? { ...at, url: undefined } : at);
  return {
    failure,
    output: masker.value(output),
    steps: masker.value(steps),
    files,
    warnings: masker.value(warnings),
    seen: masker.value(guards.seen()),
    repairs: masker.value(repairs),
    lane,
    page,
    asked,
    trace: current?.lane === 'browser' ? trace.map(shownAt) : [],
    writes: current?.session?.writes() ?? 0,
  };
}

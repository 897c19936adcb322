// Proposes for a step that no longer finds its element the one that it meant; a person decides. The judgement is that of monitors (decision 0027).
import type { Step } from '@weft/contract';
import { PageError } from '../../errors.ts';
import type { TargetBaseline, TargetSelector } from '../../monitor/target/baseline.ts';
import type { AskBounds } from '../asking.ts';
import type { Driver } from '../drivers/driver.ts';
import { GuardFault } from '../guard/guards.ts';
import type { RunState } from '../state.ts';
import type { StepRepair } from './step-repair.ts';

/** The first selector of a step that acts on an element of the main frame; frames are not looked into. */
export function repairableSelector(step: Step): TargetSelector | undefined {
  if (!('selectors' in step) || step.selectors === undefined || ('frame' in step && step.frame !== undefined)) return undefined;
  return 'target' in step && step.target !== undefined ? undefined : step.selectors[0];
}

/** Where `error` says that the element is another one or gone, and one that passes all gates stands elsewhere. */
export async function proposeRepair(
  step: Step,
  error: unknown,
  driver: Driver | undefined,
  state: RunState,
  bounds: AskBounds,
): Promise<StepRepair | undefined> {
  const isLost = error instanceof GuardFault || (error instanceof PageError && error.code === 'selector');
  const selector = repairableSelector(step);
  const baseline = state.guards.targetOf(step.id);
  if (!isLost || !driver || selector === undefined || !baseline) return undefined;
  const { url, body, contentType, status, headers } = await driver.page(bounds);
  const ask = { kind: 'repair', selector, baseline, isSteady: state.guards.isSteady(step.id) } as const;
  const { repair } = await state.ports.read({ source: { url, body, contentType }, status, headers, ask }, bounds.signal);
  if (!repair) return undefined;
  // Only steps with selectors come here.
  const healed = { ...step, selectors: [repair.selector, ...repair.alternates] } as Step;
  return { stepId: step.id, step: healed, score: repair.score, evidence: repair.evidence };
}

/** What `driver` shows of the element of `step`, for a later run that does not find it; undefined where it can't be kept. */
export async function baselineOf(step: Step, driver: Driver, state: RunState, bounds: AskBounds): Promise<TargetBaseline | undefined> {
  const selector = repairableSelector(step);
  if (selector === undefined) return undefined;
  try {
    const { url, body, contentType, status, headers } = await driver.page(bounds);
    const recordedAt = new Date(state.ports.clock.now()).toISOString();
    const ask = { kind: 'baseline', selector, recordedAt } as const;
    return (await state.ports.read({ source: { url, body, contentType }, status, headers, ask }, bounds.signal)).baseline;
  } catch (error) {
    // The act itself may still go; a later run keeps it.
    if (error instanceof PageError && error.code !== 'aborted') return undefined;
    throw error;
  }
}

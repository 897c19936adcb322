// What every type of step does, and in which lanes.
import type { Step, StepOf, StepType } from '@weft/contract';
import type { Lane } from '../../ports.ts';
import { allSteps } from '../state.ts';
import { BOTH } from '../step-work.ts';
import type { StepKind } from '../step-work.ts';
import { ACTS } from './act.ts';
import { AI } from './ai.ts';
import { DATA } from './data.ts';
import { FLOW } from './flow.ts';
import { IDENTITY } from './identity.ts';
import { PAGING } from './paginate.ts';
import { WEB } from './web.ts';

const STEPS: { readonly [Type in StepType]: StepKind<StepOf<Type>> } = { ...ACTS, ...AI, ...DATA, ...FLOW, ...IDENTITY, ...PAGING, ...WEB };

/** What steps of `type` do. */
export function kindOf<Type extends StepType>(type: Type): StepKind<StepOf<Type>> {
  return STEPS[type];
}

/** The lanes that can do one step, without those that it holds. */
export function lanesOfStep(step: Step): readonly Lane[] {
  // The table pairs each type with the kind of its own steps.
  return (STEPS[step.type] as StepKind).lanes(step);
}

/** Whether one step, without those that it holds, may change something at the far end. */
export function changes(step: Step): boolean {
  return (STEPS[step.type] as StepKind).changes?.(step) === true;
}

/** The lanes in which all of these steps can go, those that they hold included. */
export function lanesOf(steps: readonly Step[]): readonly Lane[] {
  const each = allSteps(steps).map(lanesOfStep);
  return BOTH.filter((lane) => each.every((lanes) => lanes.includes(lane)));
}

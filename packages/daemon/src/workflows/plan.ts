// What one run of a definition executes.
import { DEFAULT_RUN_LIMITS } from '@weft/engine';
import type { RunPlan } from '@weft/engine';
import type { WorkflowDefinition } from './definition.ts';

/** The plan of a definition with these inputs; guards, and the end of a dry run, are added by who has them. */
export function planOf(definition: WorkflowDefinition, inputs: RunPlan['inputs']): RunPlan {
  const { steps, finally: last = [], lane = 'auto', limits = {}, output, persona_id: personaId } = definition;
  return {
    steps,
    finally: last,
    lane,
    limits: {
      stepsMax: limits.max_steps ?? DEFAULT_RUN_LIMITS.stepsMax,
      secondsMax: limits.max_seconds ?? DEFAULT_RUN_LIMITS.secondsMax,
      pagesMax: limits.max_pages ?? DEFAULT_RUN_LIMITS.pagesMax,
    },
    inputs,
    output,
    personaId,
  };
}

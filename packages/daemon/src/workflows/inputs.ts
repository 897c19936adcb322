// What a run is given: checked by the workflow's schema, with its defaults, and which private addresses it may name (D31).
import { AppError } from '@weft/contract';
import { settleInputs as settle } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/engine';
import { targetsInTexts } from '../auth/private-targets.ts';

type Members = Readonly<Record<string, unknown>>;

/** The inputs of a run. Throws AppError `bad_request` that names the one that does not fit. */
export function settleInputs(definition: WorkflowDefinition, given: Members): Members {
  const inputs = settle(definition, given);
  if ('fault' in inputs) throw new AppError('bad_request', inputs.fault);
  return inputs.settled;
}

/**
 * The private addresses that a run may reach: those that the workflow's own texts name, its defaults included, and those of the inputs of a
 * caller who may name one.
 */
export function privateTargetsOf(definition: WorkflowDefinition, inputs: Members, mayName: 'all' | readonly string[]): readonly string[] {
  const own = targetsInTexts(definition);
  const given = targetsInTexts(inputs);
  return [...new Set([...own, ...given.filter((target) => mayName === 'all' || mayName.includes(target))])];
}

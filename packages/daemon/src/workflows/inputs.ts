// What a run is given: checked by the workflow's schema, with its defaults, and which private addresses it may name (D31).
import { AppError } from '@weft/contract';
import { misfit } from '@weft/engine';
import { targetsInTexts } from '../auth/private-targets.ts';
import type { WorkflowDefinition } from './definition.ts';

type Members = Readonly<Record<string, unknown>>;

/** The inputs of a run. Throws AppError `bad_request` that names the one that does not fit. */
export function settleInputs(definition: WorkflowDefinition, given: Members): Members {
  const schema = { type: 'object', additionalProperties: false, ...definition.inputs };
  const filled = { ...defaultsOf(definition), ...given };
  const fault = misfit(filled, schema, 'inputs');
  if (fault !== undefined) throw new AppError('bad_request', `${fault}.`);
  return filled;
}

function defaultsOf({ inputs }: WorkflowDefinition): Members {
  const properties = (inputs?.['properties'] ?? {}) as Readonly<Record<string, Members>>;
  const entries = Object.entries(properties).filter(([, schema]) => Object.hasOwn(schema, 'default'));
  return Object.fromEntries(entries.map(([name, schema]) => [name, schema['default']]));
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

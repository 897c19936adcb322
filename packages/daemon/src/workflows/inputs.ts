// What a run is given: checked by the workflow's schema, with its defaults, and which private addresses it may name (D31).
import { AppError } from '@weft/contract';
import { misfit, targetsNamedBy } from '@weft/engine';
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
  const own = textsIn(definition).flatMap(targetsIn);
  const given = textsIn(inputs).flatMap(targetsIn);
  return [...new Set([...own, ...given.filter((target) => mayName === 'all' || mayName.includes(target))])];
}

/** An address whose host stands in the text itself, and is not filled in. */
function targetsIn(text: string): readonly string[] {
  const host = /^(https?:\/\/[^/?#{}\s]+)(?=[/?#]|$)/.exec(text)?.[1];
  const url = host === undefined ? null : URL.parse(host);
  return url ? targetsNamedBy(url.href) : [];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

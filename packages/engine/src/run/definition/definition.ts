// What a workflow is to whoever runs it: checked before it is kept, with the inputs of a run, and as the plan of one.
import type { NewWorkflow } from '@weft/contract';
import { checkWorkflow } from './check.ts';
import { misfit } from './json-schema.ts';
import { DEFAULT_RUN_LIMITS } from '../plan.ts';
import type { RunPlan } from '../plan.ts';

/** What of a workflow its revisions keep: all but its names and how many of its runs execute at once. */
export type WorkflowDefinition = Omit<NewWorkflow, 'slug' | 'concurrency' | 'name' | 'format'>;

/** More faults are counted, not told. */
const TOLD_MAX = 20;

/** A sentence with the first thing that is wrong with a definition, and those behind it; undefined where nothing is. */
export function faultOfDefinition(definition: WorkflowDefinition): string | undefined {
  const [first, ...others] = checkWorkflow(definition);
  if (!first) return undefined;
  const told = others.slice(0, TOLD_MAX).map(({ path, message }) => `${path} ${message}`);
  const more = others.length === 0 ? '' : ` (and ${others.length} more: ${told.join('; ')})`;
  return `${first.path} ${first.message}.${more}`;
}

/** The inputs of a run with the defaults of the workflow's schema, or a sentence that names the one that does not fit it. */
export function settleInputs(
  { inputs }: Pick<WorkflowDefinition, 'inputs'>,
  given: Readonly<Record<string, unknown>>,
): { readonly settled: Readonly<Record<string, unknown>> } | { readonly fault: string } {
  const schema = { type: 'object', additionalProperties: false, ...inputs };
  const settled = { ...defaultsOf(inputs), ...given };
  const fault = misfit(settled, schema, 'inputs');
  return fault === undefined ? { settled } : { fault: `${fault}; ${takenBy(inputs)}.` };
}

function takenBy(inputs: WorkflowDefinition['inputs']): string {
  const { properties = {}, required = [] } = (inputs ?? {}) as { readonly properties?: object; readonly required?: readonly string[] };
  const names = Object.keys(properties).map((name) => `"${name}"${required.includes(name) ? ' (required)' : ''}`);
  return names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes none';
}

function defaultsOf(inputs: WorkflowDefinition['inputs']): Readonly<Record<string, unknown>> {
  const properties = (inputs?.['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const entries = Object.entries(properties).filter(([, schema]) => Object.hasOwn(schema, 'default'));
  return Object.fromEntries(entries.map(([name, schema]) => [name, schema['default']]));
}

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

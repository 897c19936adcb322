// What of a workflow its revisions keep, checked before it is kept.
import { AppError } from '@weft/contract';
import type { NewWorkflow } from '@weft/contract';
import { checkWorkflow } from '@weft/engine';

/** All but its name in paths and how many of its runs execute at once. */
export type WorkflowDefinition = Omit<NewWorkflow, 'slug' | 'concurrency' | 'name' | 'format'>;

/** The definition of a checked workflow. Throws AppError `bad_request` that says the first thing that is wrong, and how many more. */
export function definitionOf({
  slug: _slug,
  concurrency: _concurrency,
  name: _name,
  format: _format,
  ...definition
}: NewWorkflow): WorkflowDefinition {
  const [first, ...others] = checkWorkflow(definition);
  if (!first) return definition;
  const more =
    others.length === 0
      ? ''
      : ` (and ${others.length} more: ${others
          .slice(0, 20)
          .map(({ path, message }) => `${path} ${message}`)
          .join('; ')})`;
  throw new AppError('bad_request', `${first.path} ${first.message}.${more}`);
}

export function parseDefinition(text: string): WorkflowDefinition {
  // Written by `definitionOf` alone.
  return JSON.parse(text) as WorkflowDefinition;
}

/** The field by which rows of its runs are one; undefined where a newer run replaces the older. */
export function dedupeKeyOf({ steps }: WorkflowDefinition): string | undefined {
  const texts = JSON.stringify(steps, (_name, value: unknown) => value);
  return /"dedupe_key":"([a-z][a-z0-9_]*)"/.exec(texts)?.[1];
}

// What of a workflow its revisions keep, checked before it is kept.
import { AppError } from '@weft/contract';
import type { NewWorkflow } from '@weft/contract';
import { faultOfDefinition } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/engine';

/** The definition of a checked workflow. Throws AppError `bad_request` that says the first thing that is wrong, and how many more. */
export function definitionOf({
  slug: _slug,
  concurrency: _concurrency,
  name: _name,
  format: _format,
  ...definition
}: NewWorkflow): WorkflowDefinition {
  const fault = faultOfDefinition(definition);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return definition;
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

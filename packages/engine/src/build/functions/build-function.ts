// Makes a function of a draft: writes its workflow, proves it, and says what its rows are.
import { PageError } from '../../errors.ts';
import type { Row } from '../../run/reading/rows.ts';
import { checkWorkflow } from '../../run/definition/check.ts';
import { membersFrom } from '../../run/value.ts';
import type { SiteAsking } from '../asking/site-asking.ts';
import { identifierOf } from '../draft.ts';
import type { DraftFunction } from '../draft.ts';
import type { Candidate } from '../evidence/catalogue.ts';
import { proveFunction } from '../proof/prove.ts';
import type { BuiltFunction } from './built-function.ts';
import { rowSchemaOf } from './openapi.ts';
import { workflowOf } from './workflow.ts';

/** The function of `draft` with its certificate, whatever that says; a sentence where it can't be written. Throws PageError `aborted`. */
export async function buildFunction(
  draft: DraftFunction,
  candidate: Candidate,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<BuiltFunction | string> {
  const written = write(draft, candidate);
  if (typeof written === 'string') return written;
  const { certificate, sample } = await proveFunction({ draft, candidate, workflow: written }, asking, signal);
  const rows = sample.map((row) => renamed(row, draft, candidate));
  return {
    name: draft.name,
    description: draft.description,
    draft,
    candidate,
    workflow: written,
    rowSchema: rowSchemaOf(
      rows,
      draft.fields.map(({ name }) => name),
    ),
    sample: rows.slice(0, 5),
    certificate,
  };
}

function write(draft: DraftFunction, candidate: Candidate) {
  try {
    const workflow = workflowOf(draft, candidate);
    const [fault] = checkWorkflow(workflow);
    return fault ? `Its workflow can't be written: ${fault.path} ${fault.message}.` : workflow;
  } catch (error) {
    if (error instanceof PageError) return `Its workflow can't be written: ${error.message}`;
    throw error;
  }
}

/** A row as the function gives it: under the names of its draft, without what that leaves out. */
export function renamed(row: Row, draft: DraftFunction, { fields, reading }: Candidate): Row {
  const known = new Map(fields.map((field) => [field.id, reading.from === 'html' ? identifierOf(field.name) : field.id.toLowerCase()]));
  return membersFrom(draft.fields.map(({ field_id: id, name }) => [name, row[known.get(id) ?? ''] ?? null] as const));
}

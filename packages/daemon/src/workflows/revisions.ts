// What a workflow was, and what differs.
import { AppError } from '@weft/contract';
import type { RevisionDiff, Step, WorkflowRevision } from '@weft/contract';
import { allSteps } from '@weft/engine';
import type { WorkflowDefinition } from '@weft/engine';
import { toInstant } from '@weft/serve';
import { parseDefinition } from './definition.ts';
import type { RevisionRow, WorkflowStore } from './store.ts';

export interface Revisions {
  /** Newest first, without definitions. */
  list(id: number): WorkflowRevision[];
  /** Throws AppError `not_found`. */
  require(id: number, revision: number): WorkflowRevision & { readonly definition: WorkflowDefinition };
  /** Throws AppError `not_found`. */
  compare(id: number, from: number, to: number): RevisionDiff;
}

export function createRevisions(store: Pick<WorkflowStore, 'revisions' | 'revision'>): Revisions {
  const requireRevision: Revisions['require'] = (id, number) => {
    const row = store.revision(id, number);
    if (!row) throw new AppError('not_found', `Workflow ${id} has no revision ${number}.`);
    return { ...headOf(row), definition: parseDefinition(row.definition) };
  };
  return {
    list: (id) => store.revisions(id).map(headOf),
    require: requireRevision,
    compare: (id, from, to) => ({ from, to, ...difference(requireRevision(id, from).definition, requireRevision(id, to).definition) }),
  };
}

function headOf({ revision, name, created_at }: RevisionRow): Omit<WorkflowRevision, 'definition'> {
  return { revision, name, created_at: toInstant(created_at) };
}

/** Steps are told by their ids; one that holds others is compared without these. */
function difference(before: WorkflowDefinition, after: WorkflowDefinition): Omit<RevisionDiff, 'from' | 'to'> {
  const [old, now] = [stepsOf(before), stepsOf(after)];
  const both = [...now].filter(([id]) => old.has(id));
  const isSame = (id: string) => textOf(old.get(id)) === textOf(now.get(id));
  const orderBefore = [...old.keys()].filter((id) => now.has(id));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'steps' && name !== 'finally');
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !now.has(id)),
    changed: both.map(([id]) => id).filter((id) => !isSame(id)),
    moved: both.map(([id]) => id).filter((id, place) => orderBefore[place] !== id && isSame(id)),
    members: names.filter((name) => JSON.stringify(memberOf(before, name)) !== JSON.stringify(memberOf(after, name))),
  };
}

function stepsOf({ steps, finally: last = [] }: WorkflowDefinition): ReadonlyMap<string, Step> {
  return new Map(allSteps([...steps, ...last]).map((step) => [step.id, step]));
}

const HELD = new Set(['body', 'else']);

function textOf(step: Step | undefined): string {
  return JSON.stringify(step, (name, value: unknown) =>
    HELD.has(name) && Array.isArray(value) ? value.map((inner: Step) => inner.id) : value,
  );
}

function memberOf(definition: WorkflowDefinition, name: string): unknown {
  return Object.entries(definition).find(([member]) => member === name)?.[1];
}

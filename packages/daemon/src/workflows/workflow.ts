// Workflows: steps that are kept, and their revisions (D5, D7, D41).
import { AppError, LIMITS, NewWorkflow } from '@weft/contract';
import type { Workflow, WorkflowPatch, WorkflowSummary } from '@weft/contract';
import { mayChange } from '@weft/engine';
import type { Clock, WorkflowDefinition } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Runs } from '../runs/run.ts';
import { freeSlug, requireByRef, requireFreeSlug } from '../saved/ref.ts';
import { dedupeKeyOf, definitionOf, parseDefinition } from './definition.ts';
import type { Vault } from '../vault/vault.ts';
import type { HttpSessions } from './session.ts';
import { WORKFLOW_SOURCE } from './store.ts';
import type { WorkflowRow, WorkflowStore } from './store.ts';
import { createWorkflowRuns, sourceOf } from './workflow-runs.ts';
import type { WorkflowRuns } from './workflow-runs.ts';

export interface Workflows extends WorkflowRuns {
  list(query: { readonly q?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: WorkflowSummary[];
    readonly total: number;
  };
  /** Throws AppError `bad_request` with the first thing that is wrong, `conflict` when the slug is taken. */
  create(input: NewWorkflow): Workflow;
  /** Those that the local MCP server offers, by slug. */
  exposed(): readonly Pick<Workflow, 'slug' | 'name' | 'inputs'>[];
  /** By id or slug. Throws AppError `not_found`, as all that take a ref. */
  require(ref: string): Workflow;
  /** Another workflow with the same definition. Throws AppError `conflict`. */
  copy(id: number, as: { readonly name?: string | undefined; readonly slug?: string | undefined }): Workflow;
  /** The definition of an earlier revision as the next one. Throws AppError `bad_request` where it would no longer be kept. */
  restore(id: number, definition: WorkflowDefinition, name: string): Workflow;
  /** Merges the patch into the workflow as its next revision (RFC 7396). Throws AppError `conflict`, `bad_request`. */
  update(id: number, patch: WorkflowPatch): Workflow;
  /** Whether a workflow that a run has made may have changed something at the far end. */
  mayHaveChanged(runId: number): boolean;
  /** Cancels what runs and keeps what was collected; the ids of the runs that were live. Throws AppError `vault_locked` where sessions are kept. */
  delete(id: number): readonly number[];
}

export interface WorkflowNounPorts {
  readonly store: WorkflowStore;
  readonly datasets: DatasetWriter;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'require'>;
  readonly sessions: Pick<HttpSessions, 'forget'>;
  /** Part of the transaction that deletes one. */
  readonly deleted: (id: number) => void;
  /** True where windows can be shown. */
  readonly hasScreen: boolean;
}

const NOUN = 'workflow';

export function createWorkflows(ports: WorkflowNounPorts): Workflows {
  const { store, datasets, runs, clock } = ports;
  const requireRow = (ref: string): WorkflowRow => requireByRef(ref, store, NOUN);
  const ensureDataset = (id: number, name: string, definition: WorkflowDefinition) =>
    dedupeKeyOf(definition) === undefined
      ? datasets.ensure({ kind: WORKFLOW_SOURCE, id, replacedBy: 'run' }, name, clock.now())
      : datasets.ensure({ kind: 'workflow_by_key', id, replacedBy: 'key' }, name, clock.now());
  const lastRun = (id: number) => {
    const last = runs.lastOf(sourceOf(id));
    return last ? { last_run: last } : {};
  };
  const show = (row: WorkflowRow): Workflow => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    format: 1,
    revision: row.revision,
    ...shown(parseDefinition(row.definition)),
    ...(row.concurrency === null ? {} : { concurrency: row.concurrency }),
    dataset_id: row.dataset_id,
    ...lastRun(row.id),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  });
  const summarize = (row: WorkflowRow): WorkflowSummary => {
    const { lane = 'auto', expose = false, steps } = parseDefinition(row.definition);
    const { id, name, slug, revision, dataset_id } = row;
    const times = { created_at: toInstant(row.created_at), updated_at: toInstant(row.updated_at) };
    return { id, name, slug, revision, lane, expose, steps: steps.length, dataset_id, ...lastRun(id), ...times };
  };
  const create = (input: NewWorkflow): Workflow => {
    const definition = definitionOf(input);
    const { name, slug, concurrency = null } = input;
    const nowMs = clock.now();
    const row = {
      slug: slug === undefined ? freeSlug(name, store, NOUN) : requireFreeSlug(slug, store, NOUN),
      name,
      definition: JSON.stringify(definition),
      concurrency,
      created_at: nowMs,
      updated_at: nowMs,
    };
    return show(requireRow(String(store.insert(row, (id) => ensureDataset(id, name, definition)))));
  };
  /** Makes the next revision. Throws AppError `conflict` where somebody was faster. */
  const keep = (
    row: WorkflowRow,
    change: Pick<WorkflowRow, 'slug' | 'name' | 'concurrency' | 'definition'>,
    definition: WorkflowDefinition,
  ): Workflow => {
    const dataset_id = ensureDataset(row.id, change.name, definition);
    if (!store.update(row.id, row.revision, { ...change, dataset_id, updated_at: clock.now() })) throw behind(row.id);
    return show(requireRow(String(row.id)));
  };
  const behind = (id: number) =>
    new AppError('conflict', `Workflow ${id} is at revision ${requireRow(String(id)).revision}; read it again and change that.`);
  return {
    list: ({ q, limit, offset }) => ({
      data: store.list(q, limit ?? LIMITS.listLimitDefault, offset ?? 0).map(summarize),
      total: store.count(q),
    }),
    exposed: () => store.exposed().map(({ slug, name, definition }) => ({ slug, name, inputs: parseDefinition(definition).inputs })),
    create,
    require: (ref) => show(requireRow(ref)),
    update(id, { revision: wanted, ...patch }) {
      const row = requireRow(String(id));
      if (wanted !== undefined && wanted !== row.revision) throw behind(id);
      const { slug, name, concurrency } = row;
      const current: NewWorkflow = { slug, name, ...(concurrency === null ? {} : { concurrency }), ...parseDefinition(row.definition) };
      const merged = mergePatch(current, patch, NewWorkflow, NOUN);
      const definition = definitionOf(merged);
      const change = {
        slug: merged.slug ?? slug,
        name: merged.name,
        concurrency: merged.concurrency ?? null,
        definition: JSON.stringify(definition),
      };
      if (change.slug !== slug) requireFreeSlug(change.slug, store, NOUN);
      return keep(row, change, definition);
    },
    copy(id, { name, slug }) {
      const row = requireRow(String(id));
      const definition = parseDefinition(row.definition);
      const concurrency = row.concurrency === null ? {} : { concurrency: row.concurrency };
      return create({ ...definition, ...concurrency, name: name ?? `${row.name} (copy)`, ...(slug === undefined ? {} : { slug }) });
    },
    restore(id, definition, name) {
      const row = requireRow(String(id));
      definitionOf({ ...definition, name });
      return keep(row, { slug: row.slug, name, concurrency: row.concurrency, definition: JSON.stringify(definition) }, definition);
    },
    mayHaveChanged: (runId) => store.definitionsBelow(runId).some((definition) => mayChange(parseDefinition(definition))),
    delete(id) {
      requireRow(String(id));
      let live: readonly number[] = [];
      store.delete(id, () => {
        live = runs.cancelOf(sourceOf(id));
        ports.sessions.forget(id);
        ports.deleted(id);
      });
      return live;
    },
    ...createWorkflowRuns(ports, requireRow),
  };
}

/** A definition with what is meant where nothing is said. */
function shown({ lane = 'auto', expose = false, ...definition }: WorkflowDefinition) {
  return { lane, expose, ...definition };
}

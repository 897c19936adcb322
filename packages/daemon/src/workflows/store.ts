// Rows of workflows, of their revisions and of what their runs came to.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import { LIVE } from '../db/run-statuses.ts';

export interface WorkflowRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly revision: number;
  /** JSON of a WorkflowDefinition. */
  readonly definition: string;
  readonly concurrency: number | null;
  readonly dataset_id: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface RevisionRow {
  readonly revision: number;
  readonly name: string;
  readonly definition: string;
  readonly created_at: number;
}

export interface WorkflowRunRow {
  readonly run_id: number;
  readonly definition: string;
  /** JSON of an object. */
  readonly inputs: string;
  /** JSON of a list of `host:port`. */
  readonly private_targets: string;
  /** JSON of a DryRun; null for a run that counts. */
  readonly dry: string | null;
  /** 1 where its browser has a window on the screen. */
  readonly is_headed: number;
  /** JSON of RunResults; null while the run goes on. */
  readonly results: string | null;
}

/** How runs and datasets name a workflow as their source. */
export const WORKFLOW_SOURCE = 'workflow';

/** Every change of a workflow is durable. */
export interface WorkflowStore {
  /** Inserts the row with its first revision; `dataset` makes its dataset in the same transaction. */
  insert(row: Omit<WorkflowRow, 'id' | 'revision' | 'dataset_id'>, dataset: (id: number) => number): number;
  findById(id: number): WorkflowRow | undefined;
  findBySlug(slug: string): WorkflowRow | undefined;
  /** Newest first; those whose name or slug holds `text`. */
  list(text: string | undefined, limit: number, offset: number): readonly WorkflowRow[];
  count(text: string | undefined): number;
  /** Those that the local MCP server offers, by slug. */
  exposed(): readonly WorkflowRow[];
  /** Those that act as a persona, oldest first. */
  actingAs(personaId: number): readonly WorkflowRow[];
  /** Makes the next revision of what is at `revision`; false where it is at another one by now. */
  update(
    id: number,
    revision: number,
    change: Pick<WorkflowRow, 'slug' | 'name' | 'definition' | 'concurrency' | 'dataset_id' | 'updated_at'>,
  ): boolean;
  /** Deletes the row with its revisions and marks its dataset; `also` runs in the same transaction. */
  delete(id: number, also: () => void): void;
  /** Newest first. */
  revisions(id: number): readonly RevisionRow[];
  revision(id: number, revision: number): RevisionRow | undefined;
  /** Belongs into the transaction that makes the run. */
  insertRun(run: Omit<WorkflowRunRow, 'results'>): void;
  findRun(runId: number): WorkflowRunRow | undefined;
  saveResults(runId: number, results: string): void;
  /** Of the runs that a run has made. */
  definitionsBelow(runId: number): readonly string[];
  newestLiveRun(id: number, ownerId: string | undefined): number | undefined;
  newestRun(id: number, ownerId: string | undefined): number | undefined;
}

export function createWorkflowStore({ fast }: Database): WorkflowStore {
  const insert = fast.prepare(
    'INSERT INTO workflow (id, slug, name, revision, definition, concurrency, dataset_id, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?)',
  );
  const nextId = fast.prepare(`SELECT ifnull(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'workflow'`);
  const byId = fast.prepare('SELECT * FROM workflow WHERE id = ?');
  const bySlug = fast.prepare('SELECT * FROM workflow WHERE slug = ?');
  const HOLDS = `WHERE ?1 IS NULL OR instr(lower(name), lower(?1)) > 0 OR instr(slug, lower(?1)) > 0`;
  const list = fast.prepare(`SELECT * FROM workflow ${HOLDS} ORDER BY id DESC LIMIT ?2 OFFSET ?3`);
  const count = fast.prepare(`SELECT count(*) AS n FROM workflow ${HOLDS}`);
  const exposed = fast.prepare("SELECT * FROM workflow WHERE definition ->> '$.expose' = 1 ORDER BY slug");
  const actingAs = fast.prepare("SELECT * FROM workflow WHERE definition ->> '$.persona_id' = ? ORDER BY id");
  const update = fast.prepare(
    `UPDATE workflow SET revision = revision + 1, slug = ?, name = ?, definition = ?, concurrency = ?, dataset_id = ?, updated_at = ?
     WHERE id = ? AND revision = ?`,
  );
  const addRevision = fast.prepare(
    'INSERT INTO workflow_revision (workflow_id, revision, name, definition, created_at) SELECT id, revision, name, definition, updated_at FROM workflow WHERE id = ?',
  );
  const remove = fast.prepare('DELETE FROM workflow WHERE id = ?');
  const markDataset = fast.prepare('UPDATE dataset SET source_deleted = 1 WHERE id = (SELECT dataset_id FROM workflow WHERE id = ?)');
  const revisions = fast.prepare(
    'SELECT revision, name, definition, created_at FROM workflow_revision WHERE workflow_id = ? ORDER BY revision DESC',
  );
  const revision = fast.prepare(
    'SELECT revision, name, definition, created_at FROM workflow_revision WHERE workflow_id = ? AND revision = ?',
  );
  const insertRun = fast.prepare(
    'INSERT INTO workflow_run (run_id, definition, inputs, private_targets, dry, is_headed) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const findRun = fast.prepare('SELECT * FROM workflow_run WHERE run_id = ?');
  const below = fast.prepare('SELECT definition FROM workflow_run JOIN run ON run.id = run_id WHERE parent_id = ?');
  const saveResults = fast.prepare('UPDATE workflow_run SET results = ? WHERE run_id = ?');
  const OF = `FROM run WHERE source_kind = '${WORKFLOW_SOURCE}' AND source_id = ?`;
  const newestLive = fast.prepare(`SELECT id ${OF} AND status IN (${LIVE}) AND owner_id = ifnull(?, owner_id) ORDER BY id DESC LIMIT 1`);
  const newest = fast.prepare(`SELECT id ${OF} AND owner_id = ifnull(?, owner_id) ORDER BY id DESC LIMIT 1`);
  const idOf = (row: unknown) => (row as { readonly id: number } | undefined)?.id;
  return {
    insert: (row, dataset) =>
      durably(fast, () => {
        const { id } = nextId.get() as { id: number };
        insert.run(id, row.slug, row.name, row.definition, row.concurrency, dataset(id), row.created_at, row.updated_at);
        addRevision.run(id);
        return id;
      }),
    findById: (id) => byId.get(id) as WorkflowRow | undefined,
    findBySlug: (slug) => bySlug.get(slug) as WorkflowRow | undefined,
    list: (text, limit, offset) => allRows<WorkflowRow>(list, text ?? null, limit, offset),
    count: (text) => (count.get(text ?? null) as { n: number }).n,
    exposed: () => allRows<WorkflowRow>(exposed),
    actingAs: (personaId) => allRows<WorkflowRow>(actingAs, personaId),
    update: (id, current, change) =>
      durably(fast, () => {
        const { slug, name, definition, concurrency, dataset_id, updated_at } = change;
        if (update.run(slug, name, definition, concurrency, dataset_id, updated_at, id, current).changes === 0) return false;
        addRevision.run(id);
        return true;
      }),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        markDataset.run(id);
        remove.run(id);
      }),
    revisions: (id) => allRows<RevisionRow>(revisions, id),
    revision: (id, number) => revision.get(id, number) as RevisionRow | undefined,
    insertRun: (run) => void insertRun.run(run.run_id, run.definition, run.inputs, run.private_targets, run.dry, run.is_headed),
    findRun: (runId) => findRun.get(runId) as WorkflowRunRow | undefined,
    saveResults: (runId, results) => void saveResults.run(results, runId),
    definitionsBelow: (runId) => allRows<Pick<WorkflowRunRow, 'definition'>>(below, runId).map(({ definition }) => definition),
    newestLiveRun: (id, ownerId) => idOf(newestLive.get(id, ownerId ?? null)),
    newestRun: (id, ownerId) => idOf(newest.get(id, ownerId ?? null)),
  };
}

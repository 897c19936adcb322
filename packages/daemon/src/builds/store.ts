// Rows of builds, of their rungs, and of the answers that their proofs were decided by.
import type { BuildResult, KeptBuildHealth, Ladder } from '@weft/engine';
import { durably } from '../db/open.ts';
import type { Database } from '../db/open.ts';

/** What a build was asked for, and what it may reach. */
export interface AskedBuild {
  readonly url: string;
  readonly objective: string;
  readonly isDiscovery: boolean;
  readonly respectRobots: boolean;
  readonly aiSupervise: boolean;
  readonly har?: string;
  readonly persona_id?: number;
  /** Hours between two proofs; null: never, absent: as the settings say. */
  readonly checkHours?: number | null;
  /** `host:port` (D31). */
  readonly privateTargets: readonly string[];
}

export type KeptResult = Omit<BuildResult, 'ladder'>;

export interface BuildRow {
  readonly id: number;
  readonly owner_id: string;
  /** The run that does it, or did. */
  readonly run_id: number;
  readonly asked: AskedBuild;
  readonly ladder: Ladder;
  readonly result: KeptResult | undefined;
  /** A draft that a person has chosen, and whose functions are to be proved. */
  readonly picked: unknown;
  readonly rebuild_of: number | undefined;
  readonly health: KeptBuildHealth | undefined;
  /** What a person has decided of one that was built again. */
  readonly proposal: 'accepted' | 'declined' | undefined;
  readonly created_at: number;
  readonly updated_at: number;
}

/** How runs name a build as their source. */
export const BUILD_SOURCE = 'build';
/** And those that prove one again. */
export const CHECK_SOURCE = 'build_check';

export interface BuildStore {
  /** The id that the next build has; within the transaction that inserts it. */
  nextId(): number;
  /** Inserts the build with the rungs of its ladder. Belongs into the transaction that makes its run. */
  insert(row: Omit<BuildRow, 'result' | 'picked' | 'health' | 'proposal'>): void;
  find(id: number): BuildRow | undefined;
  /** The build that a rung is of. */
  findByRung(buildId: string): BuildRow | undefined;
  /** Newest first; those of an owner where one is named. */
  list(ownerId: string | undefined, limit: number, offset: number): readonly BuildRow[];
  count(ownerId: string | undefined): number;
  /** Keeps what a rung came to; durable. */
  keep(id: number, ladder: Ladder, result: KeptResult, nowMs: number): void;
  /** Another run goes on with the build, with a draft that was chosen. Belongs into the transaction that makes the run. */
  pick(id: number, runId: number, picked: unknown, nowMs: number): void;
  keepAnswer(id: number, sha256: string, bytes: Uint8Array): void;
  answer(id: number, sha256: string): Uint8Array | undefined;
  /** By the name of a function the workflow that it was published as. */
  workflows(id: number): ReadonlyMap<string, { readonly id: number; readonly slug: string }>;
  noteWorkflow(id: number, name: string, workflowId: number): void;
  /** Keeps what was asked for, changed. */
  setAsked(id: number, asked: AskedBuild): void;
  setHealth(id: number, health: KeptBuildHealth): void;
  decide(id: number, proposal: NonNullable<BuildRow['proposal']>, nowMs: number): void;
  /** The workflow is that of a function of build `to` from now on. */
  moveWorkflow(from: number, to: number, name: string): void;
  delete(id: number): void;
}

interface SavedRow {
  readonly id: number;
  readonly owner_id: string;
  readonly run_id: number;
  readonly asked: string;
  readonly ladder: string;
  readonly result: string | null;
  readonly picked: string | null;
  readonly rebuild_of: number | null;
  readonly health: string | null;
  readonly proposal: 'accepted' | 'declined' | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function createBuildStore({ fast }: Database): BuildStore {
  const nextId = fast.prepare(`SELECT ifnull(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'build'`);
  const insert = fast.prepare(
    'INSERT INTO build (id, owner_id, run_id, asked, ladder, rebuild_of, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRung = fast.prepare('INSERT INTO build_rung (build_id, build) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const byId = fast.prepare('SELECT * FROM build WHERE id = ?');
  const byRung = fast.prepare('SELECT build.* FROM build_rung JOIN build ON build.id = build_rung.build WHERE build_id = ?');
  const OWNED = 'WHERE owner_id = coalesce(?, owner_id)';
  const page = fast.prepare(`SELECT * FROM build ${OWNED} ORDER BY id DESC LIMIT ? OFFSET ?`);
  const count = fast.prepare(`SELECT count(*) AS n FROM build ${OWNED}`);
  const update = fast.prepare('UPDATE build SET ladder = ?, result = ?, picked = NULL, updated_at = ? WHERE id = ?');
  const pick = fast.prepare('UPDATE build SET run_id = ?, picked = ?, updated_at = ? WHERE id = ?');
  const insertAnswer = fast.prepare('INSERT INTO build_answer (build, sha256, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const answer = fast.prepare('SELECT bytes FROM build_answer WHERE build = ? AND sha256 = ?');
  const workflows = fast.prepare(
    'SELECT build_workflow.name, workflow.id, workflow.slug FROM build_workflow JOIN workflow ON workflow.id = workflow_id WHERE build = ?',
  );
  const noteWorkflow = fast.prepare(
    'INSERT INTO build_workflow (build, name, workflow_id) VALUES (?, ?, ?) ON CONFLICT (build, name) DO UPDATE SET workflow_id = excluded.workflow_id',
  );
  const setAsked = fast.prepare('UPDATE build SET asked = ? WHERE id = ?');
  const setHealth = fast.prepare('UPDATE build SET health = ? WHERE id = ?');
  const decide = fast.prepare('UPDATE build SET proposal = ?, updated_at = ? WHERE id = ?');
  const moveWorkflow = fast.prepare('UPDATE OR REPLACE build_workflow SET build = ? WHERE build = ? AND name = ?');
  const remove = fast.prepare('DELETE FROM build WHERE id = ?');
  const keepRungs = (id: number, ladder: Ladder) => {
    for (const { buildId } of ladder) insertRung.run(buildId, id);
  };
  const found = (row: unknown) => (row ? toRow(row as SavedRow) : undefined);

  return {
    nextId: () => (nextId.get() as { id: number }).id,
    insert({ id, owner_id, run_id, asked, ladder, rebuild_of, created_at, updated_at }) {
      insert.run(id, owner_id, run_id, JSON.stringify(asked), JSON.stringify(ladder), rebuild_of ?? null, created_at, updated_at);
      keepRungs(id, ladder);
    },
    find: (id) => found(byId.get(id)),
    findByRung: (buildId) => found(byRung.get(buildId)),
    list: (ownerId, limit, offset) => (page.all(ownerId ?? null, limit, offset) as unknown[]).map((row) => toRow(row as SavedRow)),
    count: (ownerId) => (count.get(ownerId ?? null) as { n: number }).n,
    keep(id, ladder, result, nowMs) {
      durably(fast, () => {
        update.run(JSON.stringify(ladder), JSON.stringify(result), nowMs, id);
        keepRungs(id, ladder);
      });
    },
    pick: (id, runId, picked, nowMs) => void pick.run(runId, JSON.stringify(picked), nowMs, id),
    keepAnswer: (id, sha256, bytes) => void insertAnswer.run(id, sha256, bytes),
    answer: (id, sha256) => (answer.get(id, sha256) as { bytes: Uint8Array } | undefined)?.bytes,
    workflows: (id) =>
      new Map(
        (workflows.all(id) as { name: string; id: number; slug: string }[]).map(({ name, ...workflow }) => [name, workflow] as const),
      ),
    noteWorkflow: (id, name, workflowId) => void noteWorkflow.run(id, name, workflowId),
    setAsked: (id, asked) => durably(fast, () => void setAsked.run(JSON.stringify(asked), id)),
    setHealth: (id, health) => void setHealth.run(JSON.stringify(health), id),
    decide: (id, proposal, nowMs) => void decide.run(proposal, nowMs, id),
    moveWorkflow: (from, to, name) => void moveWorkflow.run(to, from, name),
    delete: (id) => durably(fast, () => void remove.run(id)),
  };
}

function toRow({ asked, ladder, result, picked, rebuild_of: rebuildOf, health, proposal, ...row }: SavedRow): BuildRow {
  return {
    ...row,
    asked: JSON.parse(asked) as AskedBuild,
    ladder: JSON.parse(ladder) as Ladder,
    result: result === null ? undefined : (JSON.parse(result) as KeptResult),
    picked: picked === null ? undefined : JSON.parse(picked),
    rebuild_of: rebuildOf ?? undefined,
    health: health === null ? undefined : (JSON.parse(health) as KeptBuildHealth),
    proposal: proposal ?? undefined,
  };
}

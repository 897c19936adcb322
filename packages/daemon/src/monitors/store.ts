// Rows of monitors and of the changes that they told.
import type { SQLInputValue } from 'node:sqlite';
import type { ChangeKind } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows, allRowsNamed } from '../db/rows.ts';

export interface MonitorRow {
  readonly id: number;
  readonly name: string;
  /** Null for one that watches a workflow. */
  readonly url: string | null;
  /** JSON of a MonitorSpec. */
  readonly definition: string;
  readonly active: 0 | 1;
  /** Of all that decides what a check reads: its own definition, its selectors and extractors, its tags. */
  readonly version: number;
  /** JSON of a list of `host:port`. */
  readonly private_targets: string;
  readonly dataset_id: number;
  /** JSON of a KnownTrouble. */
  readonly state: string;
  /** JSON of a LastPage; null where the page has to be read anew. */
  readonly page: string | null;
  /** JSON of a Cadence: what checks told of how often to check. */
  readonly cadence: string;
  /** Since when it has its schedule. */
  readonly scheduled_at: number;
  readonly flapping: 0 | 1;
  readonly checks: number;
  readonly last_checked_at: number | null;
  readonly last_changed_at: number | null;
  readonly last_run_id: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** How many changes are kept of it. */
  readonly changes: number;
}

export interface ChangeRow {
  readonly id: number;
  readonly monitor_id: number;
  readonly monitor_name: string;
  readonly selector_id: number | null;
  readonly extractor_id: number | null;
  readonly name: string | null;
  readonly kind: ChangeKind;
  /** JSON, or null where there was no value. */
  readonly old: string | null;
  readonly new: string | null;
  /** Of texts. */
  readonly difference: string | null;
  readonly summary: string;
  readonly percent: number | null;
  readonly url: string | null;
  readonly run_id: number;
  readonly created_at: number;
}

/** A known value, as much of it as is shown. */
export interface ShownValueRow {
  readonly key: string;
  readonly text: string;
  readonly since_ms: number;
}

/** How runs and datasets name a monitor as their source. */
export const MONITOR_SOURCE = 'monitor';

/** What a list may be narrowed to. */
export interface MonitorFilter {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly active?: boolean | undefined;
  /** Whether it could not be looked at when it last was. */
  readonly trouble?: boolean | undefined;
}

/** Which changes are wanted. */
export interface ChangeFilter {
  readonly monitorId?: number | undefined;
  readonly kind?: ChangeKind | undefined;
  readonly sinceMs?: number | undefined;
  readonly tag?: string | undefined;
}

/** Every change of a monitor by a person is durable. */
export interface MonitorStore {
  inTransaction<Made>(work: () => Made): Made;
  /** Inserts the row; `also` makes its dataset first and its selectors after, in the same transaction. */
  insert(row: NewMonitorRow, dataset: (id: number) => number, also: (id: number) => void): number;
  find(id: number): MonitorRow | undefined;
  /** Newest first. `limit` -1 gives all. */
  list(filter: MonitorFilter, limit: number, offset: number): readonly MonitorRow[];
  count(filter: MonitorFilter): number;
  /** `also` runs in the same transaction. */
  update(id: number, change: MonitorEdit, also: () => void): void;
  /** Deletes the row with all that hangs on it, and marks its dataset. */
  delete(id: number, also: () => void): void;
  /** The settings of a tag, as JSON. */
  tag(name: string): string | undefined;
  /** Texts are cut after 200 characters. */
  values(monitorId: number): readonly ShownValueRow[];
  /** Newest first. `limit` -1 gives all. */
  changes(filter: ChangeFilter, limit: number, offset: number): readonly ChangeRow[];
  countChanges(filter: ChangeFilter): number;
  change(id: number): ChangeRow | undefined;
  /** JSON of a Check, newest first. */
  checks(monitorId: number, verdict: string | undefined, limit: number, offset: number): readonly string[];
  countChecks(monitorId: number, verdict: string | undefined): number;
  checkOfRun(runId: number): string | undefined;
}

type MonitorEdit = Pick<
  MonitorRow,
  'name' | 'url' | 'definition' | 'active' | 'private_targets' | 'cadence' | 'scheduled_at' | 'updated_at'
>;
type NewMonitorRow = MonitorEdit & Pick<MonitorRow, 'state' | 'created_at'>;

export function createMonitorStore(database: Database): MonitorStore {
  return { ...createMonitorRows(database), ...createChangeReads(database), ...createCheckReads(database) };
}

type RowVerbs = 'inTransaction' | 'insert' | 'find' | 'list' | 'count' | 'update' | 'delete' | 'tag' | 'values';

/** States of a monitor that are no trouble. */
const WELL = "('new', 'ok', 'pending')";

/** A monitor with the number of its changes, which its index counts. */
const ROW = 'SELECT *, (SELECT count(*) FROM monitor_change WHERE monitor_id = monitor.id) AS changes FROM monitor';

function createMonitorRows({ fast }: Database): Pick<MonitorStore, RowVerbs> {
  const nextId = fast.prepare(`SELECT ifnull(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'monitor'`);
  const insert = fast.prepare(
    `INSERT INTO monitor (id, name, url, definition, active, private_targets, cadence, scheduled_at, dataset_id, state, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const find = fast.prepare(`${ROW} WHERE id = ?`);
  const FILTER = `WHERE ($q IS NULL OR instr(lower(name), lower($q)) > 0 OR instr(lower(ifnull(url, '')), lower($q)) > 0)
    AND ($tag IS NULL OR EXISTS (SELECT 1 FROM json_each(definition, '$.tags') WHERE value = $tag)) AND ($active IS NULL OR active = $active)
    AND ($trouble IS NULL OR (state ->> '$.kind' NOT IN ${WELL}) = $trouble)`;
  const list = fast.prepare(`${ROW} ${FILTER} ORDER BY id DESC LIMIT $limit OFFSET $offset`);
  const count = fast.prepare(`SELECT count(*) AS n FROM monitor ${FILTER}`);
  const update = fast.prepare(
    'UPDATE monitor SET name = ?, url = ?, definition = ?, active = ?, private_targets = ?, cadence = ?, scheduled_at = ?, updated_at = ? WHERE id = ?',
  );
  const remove = fast.prepare('DELETE FROM monitor WHERE id = ?');
  const markDataset = fast.prepare('UPDATE dataset SET source_deleted = 1 WHERE id = (SELECT dataset_id FROM monitor WHERE id = ?)');
  const tag = fast.prepare('SELECT settings FROM monitor_tag WHERE name = ?');
  const values = fast.prepare(
    `SELECT key, substr(known ->> '$.text', 1, 200) AS text, known ->> '$.sinceMs' AS since_ms FROM monitor_value
     WHERE monitor_id = ? AND known ->> '$.digest' <> ''`,
  );
  const wanted = ({ q, tag: name, active, trouble }: MonitorFilter) => ({
    $q: q ?? null,
    $tag: name ?? null,
    $active: active === undefined ? null : Number(active),
    $trouble: trouble === undefined ? null : Number(trouble),
  });
  return {
    inTransaction: (work) => durably(fast, work),
    insert: (row, dataset, also) =>
      durably(fast, () => {
        const { id } = nextId.get() as { id: number };
        const { name, url, definition, active, private_targets, cadence, scheduled_at, state, created_at, updated_at } = row;
        insert.run(id, name, url, definition, active, private_targets, cadence, scheduled_at, dataset(id), state, created_at, updated_at);
        also(id);
        return id;
      }),
    find: (id) => find.get(id) as MonitorRow | undefined,
    list: (filter, limit, offset) => allRowsNamed<MonitorRow>(list, { ...wanted(filter), $limit: limit, $offset: offset }),
    count: (filter) => (count.get(wanted(filter)) as { n: number }).n,
    update: (id, { name, url, definition, active, private_targets, cadence, scheduled_at, updated_at }, also) =>
      durably(fast, () => {
        update.run(name, url, definition, active, private_targets, cadence, scheduled_at, updated_at, id);
        also();
      }),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        markDataset.run(id);
        remove.run(id);
      }),
    tag: (name) => (tag.get(name) as { settings: string } | undefined)?.settings,
    values: (monitorId) => allRows<ShownValueRow>(values, monitorId),
  };
}

function createChangeReads({ fast }: Database): Pick<MonitorStore, 'changes' | 'countChanges' | 'change'> {
  const FILTER = `FROM monitor_change JOIN monitor ON monitor.id = monitor_id
    WHERE ($monitor IS NULL OR monitor_id = $monitor) AND ($kind IS NULL OR kind = $kind) AND monitor_change.created_at >= $since
    AND ($tag IS NULL OR EXISTS (SELECT 1 FROM json_each(monitor.definition, '$.tags') WHERE value = $tag))`;
  const changes = fast.prepare(
    `SELECT monitor_change.*, monitor.name AS monitor_name ${FILTER} ORDER BY monitor_change.id DESC LIMIT $limit OFFSET $offset`,
  );
  const count = fast.prepare(`SELECT count(*) AS n ${FILTER}`);
  const find = fast.prepare(
    'SELECT monitor_change.*, monitor.name AS monitor_name FROM monitor_change JOIN monitor ON monitor.id = monitor_id WHERE monitor_change.id = ?',
  );
  const wanted = ({ monitorId, kind, sinceMs = 0, tag }: ChangeFilter): Record<string, SQLInputValue> => ({
    $monitor: monitorId ?? null,
    $kind: kind ?? null,
    $since: sinceMs,
    $tag: tag ?? null,
  });
  return {
    changes: (filter, limit, offset) => allRowsNamed<ChangeRow>(changes, { ...wanted(filter), $limit: limit, $offset: offset }),
    countChanges: (filter) => (count.get(wanted(filter)) as { n: number }).n,
    change: (id) => find.get(id) as ChangeRow | undefined,
  };
}

function createCheckReads({ fast }: Database): Pick<MonitorStore, 'checks' | 'countChecks' | 'checkOfRun'> {
  const FILTER = 'FROM monitor_check WHERE monitor_id = ?1 AND (?2 IS NULL OR verdict = ?2)';
  const checks = fast.prepare(`SELECT body ${FILTER} ORDER BY run_id DESC LIMIT ?3 OFFSET ?4`);
  const count = fast.prepare(`SELECT count(*) AS n ${FILTER}`);
  const ofRun = fast.prepare('SELECT body FROM monitor_check WHERE run_id = ?');
  return {
    checks: (id, verdict, limit, offset) => allRows<{ body: string }>(checks, id, verdict ?? null, limit, offset).map(({ body }) => body),
    countChecks: (id, verdict) => (count.get(id, verdict ?? null) as { n: number }).n,
    checkOfRun: (runId) => (ofRun.get(runId) as { body: string } | undefined)?.body,
  };
}

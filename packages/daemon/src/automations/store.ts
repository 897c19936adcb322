// Rows of automations and of their listeners.
import type { Database } from '../db/open.ts';
import { durably } from '../db/open.ts';
import { allRows, allRowsNamed } from '../db/rows.ts';
import { LIVE } from '../db/run-statuses.ts';

/** How runs name an automation as their source. */
export const AUTOMATION_SOURCE = 'automation';

export interface AutomationRow {
  readonly id: number;
  readonly name: string;
  /** JSON of an AutomationDefinition. */
  readonly definition: string;
  readonly enabled: 0 | 1;
  readonly disabled_reason: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A trigger of an automation that is enabled. */
export interface ListenerRow {
  readonly id: number;
  readonly automation_id: number;
  readonly place: number;
  /** Null where the clock or a call sets it off. */
  readonly topic: string | null;
  readonly met: 0 | 1 | null;
  /** Epoch milliseconds since when it holds, until it has set its automation off. */
  readonly held_at: number | null;
  readonly created_at: number;
}

export interface AutomationFilter {
  readonly q?: string | undefined;
  readonly enabled?: boolean | undefined;
}

type Edit = Pick<AutomationRow, 'name' | 'definition' | 'enabled' | 'disabled_reason' | 'updated_at'>;

export interface AutomationStore {
  /** Durable, as all changes by a person; `also` runs in the same transaction. */
  insert(row: Edit & Pick<AutomationRow, 'created_at'>, also: (id: number) => void): number;
  find(id: number): AutomationRow | undefined;
  /** Newest first. `limit` -1 gives all. */
  list(filter: AutomationFilter, limit: number, offset: number): readonly AutomationRow[];
  count(filter: AutomationFilter): number;
  update(id: number, edit: Edit, also: () => void): void;
  delete(id: number, also: () => void): void;
  /** Its live runs, oldest first. */
  liveRuns(id: number): readonly number[];
  addListener(row: Omit<ListenerRow, 'id'>): number;
  listener(id: number): ListenerRow | undefined;
  listenersOf(automationId: number): readonly ListenerRow[];
  /** In the order of their automations and places. */
  listenersFor(topics: readonly string[]): readonly ListenerRow[];
  hasListener(topics: readonly string[]): boolean;
  mark(id: number, met: boolean, heldAt: number | null): void;
  removeListeners(automationId: number): void;
}

export function createAutomationStore(database: Database): AutomationStore {
  return { ...createRows(database), ...createListeners(database) };
}

type RowVerbs = 'insert' | 'find' | 'list' | 'count' | 'update' | 'delete' | 'liveRuns';

function createRows({ fast }: Database): Pick<AutomationStore, RowVerbs> {
  const insert = fast.prepare(
    'INSERT INTO automation (name, definition, enabled, disabled_reason, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const find = fast.prepare('SELECT * FROM automation WHERE id = ?');
  const FILTER = 'WHERE ($q IS NULL OR instr(lower(name), lower($q)) > 0) AND ($enabled IS NULL OR enabled = $enabled)';
  const list = fast.prepare(`SELECT * FROM automation ${FILTER} ORDER BY id DESC LIMIT $limit OFFSET $offset`);
  const count = fast.prepare(`SELECT count(*) AS n FROM automation ${FILTER}`);
  const update = fast.prepare(
    'UPDATE automation SET name = ?, definition = ?, enabled = ?, disabled_reason = ?, updated_at = ? WHERE id = ?',
  );
  const remove = fast.prepare('DELETE FROM automation WHERE id = ?');
  const live = fast.prepare(
    `SELECT id FROM run WHERE source_kind = '${AUTOMATION_SOURCE}' AND source_id = ? AND status IN (${LIVE}) ORDER BY id`,
  );
  const wanted = ({ q, enabled }: AutomationFilter) => ({ $q: q ?? null, $enabled: enabled === undefined ? null : Number(enabled) });
  return {
    insert: ({ name, definition, enabled, disabled_reason: reason, created_at, updated_at }, also) =>
      durably(fast, () => {
        const id = Number(insert.run(name, definition, enabled, reason, created_at, updated_at).lastInsertRowid);
        also(id);
        return id;
      }),
    find: (id) => find.get(id) as AutomationRow | undefined,
    list: (filter, limit, offset) => allRowsNamed<AutomationRow>(list, { ...wanted(filter), $limit: limit, $offset: offset }),
    count: (filter) => (count.get(wanted(filter)) as { n: number }).n,
    update: (id, { name, definition, enabled, disabled_reason: reason, updated_at }, also) =>
      durably(fast, () => {
        update.run(name, definition, enabled, reason, updated_at, id);
        also();
      }),
    delete: (id, also) =>
      durably(fast, () => {
        also();
        remove.run(id);
      }),
    liveRuns: (id) => allRows<{ id: number }>(live, id).map((row) => row.id),
  };
}

function createListeners({ fast }: Database): Omit<AutomationStore, RowVerbs> {
  const insert = fast.prepare(
    'INSERT INTO automation_listener (automation_id, place, topic, met, held_at, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const find = fast.prepare('SELECT * FROM automation_listener WHERE id = ?');
  const ofAutomation = fast.prepare('SELECT * FROM automation_listener WHERE automation_id = ? ORDER BY place');
  const FOR = 'FROM automation_listener WHERE topic IN (SELECT value FROM json_each(?))';
  const ofTopics = fast.prepare(`SELECT * ${FOR} ORDER BY automation_id, place`);
  const has = fast.prepare(`SELECT EXISTS (SELECT 1 ${FOR}) AS has`);
  const mark = fast.prepare('UPDATE automation_listener SET met = ?, held_at = ? WHERE id = ?');
  const remove = fast.prepare('DELETE FROM automation_listener WHERE automation_id = ?');
  return {
    addListener: ({ automation_id: automationId, place, topic, met, held_at, created_at }) =>
      Number(insert.run(automationId, place, topic, met, held_at, created_at).lastInsertRowid),
    listener: (id) => find.get(id) as ListenerRow | undefined,
    listenersOf: (automationId) => allRows<ListenerRow>(ofAutomation, automationId),
    listenersFor: (topics) => allRows<ListenerRow>(ofTopics, JSON.stringify(topics)),
    hasListener: (topics) => (has.get(JSON.stringify(topics)) as { has: 0 | 1 }).has === 1,
    mark: (id, met, heldAt) => void mark.run(Number(met), heldAt, id),
    removeListeners: (automationId) => void remove.run(automationId),
  };
}

// Rows of targets, as calls show them.
import { AppError } from '@weft/contract';
import type { CloudTable, Input, Target } from '@weft/contract';
import { scheduleOf, shownState, shownValues } from '@weft/engine';
import type { Queries } from '../db/queries.ts';
import type { TargetDefinition, TargetRow } from './row.ts';
import { shownSelectors } from './selectors.ts';

type ListQuery = Input<CloudTable['targets']['list']>['query'];
type ShownRow = TargetRow & { readonly changes: number; readonly shown_values: readonly { key: string; text: string; sinceMs: number }[] };

/** With the first characters of its values. */
const SHOWN = `SELECT target.*, (SELECT count(*) FROM target_change c WHERE c.target = target.number) AS changes,
  (SELECT coalesce(json_agg(json_build_object('key', key, 'text', shown, 'sinceMs', since_ms)), '[]')
   FROM target_value v WHERE v.target = target.number AND shown IS NOT NULL) AS shown_values FROM target`;

/** The row of a target; `lock` ends its statement. Throws AppError `not_found`. */
export async function requireTarget({ find }: Queries, accountId: string, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<TargetRow> {
  const row = await find<TargetRow>(`SELECT * FROM target WHERE id = $1 AND account_id = $2 ${lock}`, [id, accountId]);
  if (!row) throw noTarget(id);
  return row;
}

/** Throws AppError `not_found`. */
export async function readTarget({ find }: Queries, accountId: string, id: string): Promise<Target> {
  const row = await find<ShownRow>(`${SHOWN} WHERE id = $1 AND account_id = $2`, [id, accountId]);
  if (!row) throw noTarget(id);
  return toTarget(row);
}

export function noTarget(id: string): AppError {
  return new AppError('not_found', `There is no target "${id}".`);
}

/** Newest first; all unless `limit` is given. `total` is how many there are of what is asked for. */
export async function listTargets(
  { rows, find }: Queries,
  accountId: string,
  { limit, offset = 0, q, active, trouble }: ListQuery,
): Promise<{ readonly data: Target[]; readonly total: number }> {
  const wanted = `WHERE account_id = $1 AND ($2::text IS NULL OR name ILIKE $2 OR url ILIKE $2) AND ($3::boolean IS NULL OR active = $3)
    AND ($4::boolean IS NULL OR is_trouble = $4)`;
  const values = [accountId, q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`, active ?? null, trouble ?? null];
  const data = await rows<ShownRow>(`${SHOWN} ${wanted} ORDER BY number DESC LIMIT $5 OFFSET $6`, [...values, limit ?? null, offset]);
  const all = await find<{ total: number }>(`SELECT count(*) AS total FROM target ${wanted}`, values);
  return { data: data.map(toTarget), total: all?.total ?? 0 };
}

function toTarget(row: ShownRow): Target {
  const definition: TargetDefinition = row.definition;
  const selectors = shownSelectors(row.selectors, row.known, row.updated_at.getTime());
  const next = row.active && row.claim === null ? row.due_at : null;
  const instants = { last_checked_at: row.last_checked_at, last_changed_at: row.last_changed_at, next_check_at: next };
  return {
    ...definition,
    id: row.id,
    name: row.name,
    active: row.active,
    lane: definition.lane ?? 'auto',
    respect_robots: definition.respect_robots ?? true,
    schedule: scheduleOf(definition),
    selectors,
    values: shownValues(selectors, row.shown_values),
    state: shownState(row.state),
    flapping: row.flapping,
    checks: row.checks,
    changes: row.changes,
    ...(row.left_out ? { left_out: row.left_out } : {}),
    ...Object.fromEntries(Object.entries(instants).flatMap(([name, at]) => (at === null ? [] : [[name, at.toISOString()]]))),
    ...(row.last_run_id === null ? {} : { last_run_id: row.last_run_id }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

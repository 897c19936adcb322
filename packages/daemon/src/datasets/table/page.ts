// One page of a table: which records, in which order, and where the next page begins.
import { CELL_CHARS_MAX } from '@weft/contract';
import type { RecordSize } from '../store.ts';
import { allRowsNamed } from '../../db/rows.ts';
import { LIVE } from '../../db/run-statuses.ts';
import type { Selected } from './selection.ts';
import { pathOf } from './selection.ts';

export interface TableOrder {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The row behind which a page begins: its record, and its place in the order where there is one. */
export interface PagePlace {
  readonly id: number;
  readonly rank: number;
  readonly value: string | number;
}

export interface SortedRow extends RecordSize, PagePlace {}

/** Up to `limit` rows behind `after`, in order. */
export function readPage(
  selected: Selected,
  order: TableOrder | undefined,
  after: PagePlace | undefined,
  limit: number,
): readonly SortedRow[] {
  if (!order) {
    const [statement, values] = selected.prepare(
      (condition) =>
        `SELECT id, octet_length(body) AS bytes, 0 AS rank, 0 AS value FROM record WHERE ${condition} AND id > $afterId ORDER BY id LIMIT $limit`,
    );
    return allRowsNamed<SortedRow>(statement, { ...values, afterId: after?.id ?? 0, limit });
  }
  const sign = order.isDescending ? '<' : '>';
  const behind = after ? `WHERE rank > $rank OR rank = $rank AND (value ${sign} $value OR value = $value AND id > $afterId)` : '';
  const [statement, values] = selected.prepare(
    (condition) => `SELECT id, bytes, rank, value FROM (
        SELECT id, octet_length(body) AS bytes, ${rankSql(order.isDescending)} AS rank, ${VALUE} AS value FROM record WHERE ${condition}
      ) ${behind} ORDER BY rank, value ${order.isDescending ? 'DESC' : 'ASC'}, id LIMIT $limit`,
  );
  const place = after ? { rank: after.rank, value: after.value, afterId: after.id } : {};
  return allRowsNamed<SortedRow>(statement, { ...values, ...place, sorted: pathOf(order.column), limit });
}

export function countRows(selected: Selected): number {
  const [statement, values] = selected.prepare((condition) => `SELECT count(*) AS n FROM record WHERE ${condition}`);
  return (statement.get(values) as { n: number }).n;
}

export interface FoundIds {
  /** Ascending. */
  readonly ids: Float64Array;
  /** A run among theirs that is still live. */
  readonly liveRunId: number | undefined;
}

/** The ids of all rows; `withReplaced` with those of all earlier rows of the same keys. */
export function readIds(selected: Selected, withReplaced: boolean): FoundIds {
  const whole = (condition: string) =>
    withReplaced ? `dataset_id = $datasetId AND key IN (SELECT key FROM record WHERE ${condition})` : condition;
  const [statement, values] = selected.prepare((condition) => `SELECT id FROM record WHERE ${whole(condition)} ORDER BY id`);
  const [live] = selected.prepare(
    (condition) =>
      `SELECT run_id AS runId FROM record WHERE run_id IN (SELECT id FROM run WHERE status IN (${LIVE})) AND ${whole(condition)} LIMIT 1`,
  );
  statement.setReturnArrays(true);
  const ids: number[] = [];
  for (const { 0: id } of statement.iterate(values)) ids.push(id as number);
  const { runId } = (live.get(values) ?? {}) as { readonly runId?: number };
  return { ids: Float64Array.from(ids), liveRunId: runId };
}

const TYPE = 'json_type(body, $sorted)';
const VALUE = `CASE ${TYPE} WHEN 'integer' THEN CAST(body ->> $sorted AS REAL) WHEN 'real' THEN body ->> $sorted
  WHEN 'text' THEN substr(body ->> $sorted, 1, ${CELL_CHARS_MAX}) WHEN 'true' THEN 1 WHEN 'array' THEN substr(body -> $sorted, 1, ${CELL_CHARS_MAX})
  WHEN 'object' THEN substr(body -> $sorted, 1, ${CELL_CHARS_MAX}) ELSE 0 END`;

/** Numbers 0, texts 1, truth values 2, empty cells 3: these are last in either direction. The type is looked up once for all cases. */
function rankSql(isDescending: boolean): string {
  const [numbers, truths] = isDescending ? [2, 0] : [0, 2];
  return `CASE ${TYPE} WHEN 'integer' THEN ${numbers} WHEN 'real' THEN ${numbers} WHEN 'text' THEN 1 WHEN 'array' THEN 1 WHEN 'object' THEN 1
    WHEN 'true' THEN ${truths} WHEN 'false' THEN ${truths} ELSE 3 END`;
}

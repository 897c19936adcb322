// Changes of the targets of an account, as they are told.
import type { ChangeKind, TargetChange } from '@weft/contract';
import type { z } from 'zod';
import type { Queries } from '../db/queries.ts';

/** Which of them. */
export interface ChangeFilter {
  /** Undefined for those of all targets. */
  readonly target: number | undefined;
  readonly kind: z.infer<typeof ChangeKind> | undefined;
  readonly since: Date | undefined;
}

export interface TargetChanges {
  /** Newest first; all unless `limit` is given. */
  list(
    accountId: string,
    filter: ChangeFilter,
    slice: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): Promise<{ readonly data: TargetChange[]; readonly total: number }>;
  /** What runs told, by their ids. */
  ofRuns(accountId: string, runIds: readonly string[]): Promise<ReadonlyMap<string, readonly TargetChange[]>>;
}

interface ChangeRow {
  readonly id: string;
  readonly target_id: string;
  readonly target_name: string;
  readonly run_id: string;
  readonly kind: TargetChange['kind'];
  readonly selector_id: number | null;
  readonly extractor_id: number | null;
  readonly name: string | null;
  /** Null where there is none, and where the value is null: neither is shown. */
  readonly old: unknown;
  readonly new: unknown;
  readonly difference: string | null;
  readonly summary: string;
  readonly percent: number | null;
  readonly url: string | null;
  readonly created_at: Date;
}

const SELECT = 'SELECT c.*, target.id AS target_id, target.name AS target_name';
const FROM = 'FROM target_change c JOIN target ON target.number = c.target WHERE c.account_id = $1';

export function changesOf({ rows, find }: Queries): TargetChanges {
  return {
    async list(accountId, { target, kind, since }, { limit, offset = 0 }) {
      const wanted = `${FROM} AND ($2::bigint IS NULL OR c.target = $2) AND ($3::text IS NULL OR kind = $3) AND ($4::timestamptz IS NULL OR c.created_at >= $4)`;
      const values = [accountId, target ?? null, kind ?? null, since ?? null];
      const data = await rows<ChangeRow>(`${SELECT} ${wanted} ORDER BY c.number DESC LIMIT $5 OFFSET $6`, [
        ...values,
        limit ?? null,
        offset,
      ]);
      const all = await find<{ total: number }>(`SELECT count(*) AS total ${wanted}`, values);
      return { data: data.map(toChange), total: all?.total ?? 0 };
    },
    async ofRuns(accountId, runIds) {
      const found = await rows<ChangeRow>(
        `${SELECT} ${FROM} AND c.target IN (SELECT target FROM target_run WHERE id = ANY($2)) AND c.run_id = ANY($2) ORDER BY c.number`,
        [accountId, runIds],
      );
      return Map.groupBy(found.map(toChange), ({ run_id: runId }) => runId);
    },
  };
}

function toChange(row: ChangeRow): TargetChange {
  return {
    id: row.id,
    target_id: row.target_id,
    target_name: row.target_name,
    ...(row.selector_id === null ? {} : { selector_id: row.selector_id }),
    ...(row.extractor_id === null ? {} : { extractor_id: row.extractor_id }),
    ...(row.name === null ? {} : { name: row.name }),
    kind: row.kind,
    ...(row.old === null ? {} : { old: row.old }),
    ...(row.new === null ? {} : { new: row.new }),
    ...(row.difference === null ? {} : { difference: row.difference }),
    summary: row.summary,
    ...(row.percent === null ? {} : { percent: row.percent }),
    ...(row.url === null ? {} : { url: row.url }),
    run_id: row.run_id,
    created_at: row.created_at.toISOString(),
  };
}

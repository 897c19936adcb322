// What checks of targets saw, as it is kept.
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf, SnapshotValue, TargetSnapshot } from '@weft/contract';
import type { Queries } from '../db/queries.ts';

type WithValues = ReplyOf<AccountTable['targetHistory']['snapshot']>['body'];
type Page = Input<AccountTable['targetHistory']['snapshots']>['query'];
type Part = NonNullable<Input<AccountTable['targetHistory']['content']>['query']['part']>;

export interface TargetSnapshots {
  /** Newest first. Each throws AppError `not_found`. */
  list(accountId: string, target: number, page: Page): Promise<{ readonly data: TargetSnapshot[]; readonly total: number }>;
  read(accountId: string, target: number, id: string): Promise<WithValues>;
  content(accountId: string, target: number, id: string, part: Part): Promise<Uint8Array>;
}

interface SnapshotRow {
  readonly id: string;
  readonly target_id: string;
  readonly run_id: string;
  readonly url: string;
  readonly parts: TargetSnapshot['parts'];
  readonly created_at: Date;
}

const SHOWN = `SELECT s.id, t.id AS target_id, s.run_id, s.url, s.created_at,
  (SELECT json_agg(json_build_object('part', part, 'content_type', content_type, 'bytes', bytes, 'sha256', sha256) ORDER BY part = 'values' DESC, part)
   FROM target_snapshot_part WHERE snapshot = s.number) AS parts
  FROM target_snapshot s JOIN target t ON t.number = s.target WHERE s.target = $1 AND s.account_id = $2`;

export function createTargetSnapshots({ rows, find }: Queries): TargetSnapshots {
  const content: TargetSnapshots['content'] = async (accountId, target, id, part) => {
    const found = await find<{ content: Buffer }>(
      `SELECT content FROM target_snapshot_part p JOIN target_snapshot s ON s.number = p.snapshot
       WHERE s.target = $1 AND s.account_id = $2 AND s.id = $3 AND part = $4`,
      [target, accountId, id, part],
    );
    if (!found) throw new AppError('not_found', `There is no ${part} of a snapshot "${id}" of this target.`);
    return found.content;
  };
  return {
    async list(accountId, target, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<SnapshotRow>(`${SHOWN} ORDER BY s.number DESC LIMIT $3 OFFSET $4`, [target, accountId, limit, offset]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM target_snapshot WHERE target = $1 AND account_id = $2', [
        target,
        accountId,
      ]);
      return { data: data.map(toSnapshot), total: all?.total ?? 0 };
    },
    async read(accountId, target, id) {
      const row = await find<SnapshotRow>(`${SHOWN} AND s.id = $3`, [target, accountId, id]);
      if (!row) throw new AppError('not_found', `This target has no snapshot "${id}".`);
      const values = JSON.parse(new TextDecoder().decode(await content(accountId, target, id, 'values'))) as SnapshotValue[];
      return { ...toSnapshot(row), values };
    },
    content,
  };
}

function toSnapshot({ created_at: at, ...row }: SnapshotRow): TargetSnapshot {
  return { ...row, created_at: at.toISOString() };
}

// Receipts: what the movements of one call come to.
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Database } from '../db/queries.ts';

type Receipt = ReplyOf<AccountTable['credits']['receipt']>['body'];
type Page = Input<AccountTable['credits']['receipts']>['query'];

export interface Receipts {
  list(accountId: string, page: Page): Promise<{ readonly data: Receipt[]; readonly total: number }>;
  /** Throws AppError `not_found`. */
  read(accountId: string, id: string): Promise<Receipt>;
}

interface ReceiptRow {
  readonly hold_id: string;
  readonly operation: string;
  readonly about: string | null;
  readonly at: Date;
  readonly reserved: number;
  readonly charged: number;
  readonly refunded: number;
  readonly last_at: Date;
}

/** The first movement of each hold. */
const FIRST = `ledger o WHERE o.account_id = $1 AND o.kind = 'reserve'
  AND NOT EXISTS (SELECT 1 FROM ledger e WHERE e.hold_id = o.hold_id AND e.account_id = o.account_id AND e.id < o.id)`;
const SUMS = `SELECT o.hold_id, o.operation, o.about, o.at, sums.* FROM (SELECT * FROM`;
const LATERAL = `CROSS JOIN LATERAL (SELECT coalesce(sum(amount) FILTER (WHERE kind = 'reserve'), 0)::bigint AS reserved,
  coalesce(sum(amount) FILTER (WHERE kind = 'settle'), 0)::bigint AS charged,
  coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::bigint AS refunded, max(l.at) AS last_at
  FROM ledger l WHERE l.hold_id = o.hold_id AND l.account_id = $1) sums`;

export function createReceipts({ rows, find }: Pick<Database, 'rows' | 'find'>): Receipts {
  return {
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<ReceiptRow>(`${SUMS} ${FIRST} ORDER BY id DESC LIMIT $2 OFFSET $3) o ${LATERAL} ORDER BY o.id DESC`, [
        accountId,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>(`SELECT count(*) AS total FROM ${FIRST}`, [accountId]);
      return { data: data.map(toReceipt), total: all?.total ?? 0 };
    },
    async read(accountId, id) {
      const row = await find<ReceiptRow>(`${SUMS} ${FIRST} AND o.hold_id = $2) o ${LATERAL}`, [accountId, id]);
      if (!row) throw new AppError('not_found', `There is no receipt "${id}".`);
      return toReceipt(row);
    },
  };
}

function toReceipt({ hold_id, operation, about, at, reserved, charged, refunded, last_at }: ReceiptRow): Receipt {
  const isSettled = charged + refunded === reserved;
  return {
    id: hold_id,
    operation,
    ...(about === null ? {} : { about }),
    status: isSettled ? 'settled' : 'open',
    reserved,
    charged,
    refunded,
    at: at.toISOString(),
    ...(isSettled ? { settled_at: last_at.toISOString() } : {}),
  };
}

// The books of an account: what is granted, available, held and spent. Every movement leaves one and comes to another, and is written down.
import type { AccountTable, ReplyOf } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';

export type Entry = ReplyOf<AccountTable['credits']['ledger']>['body']['data'][number];
export type Book = 'granted' | 'available' | 'held' | 'spent';

/** What a call is reserved for. */
export interface Purpose {
  readonly accountId: string;
  /** The id of the operation. */
  readonly operation: string;
  /** What is paid for: an address. */
  readonly about: string;
}

/** A part of what is held, and what it paid for. */
export interface Charge {
  readonly about: string;
  readonly amount: number;
}

/** Credits that a call holds until it has ended. */
export interface Hold extends Purpose {
  readonly id: string;
}

/** What an account has, of what it was ever given. */
export interface Left {
  readonly available: number;
  readonly granted: number;
}

/** Movements within one account; each belongs to a transaction of its caller, and a balance's row is held until that ends. */
export interface Books {
  /** Makes credits. */
  grant(accountId: string, amount: number, about: string): Promise<void>;
  /** Takes `amount` for a new hold that ends by itself after `seconds`, and what is left; undefined where `available` does not reach. */
  open(hold: Hold, amount: number, seconds: number | 'infinity'): Promise<Left | undefined>;
  /** Takes `amount` more for a hold; false where `available` does not reach. */
  add(hold: Hold, amount: number): Promise<boolean>;
  /** Pays out of a hold whose row the caller has locked, and which has so much: an entry for each charge. */
  pay(hold: Hold, charges: readonly Charge[]): Promise<void>;
  /** Ends a hold: pays at most `spent` of it and gives the rest back. What was paid; 0 where it had ended before. */
  close(hold: Hold, spent: number): Promise<number>;
}

/** Each movement is one statement: a call waits for the database as seldom as it can. */
const TAKE = `taken AS (UPDATE balance SET available = available - $2, held = held + $2 WHERE account_id = $1 AND available >= $2
    RETURNING available, available + held + spent AS granted),
  written AS (INSERT INTO ledger (account_id, kind, from_book, to_book, amount, hold_id, operation, about)
    SELECT $1, 'reserve', 'available', 'held', $2, $3, $4, $5 FROM taken)`;
const END = `WITH ended AS (DELETE FROM hold WHERE id = $2 AND account_id = $1 RETURNING amount),
  split AS (SELECT amount, least($3, amount) AS paid FROM ended),
  moved AS (UPDATE balance SET held = held - split.amount, spent = spent + paid, available = available + split.amount - paid
    FROM split WHERE account_id = $1),
  written AS (INSERT INTO ledger (account_id, kind, from_book, to_book, amount, hold_id, operation, about)
    SELECT $1, kind, 'held', to_book, part, $2, $4, $5
    FROM split, LATERAL (VALUES (1, 'settle', 'spent', paid), (2, 'refund', 'available', amount - paid)) entry(place, kind, to_book, part)
    WHERE part > 0 ORDER BY place)
  SELECT paid FROM split`;

export function createBooks({ rows, find }: Pick<Database, 'rows' | 'find'>): Books {
  const valuesOf = ({ accountId, id, operation, about }: Hold, amount: number) => [accountId, amount, id, operation, about];
  return {
    async grant(accountId, amount, about) {
      await rows(
        `WITH grown AS (INSERT INTO balance (account_id, available) VALUES ($1, $2)
           ON CONFLICT (account_id) DO UPDATE SET available = balance.available + excluded.available)
         INSERT INTO ledger (account_id, kind, from_book, to_book, amount, about) SELECT $1, 'grant', 'granted', 'available', $2, $3 WHERE $2 > 0`,
        [accountId, amount, about],
      );
    },
    open: (hold, amount, seconds) =>
      find<Left>(
        `WITH ${TAKE}, made AS (INSERT INTO hold (id, account_id, amount, operation, until_at)
           SELECT $3, $1, $2, $4, coalesce(now() + $6 * interval '1 second', 'infinity') FROM taken)
         SELECT * FROM taken`,
        [...valuesOf(hold, amount), seconds === 'infinity' ? null : seconds],
      ),
    add: async (hold, amount) =>
      (await find(
        `WITH ${TAKE}, grown AS (UPDATE hold SET amount = amount + $2 FROM taken WHERE id = $3 AND account_id = $1) SELECT 1 FROM taken`,
        valuesOf(hold, amount),
      )) !== undefined,
    async pay({ accountId, id, operation }, charges) {
      const total = charges.reduce((sum, { amount }) => sum + amount, 0);
      const { from, values } = unnest(
        charges,
        [
          ['amount', 'bigint', ({ amount }) => amount],
          ['about', 'text', ({ about }) => about],
        ],
        5,
      );
      await rows(
        `WITH ended AS (DELETE FROM hold WHERE id = $2 AND account_id = $1 AND amount = $4),
           lowered AS (UPDATE hold SET amount = amount - $4 WHERE id = $2 AND account_id = $1 AND amount > $4),
           moved AS (UPDATE balance SET held = held - $4, spent = spent + $4 WHERE account_id = $1)
         INSERT INTO ledger (account_id, hold_id, operation, kind, from_book, to_book, amount, about)
         SELECT $1, $2, $3, 'settle', 'held', 'spent', new.amount, about FROM ${from} ORDER BY place`,
        [accountId, id, operation, total, ...values],
      );
    },
    close: async ({ accountId, id, operation, about }, spent) =>
      (await find<{ paid: number }>(END, [accountId, id, spent, operation, about]))?.paid ?? 0,
  };
}

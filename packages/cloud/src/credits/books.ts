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

/** Movements within one account; each belongs to a transaction of its caller, and a balance's row is held until that ends. */
export interface Books {
  /** Makes credits. */
  grant(accountId: string, amount: number, about: string): Promise<void>;
  /** Takes `amount` for a hold; false where `available` does not reach. */
  take(hold: Hold, amount: number): Promise<boolean>;
  /** Pays out of what is held, an entry for each charge. */
  pay(hold: Hold, charges: readonly Charge[]): Promise<void>;
  /** Pays `spent` out of `amount` held, and gives the rest back. */
  close(hold: Hold, amount: number, spent: number): Promise<void>;
}

export function createBooks({ rows }: Pick<Database, 'rows'>): Books {
  const write = async (
    kind: Entry['kind'],
    [from, to]: readonly [Book, Book],
    amount: number,
    { accountId, id, operation, about }: Partial<Hold> & Pick<Hold, 'accountId'>,
  ) => {
    if (amount === 0) return;
    await rows(
      `INSERT INTO ledger (account_id, kind, from_book, to_book, amount, hold_id, operation, about) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [accountId, kind, from, to, amount, id, operation, about],
    );
  };

  return {
    async grant(accountId, amount, about) {
      const grown = 'ON CONFLICT (account_id) DO UPDATE SET available = balance.available + excluded.available';
      await rows(`INSERT INTO balance (account_id, available) VALUES ($1, $2) ${grown}`, [accountId, amount]);
      await write('grant', ['granted', 'available'], amount, { accountId, about });
    },
    async take(hold, amount) {
      const taken = await rows(
        'UPDATE balance SET available = available - $2, held = held + $2 WHERE account_id = $1 AND available >= $2 RETURNING 1',
        [hold.accountId, amount],
      );
      if (taken.length > 0) await write('reserve', ['available', 'held'], amount, hold);
      return taken.length > 0;
    },
    async pay({ accountId, id, operation }, charges) {
      const total = charges.reduce((sum, { amount }) => sum + amount, 0);
      await rows('UPDATE balance SET held = held - $2, spent = spent + $2 WHERE account_id = $1', [accountId, total]);
      const { from, values } = unnest(
        charges,
        [
          ['amount', 'bigint', ({ amount }) => amount],
          ['about', 'text', ({ about }) => about],
        ],
        4,
      );
      await rows(
        `INSERT INTO ledger (account_id, hold_id, operation, kind, from_book, to_book, amount, about)
         SELECT $1, $2, $3, 'settle', 'held', 'spent', amount, about FROM ${from} ORDER BY place`,
        [accountId, id, operation, ...values],
      );
    },
    async close(hold, amount, spent) {
      await rows('UPDATE balance SET held = held - $2, spent = spent + $3, available = available + $2 - $3 WHERE account_id = $1', [
        hold.accountId,
        amount,
        spent,
      ]);
      await write('settle', ['held', 'spent'], spent, hold);
      await write('refund', ['held', 'available'], amount - spent, hold);
    },
  };
}

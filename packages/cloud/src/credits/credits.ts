// Credits (D43): every movement leaves one book and comes to another; what is reserved is settled or given back with the work that it paid for.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';

type Balance = ReplyOf<AccountTable['credits']['balance']>['body'];
type Entry = ReplyOf<AccountTable['credits']['ledger']>['body']['data'][number];
type Page = Input<AccountTable['credits']['ledger']>['query'];
type Book = 'granted' | 'available' | 'held' | 'spent';

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

export interface Credits {
  grant(accountId: string, amount: number, about: string): Promise<void>;
  /** Takes `amount` out of what is available. Throws AppError `insufficient_credits`. */
  reserve(purpose: Purpose, amount: number): Promise<Hold>;
  /** Takes as much as there is, within bounds, for work that ends its hold itself. Throws AppError `insufficient_credits` below `least`. */
  reserveUpTo(
    purpose: Purpose,
    bounds: { readonly least: number; readonly most: number },
  ): Promise<{ readonly hold: Hold; readonly amount: number }>;
  /** Pays out of a hold that goes on, an entry for each charge. Throws where it does not hold so much. */
  charge(hold: Hold, charges: readonly Charge[]): Promise<number>;
  /** Adds to a hold; false where the account does not have so much. */
  topUp(hold: Hold, amount: number): Promise<boolean>;
  /** Ends a hold: `spent` of it is paid, the rest given back. What is charged: 0 where the hold had ended before. */
  settle(hold: Hold, spent: number): Promise<number>;
  /** Gives back what died with the process that held it. */
  releaseForgotten(): Promise<void>;
  balance(accountId: string): Promise<Balance>;
  ledger(accountId: string, page: Page): Promise<{ readonly data: Entry[]; readonly total: number }>;
}

interface EntryRow {
  readonly id: number;
  readonly at: Date;
  readonly kind: Entry['kind'];
  readonly from_book: Book;
  readonly to_book: Book;
  readonly amount: number;
  readonly hold_id: string | null;
  readonly operation: string | null;
  readonly about: string | null;
}

/** Credits of a page by its lane (D43). */
export const PAGE_PRICE = { http: 1, browser: 2 } as const;

/** Longer than any call may take. */
const HOLD_SECONDS = 900;

export function createCredits(database: Database): Credits {
  const { rows, find, transaction } = database;

  const write = async (
    kind: Entry['kind'],
    from: Book,
    to: Book,
    amount: number,
    { accountId, ...about }: Partial<Hold> & { accountId: string },
  ) => {
    if (amount === 0) return;
    const values = [accountId, kind, from, to, amount, about.id, about.operation, about.about];
    await rows(
      `INSERT INTO ledger (account_id, kind, from_book, to_book, amount, hold_id, operation, about) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values,
    );
  };

  /** Moves within a balance; false where `available` does not reach. The row is held until the transaction ends. */
  const take = async (hold: Hold, amount: number): Promise<boolean> => {
    const taken = await rows(
      'UPDATE balance SET available = available - $2, held = held + $2 WHERE account_id = $1 AND available >= $2 RETURNING 1',
      [hold.accountId, amount],
    );
    if (taken.length > 0) await write('reserve', 'available', 'held', amount, hold);
    return taken.length > 0;
  };

  const end = async (hold: Hold, spent: number): Promise<number> => {
    const ended = await find<{ amount: number }>('DELETE FROM hold WHERE id = $1 AND account_id = $2 RETURNING amount', [
      hold.id,
      hold.accountId,
    ]);
    if (!ended) return 0;
    const charged = Math.min(spent, ended.amount);
    await rows('UPDATE balance SET held = held - $2, spent = spent + $3, available = available + $2 - $3 WHERE account_id = $1', [
      hold.accountId,
      ended.amount,
      charged,
    ]);
    await write('settle', 'held', 'spent', charged, hold);
    await write('refund', 'held', 'available', ended.amount - charged, hold);
    return charged;
  };

  return {
    grant: (accountId, amount, about) =>
      transaction(async () => {
        const grown = 'ON CONFLICT (account_id) DO UPDATE SET available = balance.available + excluded.available';
        await rows(`INSERT INTO balance (account_id, available) VALUES ($1, $2) ${grown}`, [accountId, amount]);
        await write('grant', 'granted', 'available', amount, { accountId, about });
      }),
    reserve: (purpose, amount) =>
      transaction(async () => {
        const hold = { ...purpose, id: `hold_${randomBytes(16).toString('base64url')}` };
        if (!(await take(hold, amount))) throw await insufficient(database, purpose.accountId, amount);
        await rows(
          `INSERT INTO hold (id, account_id, amount, operation, until_at) VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
          [hold.id, hold.accountId, amount, hold.operation, HOLD_SECONDS],
        );
        return hold;
      }),
    reserveUpTo: (purpose, { least, most }) =>
      transaction(async () => {
        const balance = await find<{ available: number }>('SELECT available FROM balance WHERE account_id = $1 FOR UPDATE', [
          purpose.accountId,
        ]);
        const amount = Math.min(most, balance?.available ?? 0);
        if (amount < least) throw await insufficient(database, purpose.accountId, least);
        const hold = { ...purpose, id: `hold_${randomBytes(16).toString('base64url')}` };
        if (!(await take(hold, amount))) throw new Error('A balance changed while it was held.');
        await rows(`INSERT INTO hold (id, account_id, amount, operation, until_at) VALUES ($1, $2, $3, $4, 'infinity')`, [
          hold.id,
          hold.accountId,
          amount,
          hold.operation,
        ]);
        return { hold, amount };
      }),
    charge: (hold, charges) =>
      transaction(async () => {
        const total = charges.reduce((sum, { amount }) => sum + amount, 0);
        if (total === 0) return 0;
        const held = await find<{ amount: number }>('SELECT amount FROM hold WHERE id = $1 AND account_id = $2 FOR UPDATE', [
          hold.id,
          hold.accountId,
        ]);
        if (!held || held.amount < total)
          throw new Error(`The hold ${hold.id} has ${held?.amount ?? 0} credits, and ${total} are to be paid.`);
        if (held.amount === total) await rows('DELETE FROM hold WHERE id = $1', [hold.id]);
        else await rows('UPDATE hold SET amount = amount - $2 WHERE id = $1', [hold.id, total]);
        await rows('UPDATE balance SET held = held - $2, spent = spent + $2 WHERE account_id = $1', [hold.accountId, total]);
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
          [hold.accountId, hold.id, hold.operation, ...values],
        );
        return total;
      }),
    topUp: (hold, amount) =>
      transaction(async () => {
        // The hold first, as where it ends: two that lock in different orders wait for each other.
        if (!(await find('SELECT 1 FROM hold WHERE id = $1 FOR UPDATE', [hold.id])))
          throw new Error(`The hold ${hold.id} ended before its work.`);
        if (!(await take(hold, amount))) return false;
        await rows('UPDATE hold SET amount = amount + $2 WHERE id = $1', [hold.id, amount]);
        return true;
      }),
    settle: (hold, spent) => transaction(() => end(hold, spent)),
    async releaseForgotten() {
      const forgotten = await rows<{ id: string; account_id: string; operation: string }>(
        'SELECT id, account_id, operation FROM hold WHERE until_at < now() ORDER BY until_at LIMIT 1000',
      );
      for (const { id, account_id: accountId, operation } of forgotten)
        await transaction(() => end({ id, accountId, operation, about: 'given back: its process died' }, 0));
    },
    async balance(accountId) {
      const {
        available = 0,
        held = 0,
        spent = 0,
      } = (await find<Omit<Balance, 'granted'>>('SELECT available, held, spent FROM balance WHERE account_id = $1', [accountId])) ?? {};
      return { available, held, spent, granted: available + held + spent };
    },
    async ledger(accountId, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      const data = await rows<EntryRow>('SELECT * FROM ledger WHERE account_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3', [
        accountId,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>('SELECT count(*) AS total FROM ledger WHERE account_id = $1', [accountId]);
      return { data: data.map(toEntry), total: all?.total ?? 0 };
    },
  };
}

async function insufficient({ find }: Database, accountId: string, needed: number): Promise<AppError> {
  const { available = 0 } = (await find<{ available: number }>('SELECT available FROM balance WHERE account_id = $1', [accountId])) ?? {};
  return new AppError('insufficient_credits', `This call needs ${needed} of your credits, and ${available} are left.`, {
    members: { balance: available, needed },
  });
}

function toEntry({ id, at, kind, from_book, to_book, amount, hold_id, operation, about }: EntryRow): Entry {
  return {
    id,
    at: at.toISOString(),
    kind,
    from: from_book,
    to: to_book,
    amount,
    ...(hold_id === null ? {} : { hold_id }),
    ...(operation === null ? {} : { operation }),
    ...(about === null ? {} : { about }),
  };
}

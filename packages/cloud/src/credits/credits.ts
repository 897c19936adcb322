// Credits (D43): what is reserved is settled or given back with the work that it paid for.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import { createBooks } from './books.ts';
import type { Book, Charge, Entry, Hold, Purpose } from './books.ts';

type Balance = ReplyOf<AccountTable['credits']['balance']>['body'];
type Page = Input<AccountTable['credits']['ledger']>['query'];

/** What calls do with credits. */
export interface Credits extends Holds, CreditReports {
  /** Makes credits for an account. */
  grant(accountId: string, amount: number, about: string): Promise<void>;
}

/** Credits that are held for work. */
export interface Holds {
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
}

/** What an account sees of its credits. */
export interface CreditReports {
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

/** Longer than any call may take. */
const HOLD_SECONDS = 900;

export function createCredits(database: Database): Credits {
  const books = createBooks(database);
  return {
    grant: (accountId, amount, about) => database.transaction(() => books.grant(accountId, amount, about)),
    ...createHolds(database, books),
    ...createReports(database),
  };
}

function createHolds(database: Database, books: ReturnType<typeof createBooks>): Holds {
  const { rows, find, transaction } = database;

  /** A hold of `amount`, given back by itself after `seconds`. Throws AppError `insufficient_credits`. */
  const open = async (purpose: Purpose, amount: number, seconds: number | 'infinity'): Promise<Hold> => {
    const hold = { ...purpose, id: `hold_${randomBytes(16).toString('base64url')}` };
    if (!(await books.take(hold, amount))) throw await insufficient(database, purpose.accountId, amount);
    const until = seconds === 'infinity' ? `'infinity'` : `now() + ${seconds} * interval '1 second'`;
    await rows(`INSERT INTO hold (id, account_id, amount, operation, until_at) VALUES ($1, $2, $3, $4, ${until})`, [
      hold.id,
      hold.accountId,
      amount,
      hold.operation,
    ]);
    return hold;
  };

  const end = async (hold: Hold, spent: number): Promise<number> => {
    const ended = await find<{ amount: number }>('DELETE FROM hold WHERE id = $1 AND account_id = $2 RETURNING amount', [
      hold.id,
      hold.accountId,
    ]);
    if (!ended) return 0;
    const charged = Math.min(spent, ended.amount);
    await books.close(hold, ended.amount, charged);
    return charged;
  };

  return {
    reserve: (purpose, amount) => transaction(() => open(purpose, amount, HOLD_SECONDS)),
    reserveUpTo: (purpose, { least, most }) =>
      transaction(async () => {
        const { available = 0 } =
          (await find<{ available: number }>('SELECT available FROM balance WHERE account_id = $1 FOR UPDATE', [purpose.accountId])) ?? {};
        const amount = Math.max(least, Math.min(most, available));
        return { hold: await open(purpose, amount, 'infinity'), amount };
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
        await books.pay(hold, charges);
        return total;
      }),
    topUp: (hold, amount) =>
      transaction(async () => {
        // The hold first, as where it ends: two that lock in different orders wait for each other.
        if (!(await find('SELECT 1 FROM hold WHERE id = $1 FOR UPDATE', [hold.id])))
          throw new Error(`The hold ${hold.id} ended before its work.`);
        if (!(await books.take(hold, amount))) return false;
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
  };
}

function createReports({ rows, find }: Database): CreditReports {
  return {
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

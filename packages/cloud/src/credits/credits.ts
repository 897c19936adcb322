// Credits (D43): what is reserved is settled or given back with the work that it paid for.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, ReplyOf } from '@weft/contract';
import type { Database } from '../db/queries.ts';
import type { AccountNotice, Tell } from '../webhooks/outbox.ts';
import { createBooks } from './books.ts';
import type { Book, Charge, Entry, Hold, Left, Purpose } from './books.ts';

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

/** `tell` is called as credits run low and end; nobody is told unless said. */
export function createCredits(database: Database, tell: Tell = async () => undefined): Credits {
  const books = createBooks(database);
  return {
    grant: (accountId, amount, about) => database.transaction(() => books.grant(accountId, amount, about)),
    ...createHolds(database, books, tell),
    ...createReports(database),
  };
}

function createHolds(database: Database, books: ReturnType<typeof createBooks>, tell: Tell): Holds {
  const { rows, find, transaction } = database;

  /** A hold of `amount`, given back by itself after `seconds`. Throws AppError `insufficient_credits`. */
  const open = async (purpose: Purpose, amount: number, seconds: number | 'infinity'): Promise<Hold> => {
    const hold = { ...purpose, id: `hold_${randomBytes(16).toString('base64url')}` };
    const left = await books.open(hold, amount, seconds);
    if (!left) throw await insufficient(database, purpose.accountId, amount);
    if (isLowNow(left, amount)) await tell(purpose.accountId, lowNotice(left));
    return hold;
  };

  /**
   * What is refused is told in a transaction of its own, since the one that asked is rolled back, and later, since that holds a connection
   * until then. Where it can't be told, the next refusal tells it.
   */
  const tellingExhausted = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'insufficient_credits')
        void database.apart(() => tellExhausted(database, accountId, tell)).catch(() => undefined);
      throw error;
    }
  };

  return {
    reserve: (purpose, amount) => tellingExhausted(purpose.accountId, () => transaction(() => open(purpose, amount, HOLD_SECONDS))),
    reserveUpTo: (purpose, { least, most }) =>
      tellingExhausted(purpose.accountId, () =>
        transaction(async () => {
          const { available = 0 } =
            (await find<{ available: number }>('SELECT available FROM balance WHERE account_id = $1 FOR UPDATE', [purpose.accountId])) ??
            {};
          const amount = Math.max(least, Math.min(most, available));
          return { hold: await open(purpose, amount, 'infinity'), amount };
        }),
      ),
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
        await books.pay(hold, charges);
        return total;
      }),
    topUp: (hold, amount) =>
      transaction(async () => {
        // The hold first, as where it ends: two that lock in different orders wait for each other.
        if (!(await find('SELECT 1 FROM hold WHERE id = $1 FOR UPDATE', [hold.id])))
          throw new Error(`The hold ${hold.id} ended before its work.`);
        return await books.add(hold, amount);
      }),
    settle: (hold, spent) => transaction(() => books.close(hold, spent)),
    async releaseForgotten() {
      const forgotten = await rows<{ id: string; account_id: string; operation: string }>(
        'SELECT id, account_id, operation FROM hold WHERE until_at < now() ORDER BY until_at LIMIT 1000',
      );
      for (const { id, account_id: accountId, operation } of forgotten)
        await transaction(() => books.close({ id, accountId, operation, about: 'given back: its process died' }, 0));
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

/** Of what was granted. */
const LOW_SHARE = 0.1;

/** True for the movement that leaves less than a tenth. */
function isLowNow({ available, granted }: Left, taken: number): boolean {
  return available < granted * LOW_SHARE && available + taken >= granted * LOW_SHARE;
}

function lowNotice({ available, granted }: Left): AccountNotice {
  const message = `${available} credits are left of ${granted}.`;
  return {
    event: 'credits.low',
    subject: { kind: 'account' },
    data: { message, credits: { available, granted } },
    dedupeKey: `credits.low ${granted}`,
  };
}

/** Once for what was granted so far. */
async function tellExhausted({ find }: Database, accountId: string, tell: Tell): Promise<void> {
  const { available = 0, granted = 0 } =
    (await find<Left>('SELECT available, available + held + spent AS granted FROM balance WHERE account_id = $1', [accountId])) ?? {};
  const message = `A call was refused for want of credits: ${available} are left of ${granted}.`;
  const data = { message, credits: { available, granted } };
  await tell(accountId, { event: 'credits.exhausted', subject: { kind: 'account' }, data, dedupeKey: `credits.exhausted ${granted}` });
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

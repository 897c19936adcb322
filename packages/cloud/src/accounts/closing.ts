// The end of an account: at once nobody gets in any more, and what it has goes in pieces, whichever process is there to go on.
import { setTimeout as pause } from 'node:timers/promises';
import { givingWay, waitBriefly } from '../db/give-way.ts';
import type { Database } from '../db/queries.ts';

/** Accounts that are being deleted by this process. */
export interface Closings {
  /** Closes an account and deletes it; resolves when nothing of it is left, or after half a minute, and goes on then. */
  close(accountId: string): Promise<void>;
  /** Goes on with what was closed anywhere and is not gone; resolves at once. */
  goOn(): Promise<void>;
  /** Ends with the pieces under way: another process goes on. */
  stop(): Promise<void>;
}

export interface ClosingPorts {
  readonly database: Database;
  /** Deletes what an account had outside of the database, once its rows are gone. */
  forget(accountId: string): Promise<void>;
  logError(message: string, error: unknown): void;
}

/** Whoever asked hears within it: less than most proxies wait for an answer. */
const ANSWER_MS = 30_000;
/** Rows of a transaction: pages among them, of which each may be many kilobytes. */
const PIECE_ROWS = 1000;

export function createClosings({ database, forget, logError }: ClosingPorts): Closings {
  const { rows } = database;
  const going = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const end = async (accountId: string) => {
    await deleteClosed(database, accountId, stopping.signal);
    // What is left of it is swept later.
    if (!stopping.signal.aborted) await forget(accountId);
  };
  const begin = (accountId: string): Promise<void> => {
    const begun =
      going.get(accountId) ??
      end(accountId)
        .catch((error: unknown) => logError(`not all that ${accountId} had is gone; it is gone on with within a minute`, error))
        .finally(() => going.delete(accountId));
    going.set(accountId, begun);
    return begun;
  };
  return {
    close: (accountId) =>
      database.asProgram(async () => {
        await closeAccount(database, accountId);
        const patience = new AbortController();
        await Promise.race([begin(accountId), pause(ANSWER_MS, undefined, { signal: patience.signal, ref: false }).catch(() => undefined)]);
        patience.abort();
      }),
    async goOn() {
      for (const { id } of await rows<{ id: string }>('SELECT id FROM account WHERE closed_at IS NOT NULL ORDER BY closed_at'))
        void begin(id);
    },
    async stop() {
      stopping.abort();
      await Promise.all(going.values());
    },
  };
}

/** Deletes an account with all that it has in the database; what is outside of it is swept by the cloud, which also goes on where this is killed. */
export async function deleteAccount(database: Database, accountId: string): Promise<void> {
  await closeAccount(database, accountId);
  await deleteClosed(database, accountId, new AbortController().signal);
}

/** In one transaction: no key of it is known any more, and nobody works on its crawls. */
async function closeAccount(database: Database, accountId: string): Promise<void> {
  const { rows, transaction } = database;
  await givingWay(() =>
    transaction(async () => {
      await waitBriefly(database);
      await rows('DELETE FROM crawl_job WHERE account_id = $1', [accountId]);
      await rows('UPDATE crawl SET owner = owner + 1 WHERE account_id = $1 AND finished_at IS NULL', [accountId]);
      for (const table of ['account_key', 'consumer_key']) await rows(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
      await rows('UPDATE account SET closed_at = coalesce(closed_at, now()) WHERE id = $1', [accountId]);
    }),
  );
}

const OF_ACCOUNT = 'account_id = $1';
const of = (column: string, table: string, key = 'number') => `${column} IN (SELECT ${key} FROM ${table} WHERE account_id = $1)`;

/** What an account may have many rows of, those that name others first, and by which index they are found; the rest goes with its own row. */
const MANY: readonly (readonly [table: string, whose: string])[] = [
  ['delivery_try', `delivery IN (SELECT number FROM delivery WHERE ${of('webhook_id', 'webhook', 'id')})`],
  ['delivery', of('webhook_id', 'webhook', 'id')],
  ['webhook', OF_ACCOUNT],
  ['target_snapshot_part', of('snapshot', 'target_snapshot')],
  ['target_snapshot', OF_ACCOUNT],
  ['target_change', OF_ACCOUNT],
  ['target_record', OF_ACCOUNT],
  ['target_run', of('target', 'target')],
  ['target_value', of('target', 'target')],
  ['target', OF_ACCOUNT],
  ['build_answer', of('build', 'build')],
  ['build', OF_ACCOUNT],
  ['published_run', OF_ACCOUNT],
  ['page_copy', OF_ACCOUNT],
  ['picture', OF_ACCOUNT],
  ['crawl_offer', of('crawl', 'crawl')],
  ['crawl_page', of('crawl', 'crawl')],
  ['crawl_url', of('crawl', 'crawl')],
  ['crawl', OF_ACCOUNT],
  ['scrape', OF_ACCOUNT],
  ['idempotency', OF_ACCOUNT],
  ['ledger', OF_ACCOUNT],
];

/** Deletes what a closed account has, piece by piece, each a transaction of its own, and its own row last; until then it can be gone on with. */
async function deleteClosed(database: Database, accountId: string, stop: AbortSignal): Promise<void> {
  for (const [table, whose] of MANY) {
    // What somebody holds now is left to the end.
    const piece = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${whose} LIMIT ${PIECE_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
    while (!stop.aborted && (await database.rows(piece, [accountId])).length > 0);
  }
  if (!stop.aborted) await deleteRest(database, accountId);
}

/** What those who work for an account hold before they need the account itself, in the order in which they take it. */
const WORKED_ON = [
  ['crawl_job', 'crawl_id'],
  ['crawl', 'number DESC'],
  ['target', 'number'],
  ['build', 'number'],
  ['published_run', 'id'],
  ['webhook', 'number'],
  ['hold', 'id'],
  ['balance', 'account_id'],
] as const;

/** The rest with the account's own row, once nobody is in the middle of something of it; what is worked on for it finds its claim gone. */
async function deleteRest(database: Database, accountId: string): Promise<void> {
  const { rows, transaction } = database;
  await givingWay(() =>
    transaction(async () => {
      await waitBriefly(database);
      for (const [table, order] of WORKED_ON)
        await rows(`SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE account_id = $1 ORDER BY ${order} FOR UPDATE) held`, [accountId]);
      await rows('DELETE FROM account WHERE id = $1', [accountId]);
    }),
  );
}

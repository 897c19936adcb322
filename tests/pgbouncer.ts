// Debian's PgBouncer in transaction mode for campaigns: it gives each transaction another connection, and can be pointed at another server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A bouncer that runs. */
export interface PgBouncer {
  /** Of the database behind it, by way of it. */
  readonly url: string;
  /** Sends everybody to the server at this port of this machine from now on. */
  pointTo(port: number): void;
  stop(): Promise<void>;
}

const TOOLS = join(process.env['WEFT_APPS_HOME'] ?? join(homedir(), '.cache', 'weft-apps'), 'cloud-tools');
/** A user without rights: PgBouncer refuses root. */
const NOBODY = 65_534;
const TRIES = 100;

/** Starts it in front of the server of `databaseUrl`, to which it has `connections` at most. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  bring();
  // Its folders are private, and so is that of the program: it runs as nobody, from a folder of its own.
  const folder = mkdtempSync('/tmp/weft-bouncer-');
  execFileSync('cp', ['-r', join(TOOLS, 'pgbouncer', 'usr'), folder]);
  const port = await freePort();
  const { username, password, hostname, pathname, port: serverPort } = new URL(databaseUrl);
  const configure = (to: number | string) =>
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]\n* = host=${hostname} port=${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${join(folder, 'users.txt')}\npool_mode = transaction\ndefault_pool_size = ${connections}\nmax_client_conn = 1000\nserver_login_retry = 1\nlogfile = ${join(folder, 'log')}\n`,
    );
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  configure(serverPort);
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  chownSync(folder, NOBODY, NOBODY);
  const libraries = join(folder, 'usr', 'lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu');
  const env = { LD_LIBRARY_PATH: libraries, PATH: process.env['PATH'] ?? '' };
  const options = { env, uid: NOBODY, gid: NOBODY, stdio: 'ignore' } as const;
  const bouncer = spawn(join(folder, 'usr', 'sbin', 'pgbouncer'), [join(folder, 'pgbouncer.ini')], options);
  for (let tries = 0; !(await isOpen(port)); tries++) {
    if (tries > TRIES || bouncer.exitCode !== null) throw new Error(`PgBouncer did not start (${bouncer.exitCode}); see ${folder}/log.`);
    await pause(TRIES);
  }
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    pointTo(to) {
      configure(to);
      bouncer.kill('SIGHUP');
    },
    async stop() {
      if (bouncer.exitCode === null) {
        bouncer.kill('SIGKILL');
        await once(bouncer, 'exit');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** Unpacks Debian's packages beside the system, the first time. */
function bring(): void {
  const program = join(TOOLS, 'pgbouncer', 'usr', 'sbin', 'pgbouncer');
  mkdirSync(TOOLS, { recursive: true });
  const unpack = `cd ${TOOLS} && apt-get download pgbouncer libc-ares2 libevent-2.1-7 && for deb in pgbouncer_*.deb libc-ares2_*.deb libevent-2.1-7_*.deb; do dpkg-deb -x $deb pgbouncer; done`;
  execFileSync('sh', ['-c', `test -x ${program} || { ${unpack}; }`], { stdio: ['ignore', 'ignore', 'ignore'] });
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  return port;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return opened;
}

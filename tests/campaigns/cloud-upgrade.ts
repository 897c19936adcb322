// The release before the last change of the schema serves callers while this one migrates their database: nobody is answered an error, and both
// go on side by side.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { MIGRATIONS } from '../../packages/cloud/src/db/migrations.ts';
import { startOwnServer } from '../../packages/cloud/src/db/own-server.ts';
import { booksAgree } from '../cloud.ts';
import { endCloudProcess, startCloudProcess } from '../cloud-processes.ts';
import type { CloudProcess } from '../cloud-processes.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const needs = 'a checkout with its history, and minutes';

const ROOT = resolve(import.meta.dirname, '../..');
const SCHEMA = ['packages/cloud/src/db/migrations.ts', 'packages/cloud/src/db/migrations'];
const PAGES = 40;
const CALLERS = 3;
const CREDITS = 100_000;
/** Traffic before the migration, and with both releases behind it. */
const SIDE_BY_SIDE_MS = 5000;
const LOOK_MS = 100;
/** Between two calls of one caller: below the rate of a key. */
const CALL_MS = 350;

/** Another release, in a folder of its own. */
interface Release {
  readonly main: string;
  readonly commit: string;
  readonly entries: number;
}

interface Stage {
  readonly site: GeneratedSite;
  readonly token: string;
  /** Those that answer calls now. */
  readonly apis: CloudProcess[];
  readonly calls: { answered: number; readonly broken: string[] };
}

/** One round is one migration of a database that is in use. */
export async function campaign({ rounds, log }: CampaignOptions): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const scratch = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
  undo.defer(() => rmSync(scratch, { recursive: true, force: true }));
  const before = await releaseBefore(join(scratch, 'before'), undo);
  log(`release ${before.commit.slice(0, 8)} knows ${before.entries} entries of the schema; this one ${MIGRATIONS.length}`);
  for (let round = 1; round <= rounds; round++) {
    const { answered, migratedMs } = await upgrade(join(scratch, `round-${round}`), before);
    log(
      `${round}: migrated in ${Math.round(migratedMs)} ms; ${answered} calls answered, 0 errors, every page of the crawls once, the books agree`,
    );
  }
}

async function upgrade(home: string, before: Release): Promise<{ readonly answered: number; readonly migratedMs: number }> {
  await using undo = new AsyncDisposableStack();
  mkdirSync(home);
  const server = await startOwnServer(join(home, 'postgres'));
  undo.defer(() => server.stop());
  const site = await startGeneratedSite(PAGES);
  undo.defer(() => site.close());
  const env = { ...process.env, DATABASE_URL: server.url, SERVICE_HOME: home };
  const opened = execFileSync(process.execPath, [before.main, 'accounts', 'open', 'campaign', '--credits', String(CREDITS)], {
    env,
    encoding: 'utf8',
  });
  const { token } = JSON.parse(opened) as { token: string };
  const start = async (role: string, main?: string) => {
    const args = ['--role', role, '--blobs', 'database', '--private-target', new URL(site.start).host];
    const program = await startCloudProcess({ databaseUrl: server.url, home, args, ...(main === undefined ? {} : { main }) });
    undo.defer(() => endCloudProcess(program, 'SIGKILL'));
    return program;
  };
  const old = [await start('api', before.main), await start('worker', before.main)];
  const stage: Stage = { site, token, apis: old.slice(0, 1), calls: { answered: 0, broken: [] } };
  const ending = new AbortController();
  const traffic = Promise.all(Array.from({ length: CALLERS }, (_, i) => call(stage, i, ending.signal)));
  await pause(SIDE_BY_SIDE_MS);
  const startedMs = performance.now();
  const database = await openDatabase(server.url);
  const migratedMs = performance.now() - startedMs;
  undo.defer(() => database.close());
  await pause(SIDE_BY_SIDE_MS);
  const [api] = [await start('api'), await start('worker')];
  stage.apis.push(api);
  await pause(SIDE_BY_SIDE_MS);
  // The old release goes last from the line of those that answer, and then stops.
  stage.apis.shift();
  await pause(LOOK_MS * 10);
  for (const program of old) await endCloudProcess(program);
  await pause(SIDE_BY_SIDE_MS);
  ending.abort();
  await traffic;
  while ((await database.rows('SELECT 1 FROM crawl_job')).length > 0) await pause(LOOK_MS);
  assert.deepEqual(stage.calls.broken, []);
  assert.deepEqual(errorsOf(home), []);
  const crawls = await database.rows('SELECT 1 FROM crawl');
  const pages = await database.rows<{ n: number }>('SELECT count(*) AS n FROM crawl_page GROUP BY crawl');
  assert.deepEqual(
    pages,
    crawls.map(() => ({ n: PAGES })),
  );
  await booksAgree({ url: server.url });
  return { answered: stage.calls.answered, migratedMs };
}

/** Calls in turn that read and write every table that work in the background uses too. */
async function call({ site, token, apis, calls }: Stage, caller: number, signal: AbortSignal): Promise<void> {
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch((apis.at(-1 - (caller % apis.length))?.url ?? '') + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const said = await answer.text();
    if (answer.ok) calls.answered++;
    else calls.broken.push(`${method} ${path}: ${answer.status} ${said}`);
    await pause(CALL_MS, undefined, { signal }).catch(() => undefined);
    return answer.ok ? (JSON.parse(said || '{}') as { id?: string }) : {};
  };
  for (let i = 0; !signal.aborted; i++) {
    const url = new URL(site.paths[i % PAGES] ?? '', site.start).href;
    await ask('POST', '/api/crawl/scrape', { url, lane: 'http' });
    if (i % 4 === 0) await ask('POST', '/api/crawl', { url: site.start, lane: 'http', max_depth: 1000, sitemap: 'skip' });
    const { id } = await ask('POST', '/api/targets', { url });
    if (id !== undefined) {
      await ask('POST', `/api/targets/${id}/run`);
      await ask('GET', `/api/targets/${id}/changes`);
    }
    await ask('POST', '/api/account/webhooks', { url: 'https://hooks.example/', events: ['crawl.*'], enabled: false });
    await ask('GET', '/api/account/ledger');
  }
}

/** What the programs of a home wrote down as errors. */
function errorsOf(home: string): readonly string[] {
  const folder = join(home, 'cloud', 'logs');
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"level":50'));
}

/** The newest commit that knows fewer entries, checked out with the packages of this one. */
async function releaseBefore(folder: string, undo: AsyncDisposableStack): Promise<Release> {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const changes = git('log', '--format=%H', '--', ...SCHEMA).split('\n');
  git('worktree', 'add', '--detach', '--force', folder, `${changes[0]}^`);
  undo.defer(() => void git('worktree', 'remove', '--force', folder));
  for (const change of changes) {
    const commit = git('rev-parse', `${change}^`);
    execFileSync('git', ['-C', folder, 'checkout', '--quiet', '--detach', commit]);
    const count = `import(${JSON.stringify(join(folder, SCHEMA[0] ?? ''))}).then(({ MIGRATIONS }) => console.log(MIGRATIONS.length))`;
    const entries = Number(execFileSync(process.execPath, ['-e', count], { encoding: 'utf8' }));
    if (entries >= MIGRATIONS.length) continue;
    linkPackages(folder);
    return { main: join(folder, 'packages/cloud/src/main.ts'), commit, entries };
  }
  throw new Error('No commit of this history knows fewer entries of the schema.');
}

/** The packages of others are this checkout's; ours are the folder's own. */
function linkPackages(folder: string): void {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@weft'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@weft') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(folder, 'packages'))) symlinkSync(join(folder, 'packages', name), join(to, '@weft', name));
}

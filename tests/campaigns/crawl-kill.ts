// Ends an agent at random moments of a crawl, by SIGKILL and by SIGTERM, until the crawl is done; the site's own log is the truth.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const roundsInTests = 2;

const PAGES = 2000;
/** A life ends at most so long after the agent listens. */
const LIFE_MS_MAX = 2500;
const IN_FLIGHT_MAX = 8;

/** What the campaign has seen so far. */
interface Tally {
  kills: number;
  crawls: number;
  repeated: number;
}

/** One round is one life of the agent that is ended early. A crawl that was ended is expected to go on by itself at the next start. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const tally: Tally = { kills: 0, crawls: 0, repeated: 0 };
  while (tally.kills < rounds) {
    await crawlThroughKills(rounds, random, tally);
    log(`${tally.kills} kills, ${tally.crawls} crawls of ${PAGES} pages: 0 lost, 0 doubled, ${tally.repeated} requests repeated`);
  }
}

async function crawlThroughKills(rounds: number, random: () => number, tally: Tally): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-crawl-kill-'));
  const site = await startGeneratedSite(PAGES);
  const mayRepeat = new Map<string, number>();
  const formats = random() < 0.5 ? [] : ['markdown'];
  try {
    let id: number | undefined;
    for (;;) {
      await using program = await startProgram({ home });
      const token = await program.ready();
      id ??= await startCrawl(program, token, { url: site.start, formats, max_depth: 1000, max_concurrency: IN_FLIGHT_MAX });
      const isLast = tally.kills >= rounds;
      const isDone = await waitForEnd(program, token, id, isLast ? undefined : random() * LIFE_MS_MAX);
      if (isDone) break;
      await end(program, random() < 0.7 ? 'SIGKILL' : 'SIGTERM');
      tally.kills++;
      noteUnsettled(home, id, site, mayRepeat);
    }
    checkCrawl(home, id, site, mayRepeat, tally);
    tally.crawls++;
  } finally {
    await site.close();
    rmSync(home, { recursive: true });
  }
}

async function startCrawl(program: Program, token: string, options: object): Promise<number> {
  const response = await call(program, token, '/v1/crawl', { method: 'POST', body: JSON.stringify({ ...options, sitemap: 'skip' }) });
  assert.equal(response.status, 202, await response.clone().text());
  return ((await response.json()) as { id: number }).id;
}

/** Whether the crawl ended within `lifeMs`; its event stream ends with it. */
async function waitForEnd(program: Program, token: string, id: number, lifeMs: number | undefined): Promise<boolean> {
  const signal = lifeMs === undefined ? undefined : AbortSignal.timeout(Math.ceil(lifeMs));
  try {
    const response = await call(program, token, `/v1/runs/${id}/events`, signal ? { signal } : {});
    return (await response.text()).includes('"type":"finished"');
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

function call(program: Program, token: string, path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${program.baseUrl}${path}`, { ...init, headers });
}

async function end(program: Program, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  program.process.kill(signal);
  const { code, stderr } = await program.exit;
  assert.equal(code, signal === 'SIGKILL' ? null : 0, `${signal}: ${stderr}`);
}

/** Pages that the site has answered and that no transaction settled: they may be asked for once more, others may not. */
function noteUnsettled(home: string, id: number, site: GeneratedSite, mayRepeat: Map<string, number>): void {
  using database = open(home);
  checkRows(database.sql);
  const settled = new Set(
    (database.sql.prepare(`SELECT url FROM crawl_url WHERE run_id = ? AND state <> 'pending'`).all(id) as { url: string }[]).map(
      ({ url }) => new URL(url).pathname,
    ),
  );
  const unsettled = new Set(site.requests.filter((path) => path !== '/robots.txt' && !settled.has(path)));
  // A page that was asked for in an earlier life and not in this one is still unsettled, and was counted then.
  const isNew = (path: string) => site.requests.filter((asked) => asked === path).length > (mayRepeat.get(path) ?? 0);
  const inFlight = [...unsettled].filter(isNew);
  // The first page has two addresses: one that leads to it, and its own.
  const pages = new Set(inFlight.map((path) => (path === '/go/start' ? '/site/' : path)));
  assert.ok(pages.size <= IN_FLIGHT_MAX, `${pages.size} pages in flight at one kill`);
  for (const path of inFlight) mayRepeat.set(path, (mayRepeat.get(path) ?? 0) + 1);
}

/** Queries that must find nothing, whenever an agent was ended. */
const WRONG_ROWS: Readonly<Record<string, string>> = {
  'a ledger that does not add up': `SELECT crawl.run_id FROM crawl JOIN crawl_url USING (run_id) GROUP BY run_id
    HAVING discovered <> count(*) OR pending <> sum(state = 'pending') OR fetched <> sum(state = 'fetched') OR reused <> sum(state = 'reused')
      OR failed <> sum(state = 'failed') OR skipped <> sum(state = 'skipped')`,
  'a page without exactly one record': `SELECT url, count(record.id) AS n FROM crawl_url LEFT JOIN record ON record.run_id = crawl_url.run_id AND record.key = ifnull(final_url, url)
    WHERE state = 'fetched' GROUP BY crawl_url.id HAVING n <> 1`,
  'a record without its page': `SELECT key FROM record WHERE NOT EXISTS (SELECT 1 FROM crawl_url WHERE crawl_url.run_id = record.run_id AND state = 'fetched' AND ifnull(final_url, url) = record.key)`,
  'rows that the run does not count': `SELECT run.id FROM run JOIN record ON record.run_id = run.id GROUP BY run.id HAVING rows_extracted <> count(record.id)`,
};

/** Throws when a database holds rows that no series of whole transactions could have left. */
export function checkRows(sql: DatabaseSync): void {
  assert.deepEqual({ ...sql.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  for (const [what, query] of Object.entries(WRONG_ROWS)) assert.deepEqual(sql.prepare(query).all(), [], what);
}

function checkCrawl(home: string, id: number, site: GeneratedSite, mayRepeat: ReadonlyMap<string, number>, tally: Tally): void {
  using database = open(home);
  checkRows(database.sql);
  const { status } = database.sql.prepare('SELECT status FROM run WHERE id = ?').get(id) as { status: string };
  assert.equal(status, 'succeeded');
  const keys = (database.sql.prepare('SELECT key FROM record WHERE run_id = ?').all(id) as { key: string }[]).map(({ key }) => key);
  const kept = new Set(keys.map((key) => new URL(key).pathname));
  const lost = site.paths.filter((path) => !kept.has(path));
  const why = database.sql.prepare('SELECT state, reason, rule, count(*) AS n FROM crawl_url WHERE run_id = ? GROUP BY 1, 2').all(id);
  assert.equal(lost.length, 0, `${lost.length} pages lost, such as ${lost[0]}: ${JSON.stringify(why)}`);
  assert.equal(keys.length, site.paths.length);
  const asked = new Map<string, number>();
  for (const path of site.requests) asked.set(path, (asked.get(path) ?? 0) + 1);
  for (const [path, times] of asked) {
    if (path === '/robots.txt') continue;
    assert.ok(!path.startsWith('/site/private/'), `${path} is forbidden`);
    // The first page is asked for through the address that leads to it.
    const more = times - 1 - (path === '/site/' ? (mayRepeat.get('/go/start') ?? 0) : 0);
    assert.ok(more <= (mayRepeat.get(path) ?? 0), `${path} was asked for ${times} times`);
    tally.repeated += Math.max(0, more);
  }
}

function open(home: string) {
  const sql = new DatabaseSync(join(home, 'weft.db'), { timeout: 5000 });
  return { sql, [Symbol.dispose]: () => sql.close() };
}

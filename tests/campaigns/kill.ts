// Kills an agent with SIGKILL while a client works with it, starts it again, and looks for everything that it had acknowledged (F1, F2).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { liveRuns, openForReading, refuseHalfRows } from '../conformance/half-rows.ts';
import type { Program } from '../conformance/program.ts';
import { startProgram } from '../conformance/program.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

export const roundsInTests = 3;

const CLIENTS = 4;
/** The agent lives this long at most after its first acknowledgement. */
const LIFE_MS_MAX = 3000;
const PAGES = 6;

/** What the client was told, over all rounds. */
interface Acknowledged {
  readonly keys: Set<string>;
  /** Ids of crawls that were dispatched. */
  readonly crawls: Set<number>;
  /** Ids of crawls that were answered as succeeded, with the pages that the answer held. */
  readonly succeeded: Map<number, number>;
}

/** One round is one life of the agent: start, check what earlier lives acknowledged, work, SIGKILL. A last life checks the whole. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-kill-'));
  await using site = await startSite();
  const acknowledged: Acknowledged = { keys: new Set(), crawls: new Set(), succeeded: new Map() };
  try {
    for (let round = 1; round <= rounds; round++) {
      await using program = await startProgram({ home });
      const token = await program.ready();
      checkRows(home, acknowledged);
      await workUntilKilled({ program, token, site: site.url, acknowledged, random });
      if (round % 10 === 0 || round === rounds) log(summaryOf(round, acknowledged));
    }
    await using last = await startProgram({ home });
    const token = await last.ready();
    await settleAll(last, token);
    checkRows(home, acknowledged);
    last.process.kill('SIGTERM');
    assert.equal((await last.exit).code, 0);
    log(`after the last start: every crawl is settled, ${summaryOf(rounds, acknowledged)}, nothing lost, nothing half`);
  } finally {
    rmSync(home, { recursive: true });
  }
}

interface Work {
  readonly program: Program;
  readonly token: string;
  readonly site: string;
  readonly acknowledged: Acknowledged;
  readonly random: () => number;
}

/** Clients work until the program is gone; what it answered before that is written down as it comes. */
async function workUntilKilled(work: Work): Promise<void> {
  const started = Promise.withResolvers<void>();
  const isOver = { value: false };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (!isOver.value) {
      if (!(await workOnce(work, client))) break;
      started.resolve();
    }
    started.resolve();
  });
  await started.promise;
  await new Promise((resolve) => setTimeout(resolve, work.random() * LIFE_MS_MAX));
  work.program.process.kill('SIGKILL');
  isOver.value = true;
  await Promise.all(clients);
  assert.equal((await work.program.exit).code, null, 'the signal ended it');
}

/** One call; false once the agent does not answer. Calls of one client alternate between kinds. */
async function workOnce({ program, token, site, acknowledged, random }: Work, client: number): Promise<boolean> {
  const kind = (client + Math.floor(random() * 3)) % 3;
  try {
    if (kind === 0) {
      const { id } = await post<{ id: string }>(program, token, '/v1/keys', { name: 'of a round', scopes: 'read' });
      acknowledged.keys.add(id);
      return true;
    }
    const options = kind === 1 ? { limit: 1, wait: true } : { limit: PAGES, wait: random() < 0.5, delay_ms: 0 };
    const crawl = await post<AnsweredCrawl>(program, token, '/v1/crawl', { url: `${site}${Math.floor(random() * PAGES)}`, ...options });
    acknowledged.crawls.add(crawl.id);
    if (crawl.status === 'succeeded') acknowledged.succeeded.set(crawl.id, crawl.data.length);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  }
}

interface AnsweredCrawl {
  readonly id: number;
  readonly status: string;
  readonly data: readonly unknown[];
}

async function post<T>(program: Program, token: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${program.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Waits for every run through its event stream, whose end is the end of the run. */
async function settleAll(program: Program, token: string): Promise<void> {
  for (const id of liveRuns(program.home)) {
    const response = await fetch(`${program.baseUrl}/v1/runs/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    assert.match(await response.text(), /"type":"finished"/);
  }
  assert.deepEqual(liveRuns(program.home), []);
}

function checkRows(home: string, acknowledged: Acknowledged): void {
  using database = openForReading(home);
  // One transaction sees one moment, although the agent works on.
  database.sql.exec('BEGIN');
  refuseHalfRows(database.sql);
  const has = (query: string, id: string | number) => database.sql.prepare(query).get(id) !== undefined;
  for (const id of acknowledged.keys) assert.ok(has('SELECT 1 FROM api_key WHERE id = ?', id), `key ${id} is lost`);
  for (const id of acknowledged.crawls) assert.ok(has('SELECT 1 FROM crawl WHERE run_id = ?', id), `crawl ${id} is lost`);
  for (const [id, pages] of acknowledged.succeeded) {
    assert.ok(has(`SELECT 1 FROM run WHERE id = ? AND status = 'succeeded'`, id), `crawl ${id} is no longer succeeded`);
    const { n } = database.sql.prepare('SELECT count(*) AS n FROM record WHERE run_id = ?').get(id) as { n: number };
    assert.equal(n, pages, `records of crawl ${id}`);
  }
}

function summaryOf(round: number, { keys, crawls, succeeded }: Acknowledged): string {
  return `${round} kills, ${keys.size} keys, ${crawls.size} crawls and ${succeeded.size} results acknowledged`;
}

/** Pages that link to each other. */
async function startSite() {
  const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">Page ${i}</a>`).join(' ');
  return await serveOnLoopback((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${request.url}</title><p>This is ${request.url}.</p>${links}`);
  });
}

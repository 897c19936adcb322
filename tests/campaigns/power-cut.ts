// Cuts the power of an agent in the middle of a crawl: what no fsync covered is lost in any way, and the next agent must go on alone (F3).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { checkLoss, readFacts } from '../conformance/database-facts.ts';
import type { Facts } from '../conformance/database-facts.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { cutPower, generationOf, isCheckpointing } from '../conformance/power.ts';
import type { PowerCut, SyncedText } from '../conformance/power.ts';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';

export const roundsInTests = 1;

const PAGES = 1500;
/** The power goes at most so long after the crawl was acknowledged. */
const LIFE_MS_MAX = 4000;
/** Between two things that a client makes durable; each is an fsync that everything before it shares. */
const PAUSE_MS_MAX = 1500;
/** This share of the cuts comes in the middle of a checkpoint, if there is one in this time. */
const CHECKPOINT_SHARE = 0.3;
const CHECKPOINT_MS_MAX = 6000;

/** One life of an agent, and what it acknowledged before the power went. */
interface Life {
  readonly home: string;
  readonly site: GeneratedSite;
  readonly random: () => number;
  readonly acknowledged: SyncedText[];
}

interface Tally {
  readonly damages: Record<PowerCut['damage'], number>;
  checkpoints: number;
  acknowledged: number;
  lostBytes: number;
  lostPages: number;
}

/** One round is one power cut: an agent crawls, the power goes, its files are damaged, and another agent ends the crawl. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const tally: Tally = { damages: { cut: 0, torn: 0, scattered: 0 }, checkpoints: 0, acknowledged: 0, lostBytes: 0, lostPages: 0 };
  for (let round = 1; round <= rounds; round++) {
    await crawlThroughCut(random, tally);
    if (round % 10 === 0 || round === rounds) log(summaryOf(round, tally));
  }
}

async function crawlThroughCut(random: () => number, tally: Tally): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'weft-power-'));
  const site = await startGeneratedSite(PAGES);
  const life: Life = { home, site, random, acknowledged: [] };
  const path = join(home, 'weft.db');
  try {
    const { crawl, old } = await workUntilCut(life, path);
    const before = readFacts(path);
    // What an earlier write put there may be lost as well, as long as no fsync came between.
    const cut = cutPower(path, life.acknowledged, random() < 0.5 ? old : Buffer.alloc(0), random);
    const after = readFacts(path);
    checkLoss(before, after);
    for (const { text } of life.acknowledged) assert.ok(after.has(text), `${text} was acknowledged and is lost`);
    const asked = site.requests.length;
    await finishCrawl(home, crawl);
    checkEnd(readFacts(path), site);
    checkRepeats(site.requests.slice(asked), after);
    note(tally, cut, life, before.pages.size - after.pages.size);
  } finally {
    await site.close();
    rmSync(home, { recursive: true });
  }
}

/** Crawls and makes things durable until the agent ends at a random moment; answers the crawl, and the WAL of some time before. */
async function workUntilCut({ home, site, random, acknowledged }: Life, path: string): Promise<{ crawl: number; old: Buffer }> {
  await using program = await startProgram({ home });
  const call = caller(program, await program.ready());
  const acknowledge = (text: string) => void acknowledged.push({ text, generation: generationOf(path) });
  const options = { url: site.start, formats: random() < 0.5 ? [] : ['markdown'], max_depth: 1000, max_concurrency: 8, sitemap: 'skip' };
  const { id } = (await (await call('/v1/crawl', JSON.stringify(options))).json()) as { id: number };
  acknowledge(site.start);
  const over = new AbortController();
  const client = makeDurable(call, acknowledge, random() * PAUSE_MS_MAX, over.signal);
  // A client that is refused ends the round.
  const old = await Promise.race([waitForMoment(path, random), client.then(() => Buffer.alloc(0))]);
  program.process.kill('SIGKILL');
  over.abort();
  await Promise.all([client, program.exit]);
  return { crawl: id, old };
}

type Call = (path: string, body?: string | FormData, headers?: Readonly<Record<string, string>>) => Promise<Response>;

/** Throws for what the agent refuses. */
function caller(program: Program, token: string): Call {
  return async (path, body, headers) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const init = {
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      ...(body === undefined ? {} : { method: 'POST', body }),
    };
    const response = await fetch(`${program.baseUrl}${path}`, init);
    assert.ok(response.ok, `${path} answered ${response.status}: ${response.ok ? '' : await response.text()}`);
    return response;
  };
}

/** A client that mints keys and uploads files until the agent is gone. */
async function makeDurable(call: Call, acknowledge: (text: string) => void, pauseMs: number, over: AbortSignal): Promise<void> {
  try {
    for (let number = 0; !over.aborted; number++) {
      const key = `attempt-${number}-of-a-client`;
      await (await call('/v1/keys', JSON.stringify({ name: key, scopes: 'read' }), { 'idempotency-key': key })).json();
      acknowledge(key);
      const form = new FormData();
      const name = `upload-${number}.txt`;
      form.append('file', new Blob([contentOf(name)], { type: 'text/plain' }), name);
      const { id } = (await (await call('/v1/files', form)).json()) as { id: string };
      acknowledge(id);
      await sleep(pauseMs, undefined, { signal: over });
    }
  } catch (error) {
    if (!over.aborted || error instanceof assert.AssertionError) throw error;
  }
}

function contentOf(name: string): string {
  return `What ${name} holds. `.repeat(200);
}

/** Resolves when the power shall go, with the WAL of some time before. */
async function waitForMoment(path: string, random: () => number): Promise<Buffer> {
  const lifeMs = random() * LIFE_MS_MAX;
  const oldMs = lifeMs * random();
  const isAtCheckpoint = random() < CHECKPOINT_SHARE;
  await sleep(oldMs);
  const old = readFileSync(`${path}-wal`);
  await (isAtCheckpoint ? waitForCheckpoint(path) : sleep(lifeMs - oldMs));
  return old;
}

/** A small crawl may end without one. */
async function waitForCheckpoint(path: string): Promise<void> {
  const endMs = Date.now() + CHECKPOINT_MS_MAX;
  while (Date.now() < endMs && !isCheckpointing(path)) await sleep(1);
}

/** Starts another agent on what is left, waits for the end of the crawl, and reads every file. */
async function finishCrawl(home: string, crawl: number): Promise<void> {
  await using program = await startProgram({ home });
  const call = caller(program, await program.ready());
  assert.match(await (await call(`/v1/runs/${crawl}/events`)).text(), /"type":"finished"/);
  const { data } = (await (await call('/v1/files')).json()) as { data: { id: string; name: string }[] };
  for (const { id, name } of data) assert.equal(await (await call(`/v1/files/${id}/content`)).text(), contentOf(name), name);
  program.process.kill('SIGTERM');
  const { code, stderr } = await program.exit;
  assert.equal(code, 0, stderr);
}

function checkEnd(end: Facts, site: GeneratedSite): void {
  assert.deepEqual(end.statuses, ['succeeded']);
  assert.equal(end.records, site.paths.length);
  const missing = site.paths.filter((path) => !end.pages.has(path));
  assert.deepEqual(missing, []);
}

/** Whatever is settled after the cut is not asked for again, and nothing else twice. */
function checkRepeats(asked: readonly string[], after: Facts): void {
  // The first page has two addresses: one that leads to it, and its own.
  const pages = asked.filter((path) => path !== '/robots.txt' && path !== '/go/start');
  const again = pages.filter((path) => after.settled.has(path));
  assert.deepEqual(again, [], 'settled pages that were asked for again');
  assert.equal(new Set(pages).size, pages.length, 'a page was asked for twice after the cut');
}

function note(tally: Tally, cut: PowerCut, { acknowledged }: Life, lostPages: number): void {
  tally.damages[cut.damage]++;
  tally.checkpoints += cut.tornPages > 0 ? 1 : 0;
  tally.acknowledged += acknowledged.length;
  tally.lostBytes += cut.walBytes - cut.syncedBytes;
  tally.lostPages += lostPages;
}

function summaryOf(round: number, { damages, checkpoints, acknowledged, lostBytes, lostPages }: Tally): string {
  const kinds = Object.entries(damages).map(([kind, count]) => `${count} ${kind}`);
  return (
    `${round} cuts (${kinds.join(', ')}; ${checkpoints} in a checkpoint), ${Math.round(lostBytes / 1e6)} MB not synced, ` +
    `${lostPages} pages lost and fetched again, ${acknowledged} things acknowledged: 0 lost, 0 pages missing, 0 doubled`
  );
}

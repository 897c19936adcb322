// Full-text search over a hundred thousand pages, through the agent beside SQLite alone; and what keeping the index costs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { createDatasetStore } from '../../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../../packages/daemon/src/datasets/writer.ts';
import type { Database } from '../../../packages/daemon/src/db/open.ts';
import { openDatabase, transaction } from '../../../packages/daemon/src/db/open.ts';
import { freePort, scratchFolder, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';

const AGENT = join(import.meta.dirname, '..', '..', '..', 'packages', 'daemon', 'src', 'main.ts');
const PAGES = 100_000;
const WORDS_PER_PAGE = 120;
const VOCABULARY = 20_000;
/** Pages of one transaction, as a crawl settles them. */
const BATCH = 16;
const COST_PAGES = 4000;
const COST_WORDS = 700;
const WARM_UP = 30;
const TURNS = 3;
const LIMIT = 10;
/** Words that most pages hold, in the vocabulary below. */
const COMMON_WORDS = 4;

interface Shape {
  readonly name: string;
  readonly queries: number;
  query(random: () => number): string;
  readonly isInOne?: true;
}

/** What is asked for; the target is for two words in all datasets. */
const SHAPES: readonly Shape[] = [
  { name: 'two words', queries: 400, query: (random) => `${wordOf(random)} ${wordOf(random)}` },
  { name: 'a rare word', queries: 200, query: (random) => rareWord(random) },
  { name: 'a rare word in one dataset', queries: 200, query: (random) => rareWord(random), isInOne: true },
  { name: 'a phrase', queries: 200, query: (random) => `"${wordOf(random)} ${wordOf(random)}"` },
  { name: 'two words of nearly all pages', queries: 40, query: (random) => `${commonWord(random)} ${commonWord(random)}` },
  { name: 'a beginning', queries: 40, query: (random) => `${rareWord(random).slice(0, 3)}*` },
];

/** Searches through HTTP and in a bare loop in turns, each with the records that it shows. */
export async function bench(): Promise<BenchRow[]> {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'weft.db');
  mkdirSync(join(scratch.path, 'backups'));
  const random = randomOf(7);
  const filled = fill(path, random);
  const costs = [indexCost(scratch.path, true), indexCost(scratch.path, false)] as const;

  const port = await freePort();
  const rate = { runtime: { per_minute: 10_000_000, burst: 1_000_000 } };
  writeFileSync(join(scratch.path, 'config.json'), JSON.stringify({ limits: { rate } }));
  const env = { ...process.env, SERVICE_HOME: scratch.path, SERVICE_PORT: String(port) };
  using agent = await startProgram([AGENT], env, `http://127.0.0.1:${port}/probe`);
  const token = readFileSync(join(scratch.path, 'token'), 'utf8').trim();
  const rows: BenchRow[] = [];
  for (const shape of SHAPES) {
    const compared = await compare(shape, { baseUrl: `http://127.0.0.1:${port}`, token, agentId: agent.process.pid ?? 0 }, path, random);
    rows.push(...rowsOf(shape, compared));
  }
  return [
    ...rows,
    { name: `keep a page of ${COST_WORDS} words`, value: costs[0], unit: 'pages/s CPU', rival: 'without its text', rivalValue: costs[1] },
    { name: `keep a page of ${WORDS_PER_PAGE} words`, value: filled, unit: 'pages/s CPU' },
  ];
}

function rowsOf({ name }: Shape, { own, rival, cpu }: Compared): BenchRow[] {
  const beside = { unit: 'ms', rival: 'node:sqlite loop', target: name === SHAPES[0]?.name ? '<= 5x' : '' } as const;
  return [
    { name: `${name}, p50`, value: quantile(own, 0.5), rivalValue: quantile(rival, 0.5), ...beside },
    { name: `${name}, p99`, value: quantile(own, 0.99), rivalValue: quantile(rival, 0.99), ...beside },
    { name: `${name}, CPU`, value: cpu[0], rivalValue: cpu[1], ...beside, target: '' },
  ];
}

/** Pages a second of CPU. */
function fill(path: string, random: () => number): number {
  const database = openDatabase({ path, backups: join(path, '..', 'backups'), nowMs: 0 });
  const rate = addPages(database, { pages: PAGES, words: WORDS_PER_PAGE, isIndexed: true }, random);
  database.close();
  return rate;
}

function indexCost(folder: string, isIndexed: boolean): number {
  const path = join(folder, `cost-${isIndexed}.db`);
  const database = openDatabase({ path, backups: join(folder, 'backups'), nowMs: 0 });
  const rate = addPages(database, { pages: COST_PAGES, words: COST_WORDS, isIndexed }, randomOf(11));
  database.close();
  return rate;
}

interface Filling {
  readonly pages: number;
  readonly words: number;
  readonly isIndexed: boolean;
}

function addPages(database: Database, { pages, words, isIndexed }: Filling, random: () => number): number {
  const store = createDatasetStore(database);
  const writer = createDatasetWriter(store);
  const dataset_id = writer.ensure({ kind: 'pages', id: null }, 'pages', 0);
  let usedMs = 0;
  for (let i = 0; i < pages; i += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, j) => pageOf(i + j, words, random));
    const before = process.cpuUsage();
    transaction(database.fast, () => {
      const records = batch.map((body) => ({ run_id: 1, key: body.url, created_at: 0, body }));
      if (isIndexed) writer.addRecords(dataset_id, records);
      else for (const record of records) store.addRecord({ ...record, dataset_id }, { title: '', body: '' });
    });
    const { user, system } = process.cpuUsage(before);
    usedMs += (user + system) / 1000;
  }
  return pages / (usedMs / 1000);
}

function pageOf(i: number, words: number, random: () => number) {
  const url = `https://site${i % 500}.test/page/${i}`;
  const markdown = Array.from({ length: words }, () => wordOf(random)).join(' ');
  return { url, title: `Page ${wordOf(random)} ${i}`, markdown, content_hash: String(i), fetched_at: '2026-01-01T00:00:00.000Z' };
}

/** Few words are frequent and many are rare, as in any language. */
function wordOf(random: () => number): string {
  return `w${Math.floor(random() ** 3 * VOCABULARY).toString(36)}`;
}

function commonWord(random: () => number): string {
  return `w${Math.floor(random() * COMMON_WORDS).toString(36)}`;
}

function rareWord(random: () => number): string {
  return `w${Math.floor((1 + 3 * random()) * (VOCABULARY / 4)).toString(36)}`;
}

interface AgentAt {
  readonly baseUrl: string;
  readonly token: string;
  readonly agentId: number;
}

interface Compared {
  /** Milliseconds of each search, the best of its turns. */
  readonly own: number[];
  readonly rival: number[];
  /** CPU milliseconds of a search on average, in the agent and in the loop. */
  readonly cpu: readonly [own: number, rival: number];
}

/** Both sides take turns at each search and the best turn counts, so that a busy machine wrongs neither. */
async function compare(shape: Shape, { baseUrl, token, agentId }: AgentAt, path: string, random: () => number): Promise<Compared> {
  const place = shape.isInOne ? '/v1/datasets/1/search' : '/v1/datasets/search';
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const bare = bareSearch(path);
  const timed = { own: [] as number[], rival: [] as number[] };
  let [rivalCpuMs, agentCpuMs] = [0, 0];
  for (let i = 0; i < shape.queries + WARM_UP; i++) {
    if (i === WARM_UP) [rivalCpuMs, agentCpuMs] = [0, cpuMilliseconds(agentId)];
    const words = shape.query(random);
    const url = `${baseUrl}${place}?q=${encodeURIComponent(words)}&limit=${LIMIT}`;
    let [own, rival] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let turn = 0; turn < TURNS; turn++) {
      const startedMs = performance.now();
      const found = await request(url, token, agent);
      const betweenMs = performance.now();
      const before = process.cpuUsage();
      const count = bare(words);
      const { user, system } = process.cpuUsage(before);
      if (found !== count) throw new Error(`"${words}": the agent found ${found}, the loop ${count}`);
      rivalCpuMs += (user + system) / 1000;
      own = Math.min(own, betweenMs - startedMs);
      rival = Math.min(rival, performance.now() - betweenMs);
    }
    if (i < WARM_UP) continue;
    timed.own.push(own);
    timed.rival.push(rival);
  }
  agent.destroy();
  const searches = shape.queries * TURNS;
  return { ...timed, cpu: [(cpuMilliseconds(agentId) - agentCpuMs) / searches, rivalCpuMs / searches] };
}

/** CPU of a process so far, all threads, in steps of ten milliseconds (proc(5), fields 14 and 15 of stat). */
function cpuMilliseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function request(url: string, token: string, agent: Agent): Promise<number> {
  const body = await new Promise<string>((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => text(response).then(resolve, reject)).on(
      'error',
      reject,
    );
  });
  return (JSON.parse(body) as { count: number }).count;
}

/** The same rows in the same order, read and parsed; nothing else. */
function bareSearch(path: string): (words: string) => number {
  const database = new DatabaseSync(path, { readOnly: true });
  const match = database.prepare(
    'SELECT rowid AS id, bm25(record_text, 10.0, 1.0) AS score FROM record_text WHERE record_text MATCH ? ORDER BY score LIMIT ?',
  );
  const find = database.prepare('SELECT body FROM record WHERE id = ?');
  return (words) =>
    match.all(words, LIMIT).map((row) => JSON.parse((find.get(Number(row['id'])) as { body: string }).body) as unknown).length;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;
}

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

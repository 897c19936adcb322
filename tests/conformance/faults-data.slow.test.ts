// A disk that fills up, a disk that is read-only from one moment on, a database that another program holds: while a crawl runs, a file is
// sent, an export is built or streamed. The agent is a process of its own, and the faults are real.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Crawl, Run } from '@weft/contract';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { openDatabase, transaction } from '../../packages/daemon/src/db/open.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { until } from '../until.ts';
import { mountJournalledDisk, whyNoDisk } from './disks.ts';
import type { Program } from './program.ts';
import { startProgram } from './program.ts';

const TIMEOUT_MS = 120_000;
/** Longer than the agent takes to try again. */
const STRUCK_MS = 3000;
const SETTLED_MS = 30_000;
const noDisk = whyNoDisk(mountJournalledDisk);

/** A home that something happens to. */
interface Ground extends Disposable {
  readonly home: string;
  strike(): void;
  /** Takes the cause away. */
  mend(): void;
}

interface Fault {
  readonly name: string;
  readonly skip: string | false;
  /** What a write is answered. */
  readonly status: number;
  readonly code: string;
  readonly says: RegExp;
  /** True where the agent must be stopped for the cause to go. */
  readonly needsStop: boolean;
  make(): Ground;
}

const FAULTS: readonly Fault[] = [
  { name: 'a disk that fills up', skip: noDisk, status: 409, code: 'device_capacity', says: /make room/, needsStop: false, make: fullDisk },
  {
    name: 'a disk that becomes read-only',
    skip: noDisk,
    status: 500,
    code: 'internal',
    says: /read-only|could not be read or written/,
    needsStop: true,
    make: brokenDisk,
  },
  {
    name: 'a database that another program holds',
    skip: false,
    status: 500,
    code: 'internal',
    says: /Another program holds the database/,
    needsStop: false,
    make: heldDatabase,
  },
];

function fullDisk(): Ground {
  const disk = mountJournalledDisk();
  return { home: disk.path, strike: disk.fill, mend: disk.free, [Symbol.dispose]: disk[Symbol.dispose] };
}

function brokenDisk(): Ground {
  const disk = mountJournalledDisk();
  return { home: disk.path, strike: disk.breakOff, mend: disk.remount, [Symbol.dispose]: disk[Symbol.dispose] };
}

function heldDatabase(): Ground {
  const home = mkdtempSync(join(tmpdir(), 'weft-held-'));
  let other: DatabaseSync | undefined;
  return {
    home,
    strike() {
      other = new DatabaseSync(join(home, 'weft.db'), { timeout: 5000 });
      other.exec('BEGIN IMMEDIATE');
    },
    mend: () => other?.close(),
    [Symbol.dispose]: () => rmSync(home, { recursive: true }),
  };
}

/** The agent on a ground, and again on it where it had to be stopped. */
async function startOn(ground: Ground, fault: Fault) {
  let program = await startProgram({ home: ground.home });
  let token = await program.ready();
  return {
    headers: () => ({ authorization: `Bearer ${token}` }),
    url: (path: string) => `${program.baseUrl}${path}`,
    async mend() {
      if (fault.needsStop) await stop(program);
      ground.mend();
      if (!fault.needsStop) return;
      program = await startProgram({ home: ground.home });
      token = await program.ready();
    },
    /** Ends the agent, which must not have been harmed. */
    async end() {
      assert.equal((await stop(program)).code, 0);
      const database = new DatabaseSync(join(ground.home, 'weft.db'), { readOnly: true });
      assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
      database.close();
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}
type Agent = Awaited<ReturnType<typeof startOn>>;

function stop(program: Program) {
  program.process.kill('SIGTERM');
  return program.exit;
}

async function get<T>(agent: Agent, path: string): Promise<T> {
  const response = await fetch(agent.url(path), { headers: agent.headers() });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as T;
}

async function post(agent: Agent, path: string, body: unknown) {
  const headers = { ...agent.headers(), 'content-type': 'application/json' };
  const response = await fetch(agent.url(path), { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Contents and drafts below the home. */
function storedIn(home: string): string[] {
  const folders = ['blobs', join('cache', 'scratch')].map((name) => join(home, name));
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    } catch {
      return [];
    }
  });
}

/** True once part of a content is on the disk. */
function isBeingWritten(home: string): boolean {
  const drafts = join(home, 'blobs', 'drafts');
  return readdirSync(drafts).some((name) => statSync(join(drafts, name)).size > 0);
}

const HALF = randomBytes(8_000_000);

/** Sends a form with one file of two halves; `between` is called when the first has been sent. */
async function upload(agent: Agent, between: () => Promise<void>) {
  const headers = { ...agent.headers(), 'content-type': 'multipart/form-data; boundary=edge' };
  const sent = request(agent.url('/v1/files'), { method: 'POST', headers });
  const answered = once(sent, 'response');
  sent.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n');
  await new Promise((resolve) => sent.write(HALF, resolve));
  await between();
  sent.end(Buffer.concat([HALF, Buffer.from('\r\n--edge--\r\n')]));
  const [response] = await answered;
  return { status: response.statusCode as number, body: (await json(response)) as { id: string; code: string; error: string } };
}

const ROWS = 20_000;

/** A home with a dataset that takes a while to export; made once, for each test to copy. */
function makeDataset() {
  const home = mkdtempSync(join(tmpdir(), 'weft-dataset-'));
  const path = join(home, 'weft.db');
  const database = openDatabase({ path, backups: home, nowMs: 0 });
  const writer = createDatasetWriter(createDatasetStore(database));
  const id = writer.ensure({ kind: 'workflow', id: 1 }, 'rows', 0);
  const rowOf = (n: number) => ({ run_id: 1, key: String(n), created_at: 0, body: { n, text: randomBytes(400).toString('hex') } });
  transaction(
    database.fast,
    () =>
      void writer.addRecords(
        id,
        Array.from({ length: ROWS }, (_, n) => rowOf(n)),
      ),
  );
  database.close();
  return {
    id,
    copyTo: (other: string) => copyFileSync(path, join(other, 'weft.db')),
    [Symbol.dispose]: () => rmSync(home, { recursive: true }),
  };
}

let dataset: ReturnType<typeof makeDataset>;
before(() => void (dataset = makeDataset()));
after(() => dataset[Symbol.dispose]());

for (const fault of FAULTS)
  suite(`${fault.name}`, { skip: fault.skip, timeout: TIMEOUT_MS }, () => {
    const assertRefused = ({ status, body }: { readonly status: number; readonly body: Readonly<Record<string, unknown>> }) => {
      assert.deepEqual([status, body['code']], [fault.status, fault.code], JSON.stringify(body));
      assert.match(String(body['error']), fault.says);
    };

    test('while a file is sent is told to its sender, leaves nothing of it, and the next one is kept', async () => {
      using ground = fault.make();
      await using agent = await startOn(ground, fault);
      assertRefused(
        await upload(agent, async () => {
          await until(() => isBeingWritten(ground.home));
          ground.strike();
        }),
      );
      if (!fault.needsStop) assert.deepEqual(storedIn(ground.home), []);
      await agent.mend();
      assert.deepEqual([storedIn(ground.home), (await get<{ count: number }>(agent, '/v1/files')).count], [[], 0]);
      const { status, body } = await upload(agent, async () => undefined);
      assert.equal(status, 201, JSON.stringify(body));
      const content = await fetch(agent.url(`/v1/files/${body.id}/content`), { headers: agent.headers() });
      assert.ok(Buffer.from(await content.arrayBuffer()).equals(Buffer.concat([HALF, HALF])));
      await agent.end();
    });

    test('while a workbook is built from a dataset is told to who asked, leaves nothing of it, and works the next time', async () => {
      using ground = fault.make();
      dataset.copyTo(ground.home);
      await using agent = await startOn(ground, fault);
      const asked = post(agent, '/v1/files/from-data', { dataset_id: dataset.id, format: 'xlsx' });
      await until(() => isBeingWritten(ground.home));
      ground.strike();
      assertRefused(await asked);
      if (!fault.needsStop) assert.deepEqual(storedIn(ground.home), []);
      await agent.mend();
      assert.deepEqual([storedIn(ground.home), (await get<{ count: number }>(agent, '/v1/files')).count], [[], 0]);
      const again = await post(agent, '/v1/files/from-data', { dataset_id: dataset.id, format: 'xlsx' });
      assert.equal(again.status, 201, JSON.stringify(again.body));
      assert.equal(storedIn(ground.home).length, 1);
      await agent.end();
    });

    test('while a dataset is streamed leaves the export whole', async () => {
      using ground = fault.make();
      dataset.copyTo(ground.home);
      await using agent = await startOn(ground, fault);
      const response = await fetch(agent.url(`/v1/datasets/${dataset.id}/export?format=csv`), { headers: agent.headers() });
      let text = '';
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        if (text === '') ground.strike();
        text += decoder.decode(piece, { stream: true });
      }
      const lines = text.trimEnd().split('\r\n');
      assert.deepEqual([lines[0], lines.length, lines.at(-1)?.split(',')[0]], ['n,text', ROWS + 1, String(ROWS - 1)]);
      // One that begins now is whole too: reading needs no place.
      const late = await fetch(agent.url(`/v1/datasets/${dataset.id}/export?format=json`), { headers: agent.headers() });
      assert.equal(((await late.json()) as unknown[]).length, ROWS);
      await agent.mend();
      await agent.end();
    });

    test('while a crawl runs holds it up, and no longer: no page is lost, doubled or asked for twice', async () => {
      using ground = fault.make();
      let isStruck = false;
      const pages = Array.from({ length: 300 }, (_, i) => `/site/${i}`);
      const own = (path: string) => `<title>${path}</title><p>The page ${path} says what no other page says. ${'Words. '.repeat(500)}</p>`;
      const site = await startSite((path) => {
        if (path === '/site/100' && !isStruck) {
          isStruck = true;
          ground.strike();
        }
        if (path === '/site/') return own(path) + pages.map((href) => `<a href="${href}">${href}</a>`).join('');
        return pages.includes(path) ? own(path) : undefined;
      });
      try {
        await using agent = await startOn(ground, fault);
        const url = `${site.origin}/site/`;
        const { id } = (await post(agent, '/v1/crawl', { url, sitemap: 'skip', max_concurrency: 8 })).body as unknown as Run;
        await until(() => isStruck);
        // Only time tells that the agent has tried to write in vain.
        await sleep(STRUCK_MS);
        const asked = site.requests.length;
        assert.ok(asked < pages.length, `all ${asked} pages were asked for, although none could be kept`);
        await agent.mend();
        const { status, counts } = await settled(agent, id);
        assert.deepEqual([status, counts.fetched, counts.failed, counts.pending], ['succeeded', 301, 0, 0]);
        const { discovered, pending, fetched, reused, failed, skipped } = counts;
        assert.equal(discovered, pending + fetched + reused + failed + skipped);
        const kept = await urlsOf(agent, id);
        assert.deepEqual([kept.length, new Set(kept).size], [301, 301]);
        const visits = site.requests.filter((path) => path.startsWith('/site/'));
        // A start from what had reached the disk asks again for what had not.
        if (!fault.needsStop) assert.equal(visits.length, 301);
        const again = await post(agent, '/v1/crawl', { url, sitemap: 'skip', max_concurrency: 8, wait: true, timeout: 600 });
        assert.equal((again.body as unknown as Crawl).counts.fetched, 301);
        await agent.end();
      } finally {
        await site.close();
      }
    });
  });

async function settled(agent: Agent, id: number): Promise<Crawl> {
  for (const lastMs = performance.now() + SETTLED_MS; ;) {
    const crawl = await get<Crawl>(agent, `/v1/crawl/${id}?limit=1`);
    if (crawl.status !== 'running' && crawl.status !== 'queued') return crawl;
    if (performance.now() > lastMs) throw new Error(`crawl ${id} has not ended: ${JSON.stringify(crawl)}`);
    await sleep(100);
  }
}

async function urlsOf(agent: Agent, id: number): Promise<string[]> {
  const urls: string[] = [];
  for (let cursor = ''; ;) {
    const page = await get<Crawl>(agent, `/v1/crawl/${id}?limit=200${cursor}`);
    urls.push(...page.data.map(({ url }) => url));
    if (page.next_cursor === undefined) return urls;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

// Crawls of pages of random sizes, read by many at once, of whom some stop in the middle of an answer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import type { RemoteAgent } from './asking.ts';
import { ask, askHead, askJson } from './asking.ts';

const PAGE_BYTES_MIN = 1000;
const PAGE_BYTES_MAX = 13_000_000;
const PAGES_MAX = 12;
const READERS_MAX = 24;

export interface SizesSeen {
  readonly bytes: number;
  readonly readers: number;
  readonly stopped: number;
}

/** Crawls so many sites of its own and reads each in every way; throws where an answer has no status, is cut, or leaves pages out. */
export async function attackBySizes(agent: RemoteAgent, random: () => number, crawls: number): Promise<SizesSeen> {
  const sum = { bytes: 0, readers: 0, stopped: 0 };
  for (let i = 0; i < crawls; i++) {
    const seen = await attackOnce(agent, random);
    for (const name of ['bytes', 'readers', 'stopped'] as const) sum[name] += seen[name];
  }
  return sum;
}

async function attackOnce(agent: RemoteAgent, random: () => number): Promise<SizesSeen> {
  const sizes = Array.from({ length: 1 + Math.floor(random() * PAGES_MAX) }, () => randomSize(random));
  await using site = await serveOnLoopback(({ url: path = '/' }, response) => {
    const links = sizes.map((_, i) => `<a href="/${i}">page ${i}</a>`).join('');
    const isKnown = path === '/' || sizes[Number(path.slice(1))] !== undefined;
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/html' });
    response.end(
      `<title>${path}</title><main>${links}<p>${path} ${'x'.repeat(path === '/' ? 1 : (sizes[Number(path.slice(1))] ?? 1))}</p></main>`,
    );
  });
  const { id, dataset_id } = await crawl(agent, site.url);
  const paths = [`/v1/crawl/${id}`, `/v1/datasets/${dataset_id}/records`, `/v1/datasets/${dataset_id}/export?format=json`];
  const readers = Array.from({ length: 1 + Math.floor(random() * READERS_MAX) }, () => ({
    path: paths[Math.floor(random() * paths.length)] ?? '',
    // Of those who stop, some do before the first byte, most within the first megabytes.
    stopAtBytes: random() < 0.5 ? Math.floor(random() ** 2 * PAGE_BYTES_MAX) : undefined,
  }));
  const held: IncomingMessage[] = [];
  await Promise.all(
    readers.map(async ({ path, stopAtBytes }) => {
      if (stopAtBytes === undefined) await readWhole(agent, path, sizes.length + 1);
      else held.push(await readUntil(agent, path, stopAtBytes));
    }),
  );
  for (const answer of held) answer.destroy();
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), readers: readers.length, stopped: held.length };
}

/** As many of each order of magnitude as large ones. */
function randomSize(random: () => number): number {
  const isAnyOrder = random() < 0.5;
  const share = random();
  return Math.round(
    isAnyOrder ? PAGE_BYTES_MIN * (PAGE_BYTES_MAX / PAGE_BYTES_MIN) ** share : PAGE_BYTES_MIN + (PAGE_BYTES_MAX - PAGE_BYTES_MIN) * share,
  );
}

/** Waited for, because the answer to a wait carries records as well. */
async function crawl(agent: RemoteAgent, url: string) {
  const body = { url, formats: ['raw_html'], limit: PAGES_MAX + 1, sitemap: 'skip', wait: true };
  const { id } = await askJson<{ id: number }>(agent, { path: '/v1/crawl', body });
  const run = await askJson<{ id: number; status: string; dataset_id: number }>(agent, { path: `/v1/runs/${id}` });
  assert.equal(run.status, 'succeeded');
  return run;
}

/** Reads an answer and whatever it says comes next, until `records` were seen. */
async function readWhole(agent: RemoteAgent, first: string, records: number): Promise<void> {
  let seen = 0;
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, text, link } = await ask(agent, { path });
    assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
    const answer = JSON.parse(text) as { readonly data?: readonly unknown[] } | readonly unknown[];
    seen += 'data' in answer ? (answer.data?.length ?? 0) : (answer as readonly unknown[]).length;
    path = link;
  }
  assert.equal(seen, records, first);
}

/** Reads so many bytes and then no more, with the connection open; throws where it ends without a status. */
async function readUntil(agent: RemoteAgent, path: string, bytes: number): Promise<IncomingMessage> {
  const answer = await askHead(agent, { path });
  assert.ok([200, 429].includes(answer.statusCode ?? 0), `${answer.statusCode} for ${path}`);
  // The agent may cut off who reads nothing for long.
  answer.on('error', () => undefined);
  const ended = once(answer, 'close').then(() => true);
  let read = 0;
  await new Promise<void>((stopped) => {
    answer.on('data', (piece: Buffer) => {
      if ((read += piece.length) < bytes) return;
      answer.pause();
      stopped();
    });
    void ended.then(() => stopped());
  });
  return answer;
}

// A crawl in turns: each ends between two requests, the next goes on, and together they are one crawl.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlPorts } from '../../packages/engine/src/crawl/crawl-ports.ts';
import { chapterSite } from '../sites/chapters.ts';
import { JumpingClock, crawl } from './crawl-harness.ts';
import type { CrawlRunResult } from './crawl-harness.ts';
import { CrawlTables } from '../../packages/engine/src/crawl/memory-frontier.ts';

const PAGES = 60;

/** One turn, which is over once `settled` more addresses are. */
async function turn(seed: string, tables: CrawlTables<string>, settled: number, ports: Pick<Partial<CrawlPorts<string>>, 'turn'> = {}) {
  const over = new AbortController();
  let first: number | undefined;
  const onProgress: CrawlPorts<string>['onProgress'] = ({ discovered, pending }) => {
    first ??= discovered - pending;
    if (discovered - pending - first >= settled) over.abort();
  };
  const turnOf = { over: over.signal, sinceBeginMs: 0, ...ports.turn };
  return await crawl(seed, { sitemap: 'include', limit: 1000, maxDepth: 1000 }, { tables, onProgress, ...ports, turn: turnOf });
}

test('turns that drain are one crawl: every page once, no request twice, the sitemap read once', async () => {
  await using site = await chapterSite(PAGES);
  const tables = new CrawlTables<string>();
  const ends: string[] = [];
  let last: CrawlRunResult;
  do {
    last = await turn(site.start, tables, 12);
    ends.push(last.outcome.end);
  } while (last.outcome.end === 'turn');
  assert.ok(ends.length > 3, ends.join(' '));
  assert.equal(last.outcome.end, 'complete');
  assert.deepEqual([last.outcome.counts.fetched, last.outcome.counts.pending], [PAGES + 1, 0]);
  const pages = site.requests.filter((path) => path !== '/robots.txt');
  assert.equal(new Set(pages).size, pages.length, pages.join(' '));
  assert.equal(pages.filter((path) => path === '/sitemap.xml').length, 1);
});

test('a turn that is over before it begins asks nothing', async () => {
  await using site = await chapterSite(3);
  const { outcome, asked } = await crawl(site.start, {}, { turn: { over: AbortSignal.abort(), sinceBeginMs: 0 } });
  assert.deepEqual([outcome.end, outcome.counts.pending, asked.length], ['turn', 1, 0]);
});

test('whoever waits for a slow host leaves its line when the turn is over', async () => {
  await using site = await chapterSite(10);
  const tables = new CrawlTables<string>();
  const over = new AbortController();
  const clock = new (class extends JumpingClock {
    /** Nobody lives to see the next hour. */
    override async sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
      if (atMs - this.steadyMs() < 3_000_000) return await super.sleepUntil(atMs, signal);
      over.abort();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    }
  })();
  const { outcome } = await crawl(site.start, { delayMs: 3_600_000 }, { clock, tables, turn: { over: over.signal, sinceBeginMs: 0 } });
  assert.equal(outcome.end, 'turn');
  assert.ok(outcome.counts.pending > 0);
});

test('a share grows in blocks, and a crawl ends its turn with what there was', async () => {
  await using site = await chapterSite(PAGES);
  let pages = 0;
  const grown: number[] = [];
  const share = {
    pages: () => pages,
    async grow() {
      if (pages >= 30) return false;
      pages = Math.min(30, pages + 7);
      grown.push(pages);
      return true;
    },
  };
  const { outcome } = await turn(site.start, new CrawlTables<string>(), Infinity, {
    turn: { over: new AbortController().signal, sinceBeginMs: 0, share },
  });
  assert.deepEqual([outcome.end, outcome.counts.fetched, grown], ['share', 30, [7, 14, 21, 28, 30]]);
  assert.ok(outcome.counts.pending > 0, 'nothing was closed');
});

// Crawls as tools of the Model Context Protocol (D47): started and read; who waits for one is told how far it is.
import { setTimeout as pause } from 'node:timers/promises';
import { CLOUD_TABLE, LIMITS, StartCloudCrawl } from '@weft/contract';
import type { McpProgress } from '@weft/serve';
import { z } from 'zod';
import { tool } from '../mcp/tool.ts';
import type { Tool } from '../mcp/tool.ts';
import type { Crawls } from './crawl.ts';

const WAIT_SECONDS_MAX = 300;
const LOOK_MS = 250;

const waitSeconds = z.int().min(0).max(WAIT_SECONDS_MAX).optional();
const CloudCrawl = CLOUD_TABLE.crawls.read.replies[200].content['application/json'];

const CrawlStart = z.strictObject({
  ...StartCloudCrawl.shape,
  wait_seconds: waitSeconds.describe(
    'How long to wait for its end; 0 unless said. A call that is cancelled while it waits cancels the crawl.',
  ),
});
const CrawlStatus = z.strictObject({
  id: z.string().regex(/^crl_[A-Za-z0-9_-]{22}$/, 'must be the id of a crawl, `crl_...`'),
  limit: z.int().min(1).max(LIMITS.listLimitMax).optional().describe('Pages at most; 10 unless said.'),
  cursor: z.string().max(200).optional().describe('`next_cursor` of the answer before.'),
  wait_seconds: waitSeconds.describe('How long to wait for its end; 0 unless said.'),
  cancel: z.literal(true).optional().describe('Ends the crawl; what was read stays.'),
});
const PAGES = 10;

/** The tools over `crawls`; `onStarted` is called once a crawl waits for a worker. */
export function crawlTools(crawls: Crawls, onStarted: () => void): Readonly<Record<string, Tool<z.ZodType>>> {
  /** Waits until the crawl has ended, the seconds are over or nobody waits any more. */
  const wait = async (accountId: string, id: string, seconds: number, signal: AbortSignal, tell: McpProgress) => {
    const untilMs = performance.now() + seconds * 1000;
    for (;;) {
      const { counts, status } = await crawls.read(accountId, id, { limit: 1 });
      const done = counts.discovered - counts.pending;
      tell({
        progress: done,
        total: counts.discovered,
        message: `${counts.fetched + counts.reused} pages, ${counts.pending} addresses wait`,
      });
      const hasEnded = status !== 'queued' && status !== 'running';
      if (hasEnded || signal.aborted || performance.now() >= untilMs) return;
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  return {
    crawl_start: tool({
      description:
        'Starts a crawl of a site and answers its id for crawl_status. Costs 1 credit for each page over HTTP, 2 where a browser renders it, never more than max_credits.',
      input: CrawlStart,
      output: CloudCrawl,
      async call(accountId, { wait_seconds: seconds = 0, ...asked }, signal, tell) {
        const id = await crawls.start(accountId, asked);
        onStarted();
        if (seconds > 0) await wait(accountId, id, seconds, signal, tell);
        if (signal.aborted) await crawls.cancel(accountId, id);
        return { ...(await crawls.read(accountId, id, { limit: PAGES })) };
      },
    }),
    crawl_status: tool({
      description: 'Says how far a crawl is, and reads its pages in slices; waits for its end or cancels it where asked to. Costs nothing.',
      input: CrawlStatus,
      output: CloudCrawl,
      async call(accountId, { id, limit = PAGES, cursor, wait_seconds: seconds = 0, cancel }, signal, tell) {
        if (cancel) await crawls.cancel(accountId, id);
        else if (seconds > 0) await wait(accountId, id, seconds, signal, tell);
        return { ...(await crawls.read(accountId, id, { limit, ...(cursor === undefined ? {} : { cursor }) })) };
      },
    }),
  };
}

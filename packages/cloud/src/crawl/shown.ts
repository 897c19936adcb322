// Crawls as they are shown to their account, and told to its webhooks.
import { CLOUD_CRAWL_PAGES } from '@weft/contract';
import type { CrawlCounts } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import type { Tell } from '../webhooks/outbox.ts';
import type { CrawlRow, Job } from './crawl-row.ts';

/** Crawls with the counts of all their parts. */
export async function withParts({ rows }: Database, accountId: string, crawls: readonly CrawlRow[]): Promise<readonly CrawlRow[]> {
  const divided = crawls.filter(({ parts }) => parts > 0);
  if (divided.length === 0) return crawls;
  const sums = await rows<CrawlCounts & { parent: number }>(
    `SELECT parent, sum(discovered)::int AS discovered, sum(fetched)::int AS fetched, sum(reused)::int AS reused, sum(failed)::int AS failed,
       sum(skipped)::int AS skipped, sum(pending)::int AS pending FROM crawl WHERE parent = ANY($1) AND account_id = $2 GROUP BY parent`,
    [divided.map(({ number }) => number), accountId],
  );
  return crawls.map((crawl) => {
    const { parent: _parent, ...counts } = sums.find(({ parent }) => parent === crawl.number) ?? { parent: 0 };
    return { ...crawl, ...counts };
  });
}

/** A crawl as one of the jobs of its account. */
export function toJob(row: CrawlRow): Job {
  return { kind: 'crawl', ...toFields(row) };
}

/** What a crawl shows of itself. */
export function toFields(row: CrawlRow): Omit<Job, 'kind'> {
  const { id, status, url, options, budget, charged, pages_max, is_lane_limited, failure, created_at, finished_at } = row;
  const { discovered, fetched, reused, failed, skipped, pending } = row;
  const isClamped = pages_max < (options.limit ?? CLOUD_CRAWL_PAGES);
  const by = options.max_credits === budget ? ('max_credits' as const) : ('balance' as const);
  return {
    id,
    status,
    url,
    counts: { discovered, fetched, reused, failed, skipped, pending },
    credits: { charged, budget },
    ...(isClamped ? { clamped: { limit: pages_max, by } } : {}),
    ...(is_lane_limited ? { lane_limited: true as const } : {}),
    ...(failure ? { failure } : {}),
    created_at: created_at.toISOString(),
    ...(finished_at ? { finished_at: finished_at.toISOString() } : {}),
  };
}

/** Tells that a crawl has ended, as a part of the transaction that ends it. */
export async function tellCrawl(row: CrawlRow, tell: Tell): Promise<void> {
  const { id, url, status, counts, credits, failure } = toFields(row);
  if (status === 'queued' || status === 'running') return;
  await tell(row.account_id, {
    event: `crawl.${status}`,
    subject: { kind: 'crawl', id, name: url },
    data: {
      message: `The crawl of ${url} ${status === 'cancelled' ? 'was cancelled' : status}: ${counts.fetched + counts.reused} pages.`,
      crawl: { id, url, status, counts, credits, ...(failure ? { failure } : {}) },
    },
    dedupeKey: id,
  });
}

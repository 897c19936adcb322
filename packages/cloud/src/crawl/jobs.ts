// Who works on which crawl: a job is claimed by one process for seconds at a time, and goes to another once nobody says that it lives.
import { randomBytes } from 'node:crypto';
import type { RunFailure } from '@weft/contract';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import type { Tell } from '../webhooks/outbox.ts';
import { CRAWL_OPERATION, tellCrawl } from './crawl.ts';
import type { CrawlRow } from './crawl.ts';

/** A claim on a crawl. Its text is known to nobody else. */
export interface Claim {
  readonly claim: string;
  readonly crawl: CrawlRow;
  /** Claims in a row that were lost without an address having been settled. */
  readonly losses: number;
}

export interface CrawlJobs {
  /** The crawl that waits longest, of the accounts that are served least; undefined where none waits. */
  claim(): Promise<Claim | undefined>;
  /** Says that these claims live; those that still hold. */
  keepAlive(claims: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a claim holds; within a transaction, what others may do about it comes after. */
  holds(claim: Claim): Promise<boolean>;
  /** Gives a crawl back for others to go on with. */
  giveBack(claim: Claim): Promise<void>;
  /** Gives a crawl back as one that ended its worker. */
  lose(claim: Claim): Promise<void>;
  /** Settles the run, and gives back what it did not spend; nothing where the claim was lost. */
  finish(claim: Claim, failure: RunFailure | undefined): Promise<void>;
}

/** A process that has said nothing for so long is taken for dead: four of its heartbeats. */
const ALIVE_SECONDS = 8;

export function createCrawlJobs({ rows, find, transaction }: Database, credits: Credits, tell: Tell): CrawlJobs {
  return {
    claim: () =>
      transaction(async () => {
        const claim = randomBytes(16).toString('base64url');
        const job = await find<{ crawl_id: string; losses: number }>(
          `WITH busy AS (SELECT account_id, count(*) AS n FROM crawl_job WHERE alive_until > now() GROUP BY account_id),
           next AS (
             SELECT crawl_id, claim IS NOT NULL AS is_lost FROM crawl_job job LEFT JOIN busy USING (account_id)
             WHERE claim IS NULL OR alive_until < now()
             ORDER BY coalesce(busy.n, 0), queued_at LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
           UPDATE crawl_job job SET claim = $1, alive_until = now() + $2 * interval '1 second',
             losses = CASE WHEN NOT next.is_lost THEN 0 WHEN discovered - pending > settled_at_claim THEN 1 ELSE losses + 1 END,
             settled_at_claim = discovered - pending
           FROM next JOIN crawl ON crawl.id = next.crawl_id WHERE job.crawl_id = next.crawl_id RETURNING job.crawl_id, losses`,
          [claim, ALIVE_SECONDS],
        );
        if (!job) return undefined;
        const crawl = await find<CrawlRow>(`UPDATE crawl SET status = 'running' WHERE id = $1 RETURNING *`, [job.crawl_id]);
        return crawl && { claim, crawl, losses: job.losses };
      }),
    async keepAlive(claims) {
      const kept = await rows<{ claim: string }>(
        `UPDATE crawl_job SET alive_until = now() + $2 * interval '1 second' WHERE claim = ANY($1) RETURNING claim`,
        [claims, ALIVE_SECONDS],
      );
      return new Set(kept.map(({ claim }) => claim));
    },
    async holds({ claim, crawl }) {
      return (await find('SELECT 1 FROM crawl_job WHERE crawl_id = $1 AND claim = $2', [crawl.id, claim])) !== undefined;
    },
    async giveBack({ claim, crawl }) {
      await rows('UPDATE crawl_job SET claim = NULL, alive_until = NULL WHERE crawl_id = $1 AND claim = $2', [crawl.id, claim]);
    },
    async lose({ claim, crawl }) {
      await rows('UPDATE crawl_job SET alive_until = now() WHERE crawl_id = $1 AND claim = $2', [crawl.id, claim]);
    },
    finish: ({ claim, crawl }, failure) =>
      transaction(async () => {
        const held = await rows('DELETE FROM crawl_job WHERE crawl_id = $1 AND claim = $2 RETURNING 1', [crawl.id, claim]);
        if (held.length === 0) return;
        const ended = await find<CrawlRow>('UPDATE crawl SET status = $2, failure = $3, finished_at = now() WHERE id = $1 RETURNING *', [
          crawl.id,
          failure ? 'failed' : 'succeeded',
          failure ? JSON.stringify(failure) : null,
        ]);
        if (ended) await tellCrawl(ended, tell);
        const { hold_id: id, account_id: accountId, url: about } = crawl;
        await credits.settle({ id, accountId, operation: CRAWL_OPERATION, about }, 0);
      }),
  };
}

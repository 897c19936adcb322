// How crawls end: what is pending stays undone, what was held and not spent is given back, and nobody works on them any more.
import type { RunFailure } from '@weft/contract';
import type { Credits } from '../credits/credits.ts';
import type { Database } from '../db/queries.ts';
import { CRAWL_OPERATION } from './crawl-row.ts';
import type { CrawlRow } from './crawl-row.ts';
import { NOTHING } from './frontier.ts';
import { ledgerSql } from './ledger-sql.ts';
import { tellCrawl, withParts } from './shown.ts';
import type { Tell } from '../webhooks/outbox.ts';

/** How a crawl ends. */
export interface Ending {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly failure?: RunFailure | undefined;
}

/** What the end of a crawl stands on. */
export interface EndingPorts {
  readonly database: Database;
  readonly credits: Credits;
  /** Tells the webhooks of its account. */
  readonly tell: Tell;
}

/** Ends a crawl with all its parts, whoever works on them; part of a transaction that has taken its job away. */
export async function endCrawl({ database, credits, tell }: EndingPorts, crawl: CrawlRow, { status, failure }: Ending): Promise<void> {
  const { rows } = database;
  const { number, account_id: accountId, hold_id: holdId, url } = crawl;
  // Jobs first and the whole crawl last, as whoever works on a part does.
  await rows(
    `DELETE FROM crawl_job WHERE crawl_id IN (
       SELECT job.crawl_id FROM crawl_job job JOIN crawl ON crawl.id = job.crawl_id
       WHERE crawl.parent = $1 OR crawl.number = $1 ORDER BY job.crawl_id FOR UPDATE OF job)`,
    [number],
  );
  const frontiers = await rows<{ number: number }>(
    'SELECT number FROM crawl WHERE (number = $1 OR parent = $1) AND account_id = $2 ORDER BY number DESC FOR UPDATE',
    [number, accountId],
  );
  await rows('UPDATE crawl SET owner = owner + 1 WHERE number = ANY($1)', [frontiers.map((frontier) => frontier.number)]);
  const reason = status === 'succeeded' ? 'limit' : 'cancelled';
  const rule = status === 'succeeded' ? `limit is ${crawl.pages_max}` : undefined;
  for (const frontier of frontiers) {
    const sql = ledgerSql(database, frontier.number);
    const closed = await sql.closePending(reason, rule);
    if (closed > 0) await sql.addCounts({ ...NOTHING, pending: -closed, skipped: closed }, undefined);
  }
  await rows('UPDATE crawl SET status = $2, failure = $3, finished_at = now() WHERE (number = $1 OR parent = $1) AND account_id = $4', [
    number,
    status,
    failure ? JSON.stringify(failure) : null,
    accountId,
  ]);
  await rows('DELETE FROM crawl_offer WHERE crawl = ANY($1)', [frontiers.map((frontier) => frontier.number)]);
  const ended = await rows<CrawlRow>('SELECT * FROM crawl WHERE number = $1 AND account_id = $2', [number, accountId]);
  for (const whole of await withParts(database, accountId, ended)) await tellCrawl(whole, tell);
  await credits.settle({ id: holdId, accountId, operation: CRAWL_OPERATION, about: url }, 0);
}

/** Waits for whoever still keeps something of a crawl, its parts first and the whole last, as they do: deleting the whole would take it first. */
export async function lockCrawl({ rows }: Pick<Database, 'rows'>, accountId: string, id: string): Promise<void> {
  await rows(
    `SELECT 1 FROM crawl WHERE account_id = $1 AND (id = $2 OR parent = (SELECT number FROM crawl WHERE id = $2))
     ORDER BY number DESC FOR UPDATE`,
    [accountId, id],
  );
}

/** Lets a divided crawl be claimed, which ends it, once none of its parts has anything to do or it has as many pages as it may. */
export async function wakeWhole({ rows }: Pick<Database, 'rows'>, whole: CrawlRow): Promise<void> {
  await rows(
    `UPDATE crawl_job SET waits_for = NULL WHERE crawl_id = $1 AND waits_for = 'parts' AND (
       NOT EXISTS (SELECT 1 FROM crawl_job job JOIN crawl part ON part.id = job.crawl_id WHERE part.parent = $2)
       OR (SELECT sum(fetched + reused) FROM crawl WHERE parent = $2) >= $3)`,
    [whole.id, whole.number, whole.pages_max],
  );
}

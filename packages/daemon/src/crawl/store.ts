// Rows of crawls: options as sent, and the ledger in numbers.
import type { CrawlCounts, CrawlOutcome, LedgerLine, RunStatus } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { allRows } from '../db/rows.ts';
import type { RunRow } from '../runs/run.ts';

/** A crawl with its run. */
export interface CrawlRow extends RunRow, CrawlCounts {
  readonly url: string;
  /** JSON of CrawlOptions. */
  readonly options: string;
}

/** One line of the ledger (D28). */
export interface LedgerRow {
  readonly id: number;
  readonly url: string;
  readonly outcome: CrawlOutcome;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly parent: string | null;
  readonly source: LedgerLine['source'];
  readonly depth: number;
  readonly status: number | null;
  readonly final_url: string | null;
  readonly content_hash: string | null;
}

/** Which lines of a ledger are meant; all of them unless said. */
export interface LedgerFilter {
  readonly outcome?: CrawlOutcome | undefined;
  readonly reason?: string | undefined;
}

export interface CrawlStore {
  insert(runId: number, url: string, options: string): void;
  find(runId: number): CrawlRow | undefined;
  list(
    filter: { readonly status?: RunStatus | undefined; readonly ownerId?: string | undefined },
    limit: number,
    offset: number,
  ): readonly CrawlRow[];
  count(filter: { readonly status?: RunStatus | undefined; readonly ownerId?: string | undefined }): number;
  /** The ledger in numbers, the largest first. */
  reasons(runId: number): readonly { readonly outcome: CrawlOutcome; readonly reason: string | null; readonly count: number }[];
  /** Lines of the ledger after line `afterId`, in order of discovery. */
  ledger(runId: number, filter: LedgerFilter, afterId: number, limit: number): readonly LedgerRow[];
}

const JOINED = `SELECT run.*, crawl.url, crawl.options, crawl.discovered, crawl.fetched, crawl.reused, crawl.failed, crawl.skipped, crawl.pending
  FROM crawl JOIN run ON run.id = crawl.run_id`;
const FILTER = 'WHERE (?1 IS NULL OR run.status = ?1) AND (?2 IS NULL OR run.owner_id = ?2)';

export function createCrawlStore({ fast }: Database): CrawlStore {
  const insert = fast.prepare('INSERT INTO crawl (run_id, url, options) VALUES (?, ?, ?)');
  const find = fast.prepare(`${JOINED} WHERE run.id = ?`);
  const list = fast.prepare(`${JOINED} ${FILTER} ORDER BY run.id DESC LIMIT ?3 OFFSET ?4`);
  const count = fast.prepare(`SELECT count(*) AS n FROM crawl JOIN run ON run.id = crawl.run_id ${FILTER}`);
  const ledger = fast.prepare(
    `SELECT id, url, state AS outcome, reason, rule, parent, source, depth, status,
       iif(state IN ('fetched', 'reused'), ifnull(final_url, url), NULL) AS final_url, content_hash FROM crawl_url
     WHERE run_id = ?1 AND id > ?2 AND (?3 IS NULL OR state = ?3) AND (?4 IS NULL OR reason = ?4) ORDER BY id LIMIT ?5`,
  );
  const reasons = fast.prepare(
    'SELECT state AS outcome, reason, count(*) AS count FROM crawl_url WHERE run_id = ? GROUP BY state, reason ORDER BY 3 DESC, 1, 2',
  );
  return {
    insert: (runId, url, options) => void insert.run(runId, url, options),
    find: (runId) => find.get(runId) as CrawlRow | undefined,
    list: (filter, limit, offset) => allRows<CrawlRow>(list, filter.status ?? null, filter.ownerId ?? null, limit, offset),
    count: (filter) => (count.get(filter.status ?? null, filter.ownerId ?? null) as { n: number }).n,
    reasons: (runId) => allRows(reasons, runId),
    ledger: (runId, { outcome, reason }, afterId, limit) =>
      allRows<LedgerRow>(ledger, runId, afterId, outcome ?? null, reason ?? null, limit),
  };
}

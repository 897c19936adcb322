// A crawl as it is stored, for those who work on it.
import type { AccountTable, ReplyOf, StartCloudCrawl } from '@weft/contract';
import type { CrawlCounts } from '@weft/engine';

export type Job = ReplyOf<AccountTable['jobs']['list']>['body']['data'][number];

export interface CrawlRow extends CrawlCounts {
  readonly id: string;
  readonly number: number;
  readonly account_id: string;
  readonly url: string;
  readonly options: StartCloudCrawl;
  readonly status: Job['status'];
  readonly failure: Job['failure'] | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly hold_id: string;
  readonly budget: number;
  readonly charged: number;
  /** Pages that it may keep; of a part, those that it has taken of its crawl's. */
  readonly pages_max: number;
  readonly is_lane_limited: boolean;
  readonly memory: string | null;
  /** Of a part: the number of the crawl that was divided, and which of its parts it is. */
  readonly parent: number | null;
  readonly part: number | null;
  /** How many parts it was divided into; 0 unless it was. */
  readonly parts: number;
  readonly pages_left: number;
  /** The call that it came from, as a `traceparent`. */
  readonly trace: string | null;
}

/** What the credits of a crawl are reserved for. */
export const CRAWL_OPERATION = 'crawls.start';

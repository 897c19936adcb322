// What the work of a crawl needs from the rest of the agent.
import type { CrawlClock, CrawlStore as CrawlStoreOfEngine, Fetcher, HostGate, PageSink, RobotsSource } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Database } from '../db/open.ts';
import type { Files } from '../files/file.ts';
import type { Runs } from '../runs/run.ts';
import type { PageCopies } from './page-copy.ts';
import type { KeptPage } from './page-record.ts';
import type { CrawlStore } from './store.ts';

export interface CrawlWorkPorts {
  readonly database: Database;
  readonly store: CrawlStore;
  readonly datasets: DatasetWriter;
  readonly copies: PageCopies;
  /** Where pictures of pages go. */
  readonly files: Pick<Files, 'keepOfRun'>;
  readonly runs: Runs;
  readonly fetcher: Fetcher;
  readonly views: ViewPool;
  readonly clock: CrawlClock;
  /** Shared by everything that fetches (D32). */
  readonly gate: HostGate;
  /** Shared as well: a host's rules are asked for once. */
  readonly robotsFor: (privateTargets: readonly string[]) => RobotsSource;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
  /** For what the run itself can't carry. */
  logError(message: string, error: unknown): void;
}

/** The same for one run, with what is its own. */
export interface PortsOfRun extends CrawlWorkPorts {
  readonly frontier: CrawlStoreOfEngine<KeptPage>;
  readonly sink: PageSink<KeptPage>;
}

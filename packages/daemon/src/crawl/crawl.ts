// Crawls: a run, its options, its ledger and the pages that it kept (D26-D28).
import { AppError, LIMITS } from '@weft/contract';
import type { Crawl, CrawlOptions, CrawlSummary, PageRecord, RunFailure, RunStatus, StartCrawl } from '@weft/contract';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';
import type { Clock } from '@weft/engine';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Runs } from '../runs/run.ts';
import { toInstant } from '../time.ts';
import type { CrawlRow, CrawlStore } from './store.ts';

/** What the agent keeps of a crawl's options: those of the wire, and the private address that the caller's own URL named (D31). */
export interface StoredCrawlOptions extends CrawlOptions {
  readonly private_targets?: readonly string[];
}

export interface Crawls {
  /** Creates the run and everything that belongs to it in one transaction; its id. Throws AppError `forbidden`, `device_capacity`. */
  create(input: StartCrawl, actor: Actor): number;
  /** A page of what the crawl kept, oldest first. Throws AppError `not_found`, `bad_request` for a bad cursor. */
  read(id: number, page: { readonly limit?: number | undefined; readonly cursor?: string | undefined }): Crawl;
  list(query: {
    readonly status?: RunStatus | undefined;
    readonly ownerId?: string | undefined;
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
  }): {
    readonly data: CrawlSummary[];
    readonly total: number;
  };
}

export interface CrawlPorts {
  readonly store: CrawlStore;
  readonly datasets: DatasetWriter;
  readonly runs: Runs;
  readonly clock: Clock;
}

/** The dataset that all one-page crawls share (D24). */
const PAGES = { kind: 'pages', id: null } as const;

export function createCrawls({ store, datasets, runs, clock }: CrawlPorts): Crawls {
  const requireRow = (id: number): CrawlRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no crawl ${id}.`);
    return row;
  };
  return {
    create(input, actor) {
      const { wait: _wait, timeout: _timeout, ...options } = input;
      if (options.respect_robots === false && !isAdmin(actor))
        throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
      const stored: StoredCrawlOptions = { ...options, ...(isAdmin(actor) ? { private_targets: [targetOf(options.url)] } : {}) };
      const source = { source_kind: 'url', source_id: null, source_name: options.url };
      const also = (id: number) => {
        store.insert(id, options.url, JSON.stringify(stored));
        return options.limit === 1
          ? datasets.ensure(PAGES, 'pages', clock.now())
          : datasets.ensure({ kind: 'crawl', id }, new URL(options.url).host, clock.now());
      };
      return runs.create({ kind: 'crawl', ...source, owner_id: actor.id }, also).id;
    },
    read(id, page) {
      const row = requireRow(id);
      const limit = page.limit ?? LIMITS.listLimitDefault;
      const records = datasets.recordsOfRun(id, parseCursor(page.cursor), limit + 1);
      const shown = records.slice(0, limit);
      const last = records.length > limit ? shown.at(-1) : undefined;
      return {
        ...crawlFields(row),
        data: shown.map((record) => JSON.parse(record.body) as PageRecord),
        ...(last ? { next_cursor: String(last.id) } : {}),
      };
    },
    list(query) {
      const rows = store.list(query, query.limit ?? LIMITS.listLimitDefault, query.offset ?? 0);
      return { data: rows.map(toSummary), total: store.count(query) };
    },
  };
}

/** `host:port` of an address, as the gate compares it. */
function targetOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this list gave; leave it out to begin anew.');
  return Number(cursor);
}

function toSummary(row: CrawlRow): CrawlSummary {
  const { private_targets: _targets, ...options } = JSON.parse(row.options) as StoredCrawlOptions;
  return { ...crawlFields(row), options };
}

function crawlFields(row: CrawlRow): Omit<Crawl, 'data' | 'next_cursor'> {
  const { discovered, fetched, reused, failed, skipped, pending } = row;
  return {
    id: row.id,
    status: row.status,
    url: row.url,
    counts: { discovered, fetched, reused, failed, skipped, pending },
    dataset_id: row.dataset_id ?? 0,
    ...(row.failure === null ? {} : { failure: JSON.parse(row.failure) as RunFailure }),
    created_at: toInstant(row.created_at),
    ...(row.finished_at === null ? {} : { finished_at: toInstant(row.finished_at) }),
  };
}

// Crawls: a run, its options, its ledger and the pages that it kept (D26-D28).
import { AppError, LIMITS, isSettled } from '@weft/contract';
import type {
  Crawl,
  CrawlOptions,
  CrawlSummary,
  JsonParts,
  LedgerLine,
  LedgerReason,
  RunFailure,
  RunStatus,
  StartCrawl,
} from '@weft/contract';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';
import type { Clock, StoredCrawlOptions } from '@weft/engine';
import { privateTargetsOf } from '../auth/private-targets.ts';
import type { DatasetTidy } from '../datasets/tidy.ts';
import type { DatasetUpkeep } from '../datasets/upkeep.ts';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Personas } from '../personas/persona.ts';
import type { Vault } from '../vault/vault.ts';
import type { NewRun, RunRow, RunStore, Runs } from '../runs/run.ts';
import { toInstant } from '@weft/serve';
import { findHolds } from './held-by.ts';
import { checkOptions, optionsText } from './options.ts';
import { pageByCursor, parseCursor, sliceFrom } from './cursor.ts';
import type { CursorPage, CursorQuery } from './cursor.ts';
import { checkSend, requireProxy } from './sent.ts';
import type { SentValues } from './sent.ts';
import type { CrawlRow, CrawlStore, LedgerFilter, LedgerRow } from './store.ts';

export interface Crawls {
  /** Creates the run and everything that belongs to it in one transaction; its id. Throws AppError `forbidden`, `bad_request`, `vault_locked`, `device_capacity`. */
  create(input: StartCrawl, actor: Actor): number;
  /** Creates the run of a crawl whose options are decided, in one transaction with what `dataset` makes; its id. Throws AppError `bad_request` for a persona that there is not, `vault_locked`, `device_capacity`. */
  dispatch(options: StoredCrawlOptions, source: CrawlSource, dataset: (runId: number) => number, actor: Pick<Actor, 'id'>): number;
  /** What the agent would keep of these options if `actor` started a crawl with them. Throws AppError `forbidden`, `bad_request`. */
  optionsFor(options: CrawlOptions, actor: Actor): StoredCrawlOptions;
  /** The crawl, and a page of what it kept, oldest first. Throws AppError `not_found`, `bad_request` for a bad cursor. */
  read(id: number, page: CursorQuery): CrawlReading;
  /** The ledger in numbers, the largest first. Throws AppError `not_found`. */
  reasons(id: number): LedgerReason[];
  /** Lines of the ledger in order of discovery. Throws as `read` does. */
  ledger(id: number, filter: LedgerFilter, page: CursorQuery): CursorPage<LedgerLine>;
  /** All lines that follow the cursor, a text of many lines at a time. Throws as `read` does. */
  ledgerLines(id: number, filter: LedgerFilter, cursor: string | undefined): Iterable<string>;
  /** Deletes a settled crawl with its ledger, and what it brought. Throws AppError `not_found`, `conflict` for a live one. */
  delete(id: number): Promise<void>;
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

/** A crawl whose `data` is empty, and the pages that belong there. */
export interface CrawlReading {
  readonly body: Crawl;
  readonly items: Iterable<JsonParts>;
}

/** What a run is a crawl of, and what made it. */
export type CrawlSource = Pick<RunRow, 'source_kind' | 'source_id' | 'source_name'> & Pick<NewRun, 'trigger' | 'parent_id'>;

export interface CrawlPorts {
  readonly store: CrawlStore;
  readonly datasets: DatasetWriter;
  readonly runs: Runs;
  readonly clock: Clock;
  readonly personas: Pick<Personas, 'require'>;
  readonly vault: Pick<Vault, 'require'>;
  readonly upkeep: Pick<DatasetUpkeep, 'dropRun'>;
  readonly tidy: Pick<DatasetTidy, 'deleteIfEmpty'>;
  readonly runStore: Pick<RunStore, 'delete'>;
  readonly sent: Pick<SentValues, 'keep'>;
  /** Those that the settings name. */
  readonly proxies: Readonly<Record<string, unknown>>;
}

/** The dataset that all one-page crawls share (D24). */
const PAGES = { kind: 'pages', id: null } as const;
const LINES_PER_READ = 500;

export function createCrawls({ store, datasets, runs, clock, personas, vault, upkeep, tidy, runStore, sent, proxies }: CrawlPorts): Crawls {
  const requireRow = (id: number): CrawlRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no crawl ${id}.`);
    return row;
  };
  const optionsFor = (options: CrawlOptions, actor: Actor): StoredCrawlOptions => {
    if (options.respect_robots === false && !isAdmin(actor))
      throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
    if (options.persona_id !== undefined && !isAdmin(actor))
      throw new AppError('forbidden', '"persona_id" needs the admin scope or the runtime token, unless a saved crawl names it.');
    checkOptions(options);
    return { ...options, private_targets: privateTargetsOf(options.url, actor) };
  };
  const requirePersona = (id: number) => {
    try {
      personas.require(id);
    } catch (error) {
      throw error instanceof AppError ? new AppError('bad_request', `"persona_id" is ${id}. ${error.message}`) : error;
    }
    vault.require();
  };
  const dispatch: Crawls['dispatch'] = (options, source, dataset, actor) => {
    const { persona_id = null, limit, url } = options;
    requireProxy(options.proxy, proxies);
    if (persona_id !== null) requirePersona(persona_id);
    const run = { kind: 'crawl', queue: limit === 1 ? 'page' : 'crawl', ...source, owner_id: actor.id, persona_id } as const;
    return runs.create(run, (id) => {
      store.insert(id, url, optionsText(options));
      return dataset(id);
    }).id;
  };
  return {
    create(input, actor) {
      const { wait: _wait, timeout: _timeout, send, ...given } = input;
      if (send) checkSend(send, { ...given, isOnePage: given.limit === 1 }, actor);
      const options: StoredCrawlOptions & CrawlOptions = send ? { ...given, sends: true } : given;
      const dataset = (id: number) =>
        options.limit === 1
          ? datasets.ensure(PAGES, 'pages', clock.now())
          : datasets.ensure({ kind: 'crawl', id }, new URL(options.url).host, clock.now());
      const id = dispatch(optionsFor(options, actor), { source_kind: 'url', source_id: null, source_name: options.url }, dataset, actor);
      if (send) sent.keep(id, send, (other) => isSettled(store.find(other)?.status ?? 'failed'));
      return id;
    },
    dispatch,
    optionsFor,
    read(id, page) {
      const row = requireRow(id);
      const { items, lastId } = datasets.dataOfRun(id, sliceFrom(page));
      const fields = crawlFields(row);
      const holds = findHolds({ ...fields, options: JSON.parse(row.options) as StoredCrawlOptions }, store);
      const held = holds.length > 0 ? { held_by: holds } : {};
      return { body: { ...fields, ...held, data: [], ...(lastId === undefined ? {} : { next_cursor: String(lastId) }) }, items };
    },
    reasons(id) {
      requireRow(id);
      return store.reasons(id).map(({ outcome, reason, count }) => ({ outcome, ...(reason === null ? {} : { reason }), count }));
    },
    ledger(id, filter, page) {
      requireRow(id);
      return pageByCursor(page, (afterId, limit) => store.ledger(id, filter, afterId, limit), toLedgerLine);
    },
    ledgerLines(id, filter, cursor) {
      requireRow(id);
      return linesOf((afterId) => store.ledger(id, filter, afterId, LINES_PER_READ), parseCursor(cursor));
    },
    async delete(id) {
      const { status, dataset_id: datasetId, source_kind: kind } = requireRow(id);
      if (!isSettled(status)) throw new AppError('conflict', `Crawl ${id} is ${status}; end it first: weft crawl cancel ${id}`);
      if (datasetId !== null) {
        await upkeep.dropRun(datasetId, id);
        if (kind === 'url') tidy.deleteIfEmpty({ kind: 'crawl', id }, datasetId);
      }
      runStore.delete(id);
    },
    list(query) {
      const rows = store.list(query, query.limit ?? LIMITS.listLimitDefault, query.offset ?? 0);
      return { data: rows.map(toSummary), total: store.count(query) };
    },
  };
}

/** The ledger in numbers. */
export function crawlResults(id: number, store: Pick<CrawlStore, 'find'>): { readonly output?: Crawl['counts'] } {
  const row = store.find(id);
  return row ? { output: crawlFields(row).counts } : {};
}

/** Each text is the lines of one read; nothing is read before it is asked for. */
function* linesOf(read: (afterId: number) => readonly LedgerRow[], afterId: number): Generator<string> {
  for (let rows = read(afterId); rows.length > 0; rows = read(rows.at(-1)?.id ?? 0))
    yield rows.map((row) => `${JSON.stringify(toLedgerLine(row))}\n`).join('');
}

function toLedgerLine(row: LedgerRow): LedgerLine {
  return {
    url: row.url,
    outcome: row.outcome,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.rule === null ? {} : { rule: row.rule }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    source: row.source,
    depth: row.depth,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.final_url === null || row.final_url === row.url ? {} : { final_url: row.final_url }),
  };
}

function toSummary(row: CrawlRow): CrawlSummary {
  const { private_targets: _targets, sends: _sends, ...options } = JSON.parse(row.options) as StoredCrawlOptions;
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

// Reads datasets: quick searches at once, slow ones in a thread, and exports in another, so that none of them delays the rest.
import type { Database } from '../../db/open.ts';
import type { ExportPlaces } from './export-places.ts';
import { createExportPlaces } from './export-places.ts';
import type { ExportRequest, SchemaResult, SearchRequest, SearchResult } from './messages.ts';
import { prepareSearch } from './search.ts';
import type { Tables } from '../table/tables.ts';
import type { Patience, Thread } from './thread.ts';
import { createThread } from './thread.ts';

export interface DatasetReader {
  /** Throws AppError `bad_request` for a text that can't be searched for, or that takes too long. */
  search(request: SearchRequest): Promise<SearchResult>;
  /** What the newest records suggest. */
  schema(datasetId: number): Promise<SchemaResult>;
  /** What tables over rows hold. Each throws AppError `bad_request` for a selection that can't be made, or that takes too long. */
  readonly tables: { readonly [Name in keyof Tables]: (request: Parameters<Tables[Name]>[0]) => Promise<ReturnType<Tables[Name]>> };
  /**
   * All records of the moment in which the first piece is made, which is when fewer than EXPORTS_MAX are under way. Whoever stops asking loses
   * the snapshot after a minute, or after five seconds if another export waits, and the next piece is an error; so it is once `signal` aborts.
   */
  export(request: ExportRequest, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** How long an export waits for its reader; default 60,000. */
  readonly stalledMs?: number;
  /** How long while another one waits for its place; default 5,000. */
  readonly patienceMs?: number;
}

const SEARCH_PATIENCE: Patience = { milliseconds: 15_000, advice: 'use longer words, or more of them' };
const TABLE_PATIENCE: Patience = { milliseconds: 60_000, advice: 'ask for one run with "run_id", or export the rows' };
const SERIES_PATIENCE: Patience = { milliseconds: 60_000, advice: 'ask for less of it with "since" and "until"' };
const STALLED_MS = 60_000;
const PATIENCE_MS = 5_000;
/** Snapshots that may be held at once: each keeps the write-ahead log from being taken in. */
const EXPORTS_MAX = 16;
const NEVER = new AbortController().signal;

/** A reader of `database`; its threads start when they are first needed. */
export function createReader(database: Database, options: ReaderOptions = {}): DatasetReader {
  const quick = prepareSearch(database.fast);
  const answers = createThread(database.path);
  /** Of its own, since a table over millions of rows keeps it for seconds. */
  const tables = createThread(database.path);
  const exports: ExportPorts = {
    thread: createThread(database.path),
    places: createExportPlaces(EXPORTS_MAX),
    stalledMs: options.stalledMs ?? STALLED_MS,
    patienceMs: options.patienceMs ?? PATIENCE_MS,
  };
  return {
    // A way to another thread and back costs more than a quick search.
    search: async (request) => (quick.isQuick(request) ? quick.run(request) : await answers.ask('search', request, SEARCH_PATIENCE)),
    schema: (datasetId) => answers.ask('schema', datasetId, SEARCH_PATIENCE),
    tables: {
      page: (request) => tables.ask('page', request, TABLE_PATIENCE),
      facets: (request) => tables.ask('facets', request, TABLE_PATIENCE),
      ids: (request) => tables.ask('ids', request, TABLE_PATIENCE),
      snapshots: (request) => tables.ask('snapshots', request, TABLE_PATIENCE),
      workflows: (request) => tables.ask('workflows', request, TABLE_PATIENCE),
      diff: (request) => tables.ask('diff', request, TABLE_PATIENCE),
      series: (request) => tables.ask('series', request, SERIES_PATIENCE),
      states: (request) => tables.ask('states', request, SERIES_PATIENCE),
    },
    export: (request, signal) => readExport(exports, request, signal),
    close: async () => void (await Promise.all([answers.close(), tables.close(), exports.thread.close()])),
  };
}

interface ExportPorts {
  readonly thread: Thread;
  readonly places: ExportPlaces;
  readonly stalledMs: number;
  readonly patienceMs: number;
}

async function* readExport(ports: ExportPorts, request: ExportRequest, signal: AbortSignal = NEVER): AsyncGenerator<Uint8Array> {
  const { thread, places } = ports;
  const leave = await places.take(signal);
  const session = await thread.ask('open', request).catch((error: unknown) => {
    leave();
    throw error;
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    // A thread that has ended holds no snapshot any more.
    await thread.ask('close', session).catch(() => undefined);
    leave();
  };
  try {
    // The next piece is made while the last one is on its way.
    let coming = thread.ask('next', session);
    for (let piece = await coming; piece; piece = await coming) {
      coming = thread.ask('next', session);
      coming.catch(() => undefined);
      const goOn = standStill(close, ports);
      try {
        yield piece;
      } finally {
        goOn();
      }
      signal.throwIfAborted();
      if (!isOpen)
        throw new Error('Nobody read the export for a minute, or for seconds while another one waited; its snapshot was let go.');
    }
  } finally {
    await close();
  }
}

/** Ends an export with `close` that stands still for too long; the answer says that it goes on. */
function standStill(close: () => Promise<void>, { places, stalledMs, patienceMs }: ExportPorts): () => void {
  let takeBack: (() => void) | undefined;
  const timers = [
    setTimeout(() => void close(), stalledMs).unref(),
    setTimeout(() => (takeBack = places.offer(close)), patienceMs).unref(),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
    takeBack?.();
  };
}

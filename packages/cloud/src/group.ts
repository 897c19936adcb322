// The cloud's nouns: each group of the cloud says how its own are made, and each is made once, when it is first asked for.
import type { BrowserSessions, CrawlClock, Fetcher, Model, ViewReader } from '@weft/engine';
import type { AnyHandler, NounMakers } from '@weft/serve';
import type { Config } from './config.ts';
import type { Database } from './db/queries.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Tracer } from './observe/tracer.ts';

/** What is there before any group. */
export interface Given {
  readonly config: Pick<
    Config,
    'home' | 'role' | 'isKeyless' | 'version' | 'crawlsAtOnce' | 'crawlsPerAccount' | 'turnSeconds' | 'blobs' | 'listening'
  >;
  readonly clock: CrawlClock;
  readonly fetcher: CloudFetcher;
  readonly views: ViewReader;
  /** What builds ask; undefined where the operator names none. */
  readonly model: Model | undefined;
  readonly database: Database;
  readonly groups: readonly Group[];
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** 32 bytes each, which all processes of one cloud share. */
  readonly secrets: Readonly<Record<SharedSecret, Uint8Array>>;
  /** By which the cloud is called, as links of it begin. */
  baseUrl(): string;
  logError(message: string, error: unknown): void;
}

/** Asks hosts; where it has a browser, its pages can be acted on too. */
export type CloudFetcher = Fetcher & { readonly sessions?: BrowserSessions };

/** What the processes of a cloud keep secret together. */
export type SharedSecret = 'feeds' | 'idempotency' | 'keyless' | 'pictures' | 'webhooks';

/** Everything that a group finds: each `group.ts` declares here what it adds. */
export interface Nouns extends Given {}

type Handlers = Readonly<Record<string, object>>;

/** What a folder adds to the cloud: its `group.ts` exports it as `group`. */
export interface Group {
  /** How its nouns are made. */
  readonly nouns?: NounMakers<Nouns>;
  /** Handlers of the specification's operations, by group and verb. */
  specified?(nouns: Nouns): Handlers;
  /** Those under /api/account. */
  account?(nouns: Nouns): Handlers;
  /** Puts in order what is past its time: at the start and every minute. */
  upkeep?(nouns: Nouns): Promise<void>;
  /** Deletes what an account had outside of the database, when its rows are gone. */
  forget?(nouns: Nouns, accountId: string): Promise<void>;
  /** Begins to work on what waits; once, when all groups are there, and not in a process that only answers calls. */
  work?(nouns: Nouns): void;
  /** What keeps the process from being ready, in a word; undefined where nothing does. */
  hindrance?(nouns: Nouns): string | undefined;
  /** Gives back what it works on; what it needs for that is still there. */
  drain?(nouns: Nouns): Promise<void>;
  /** When no group works any more. */
  close?(nouns: Nouns): Promise<void>;
}

/** The handlers that all groups have under one of the two tables. */
export function handlersOf(
  nouns: Nouns,
  groups: readonly Group[],
  table: 'specified' | 'account',
): Readonly<Record<string, Readonly<Record<string, AnyHandler>>>> {
  const entries = groups.flatMap((group) => Object.entries(group[table]?.(nouns) ?? {}));
  // Each group's own type pairs its handlers with its rows; the kernel refuses to start without one of them.
  return Object.fromEntries(entries) as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
}

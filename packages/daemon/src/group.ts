// The agent's nouns: each group of the agent says how its own are made, and each is made once, when it is first asked for.
import type { HealthPart, RunFailure, RunKind } from '@weft/contract';
import type { BrowserRecordings, BrowserSessions, Fetcher } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import type { AnyHandler, Log, NounMakers, OpenRoute, StreamRegistry } from '@weft/serve';
import type { AgentClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import type { Home } from './home.ts';
import type { KindOfRun } from './runs/executor.ts';
import type { DueKind } from './schedule/schedules.ts';
import type { ProxyLogins } from './secrets/proxy-logins.ts';
import type { Settings } from './settings.ts';
import type { Keychain } from './vault/keychain.ts';

/** What a program or a test brings from outside. */
export interface Outside {
  readonly config: Config;
  readonly settings: Settings;
  readonly clock: AgentClock;
  readonly log: Log;
  readonly fetcher: Fetcher;
  /** Pages that are acted on; absent where there is no browser. */
  readonly sessions?: BrowserSessions & BrowserRecordings;
  /** False where no window can be shown; false unless said. */
  readonly hasScreen?: boolean;
  readonly views: ViewPool;
  /** Parts of the health that only the program knows. */
  readonly probes?: readonly (() => HealthPart)[];
  /** Those of the proxies that the fetcher goes by. */
  readonly proxyLogins?: ProxyLogins;
  /** Of the system; without one the vault keeps the key of the device in a file. */
  readonly keychain?: Keychain | undefined;
  /** Milliseconds that only grow, for rates and durations; the process's own unless said. */
  readonly monotonicMs?: () => number;
}

/** What is there before any group. */
export interface Given extends Outside {
  readonly home: Home;
  readonly database: Database;
  readonly streams: StreamRegistry;
  readonly groups: readonly Group[];
  logError(message: string, error: unknown): void;
  readonly logFailure: LogFailure;
}

/** Writes into the log what could not be had, and why. */
export type LogFailure = (of: { readonly of: string; readonly kind: string; readonly run?: number }, failure: RunFailure) => void;

/** Everything that a group finds: each `group.ts` declares here what it adds. */
export interface Nouns extends Given {}

type Handlers = Readonly<Record<string, object>>;

/** What a folder adds to the agent: its `group.ts` exports it as `group`. */
export interface Group {
  /** How its nouns are made. */
  readonly nouns?: NounMakers<Nouns>;
  /** Handlers of its operations under /v1, by group and verb. */
  specified?(nouns: Nouns): Handlers;
  /** Those under /x. */
  extra?(nouns: Nouns): Handlers;
  /** What it answers without a credential, by path: outside /v1 and /x. */
  routes?(nouns: Nouns): Readonly<Record<string, OpenRoute>>;
  /** The kinds of runs that it executes. */
  kinds?(nouns: Nouns): Readonly<Partial<Record<RunKind, KindOfRun>>>;
  /** What it does when something of its own is due, by the kind under which it schedules that. */
  due?(nouns: Nouns): Readonly<Record<string, DueKind>>;
  /** A part of the health. */
  health?(nouns: Nouns): HealthPart;
  /** Before the first request. */
  open?(nouns: Nouns): void;
  /** Deletes what is past its retention, until `signal` aborts. */
  prune?(nouns: Nouns, signal: AbortSignal): void | Promise<void>;
  /** When the agent has stopped. */
  close?(nouns: Nouns): Promise<void>;
}

/** The handlers that all groups have under one of the two tables. */
export function handlersOf(nouns: Nouns, table: 'specified' | 'extra'): Readonly<Record<string, Readonly<Record<string, AnyHandler>>>> {
  const entries = nouns.groups.flatMap((group) => Object.entries(group[table]?.(nouns) ?? {}));
  // Each group's own type pairs its handlers with its rows; the kernel refuses to start without one of them.
  return Object.fromEntries(entries) as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
}

/** What all groups answer without a credential, by path. */
export function routesOf(nouns: Nouns): Readonly<Record<string, OpenRoute>> {
  return Object.fromEntries(nouns.groups.flatMap((group) => Object.entries(group.routes?.(nouns) ?? {})));
}

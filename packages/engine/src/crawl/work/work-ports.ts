// What the run of a crawl needs from the program that executes it. Stores and logs may answer later than they are asked.
import type { LoggedEvent, RunFailure, Send } from '@weft/contract';
import type { ViewReader } from '../../page/view-work.ts';
import type { Acting, ActingValues, CookieStore } from '../../ports.ts';
import type { CrawlTurn } from '../crawl-ports.ts';
import type { AskingPorts } from '../hosts/paced-fetcher.ts';
import type { KeptPage, PageCopies } from '../keep/page-copies.ts';
import type { KeepFile } from '../keep/page-pictures.ts';
import type { FrontierStore } from '../frontier-store.ts';

/** An event of a run, before it has its number and time. */
export type RunEventBody = LoggedEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'seq' | 'at'> : never) : never;

/** The place that a run holds while it works, and gives to others while it waits. */
export interface RunPlace {
  /** Nothing can be done for now: others may have the place. */
  rest(): void;
  /** There is something to do. */
  work(): void;
  /** Something came from a host: a run that hears nothing rests until it hears again. */
  hear(): void;
}

/** The outside of the run of one crawl. */
export interface CrawlWorkPorts extends AskingPorts {
  readonly store: FrontierStore<KeptPage>;
  /** Undefined for a crawl whose pages no other would look for. */
  readonly copies: PageCopies | undefined;
  readonly views: ViewReader;
  readonly keepFile: KeepFile;
  /** What the caller sends of its own. */
  readonly send?: Send | undefined;
  /** By which proxy it goes out, and in which language as its persona; empty for one that chooses none. */
  readonly acting: Acting;
  /** Of that persona; there are none of nobody. */
  readonly actingValues: ActingValues;
  /** One store for all pages of the run. */
  readonly cookies: CookieStore;
  readonly place: RunPlace;
  /** Absent for a program that works on a crawl until it ends. */
  readonly turn?: CrawlTurn | undefined;
  /** Adds to the log of the run. */
  tell(event: RunEventBody): Promise<void>;
  /** What the run's failure says of an error, also of one that is no PageError. */
  failureOf(error: unknown): RunFailure;
}

// What the pool and its workers say to each other.
import type { PageErrorCode } from '../../errors.ts';
import type { ParseRequest, ParseResult } from '../../page/parse.ts';
import type { SelectRequest, SelectResult } from '../../page/select.ts';
import type { ViewRequest, Views } from '../../page/views.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  /** Where compiled code is kept; undefined where the program keeps none. */
  readonly compileCacheFolder: string | undefined;
}

/** The work that a worker can do, by name: what goes in and what comes out. */
export interface ViewWork {
  readonly views: { readonly request: ViewRequest; readonly result: Views };
  readonly parse: { readonly request: ParseRequest; readonly result: ParseResult };
  readonly select: { readonly request: SelectRequest; readonly result: SelectResult };
}
export type WorkName = keyof ViewWork;

export interface ViewTask {
  readonly id: number;
  readonly work: WorkName;
  readonly request: ViewWork[WorkName]['request'];
}

/** The first thing that a worker says, once it has loaded what it reads pages with. */
export const READY = 'ready';

export interface ViewAnswer {
  readonly id: number;
  readonly result?: ViewWork[WorkName]['result'];
  readonly failure?: { readonly code: PageErrorCode; readonly message: string };
  /** CPU milliseconds of the worker's thread. */
  readonly cpuMs: number;
}

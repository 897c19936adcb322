// What the pool and its workers say to each other.
import type { PageErrorCode } from '../../errors.ts';
import type { ViewWork, WorkName } from '../../page/view-work.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  /** Where compiled code is kept; undefined where the program keeps none. */
  readonly compileCacheFolder: string | undefined;
}

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

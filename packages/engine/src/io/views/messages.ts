// What the pool and its workers say to each other.
import type { PageErrorCode } from '../../errors.ts';
import type { ViewWork, WorkName } from '../../page/view-work.ts';

export interface ViewTask {
  readonly id: number;
  readonly work: WorkName;
  readonly request: ViewWork[WorkName]['request'];
}

/** What work is called in messages, and its own time limit where it is shorter than that of a page. */
export const WORDS: Readonly<Record<WorkName, { readonly doing: string; readonly object: string; readonly limitMs?: number }>> = {
  views: { doing: 'Reading the page', object: 'The page' },
  parse: { doing: 'Reading the page', object: 'The page' },
  reading: { doing: 'Reading the page', object: 'The page' },
  select: { doing: 'Reading the page', object: 'The page' },
  evidence: { doing: 'Reading the page', object: 'The page' },
  detail: { doing: 'Reading the pages', object: 'One of the pages' },
  sight: { doing: 'Reading the page', object: 'The page' },
  check: { doing: 'Reading the page', object: 'The page' },
  read_monitors: { doing: 'Reading the file', object: 'The file' },
  write_monitors: { doing: 'Writing the configuration', object: 'The configuration' },
  diff: { doing: 'Comparing', object: 'What was compared', limitMs: 15_000 },
};

/** The first thing that a worker says, once it has loaded what it reads pages with. */
export const READY = 'ready';

export interface ViewAnswer {
  readonly id: number;
  readonly result?: ViewWork[WorkName]['result'];
  readonly failure?: { readonly code: PageErrorCode; readonly message: string };
  /** CPU milliseconds of the worker's thread. */
  readonly cpuMs: number;
}

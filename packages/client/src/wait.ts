// Waits for a run: by its event stream, and by asking when the stream can't be had (specification, Run semantics 6).
import { isSettled } from './settled.ts';
import { ApiError, RunWaitTimeoutError } from './errors.ts';
import type { Run, RunEvent } from '@weft/contract';
import type { AgentMethods } from './methods.ts';

/** How long to wait for a run, and who hears of it meanwhile. */
export interface WaitOptions {
  /** Seconds; default 120. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Called for each event that arrives. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Milliseconds between polls when there is no stream; default 1,000. */
  readonly pollMs?: number;
}

const TIMEOUT_SECONDS = 120;
const POLL_MS = 1000;

/** The settled run. Throws RunWaitTimeoutError, which carries the run's id, when the budget is spent. */
export async function waitForRun(methods: AgentMethods, runId: number, options: WaitOptions = {}): Promise<Run> {
  const timeoutSeconds = options.timeout ?? TIMEOUT_SECONDS;
  const budget = AbortSignal.timeout(timeoutSeconds * 1000);
  const signal = options.signal ? AbortSignal.any([options.signal, budget]) : budget;
  let lastEventId: number | undefined;
  try {
    for (;;) {
      lastEventId = await follow(methods, runId, { ...options, signal }, lastEventId);
      const run = (await methods.runs.read({ id: runId }, { signal })) as Run;
      if (isSettled(run.status)) return run;
      await pause(options.pollMs ?? POLL_MS, signal);
    }
  } catch (error) {
    if (budget.aborted && !options.signal?.aborted) throw new RunWaitTimeoutError(runId, timeoutSeconds);
    throw error;
  }
}

/** Reads the stream to its end; the number of the last event, to resume from. A stream that breaks is no error: the caller polls. */
async function follow(
  methods: AgentMethods,
  runId: number,
  options: WaitOptions & { readonly signal: AbortSignal },
  after: number | undefined,
): Promise<number | undefined> {
  let last = after;
  try {
    const stream = await methods.runs.events(
      { id: runId },
      { signal: options.signal, ...(after === undefined ? {} : { lastEventId: after }) },
    );
    // Nothing is told to somebody who has heard the end.
    for await (const { id, data } of stream ?? []) {
      last = id ?? last;
      options.onEvent?.(data as RunEvent);
    }
  } catch (error) {
    if (options.signal.aborted || (error instanceof ApiError && error.status < 500 && error.status !== 429)) throw error;
  }
  return last;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

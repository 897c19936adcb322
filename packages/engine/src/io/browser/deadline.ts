// A hard end for every step with a browser, whose answers may never come.
/** Milliseconds left of one page's budget. */
export interface Budget {
  leftMs(): number;
}

/** A budget that began now. */
export function startBudget(totalMs: number): Budget {
  const endMs = performance.now() + totalMs;
  return { leftMs: () => Math.max(endMs - performance.now(), 1) };
}

/** A step that did not end in its time. */
export class StepTimeout extends Error {
  readonly step: string;

  constructor(step: string) {
    super(`${step} did not end in time`);
    this.name = 'TimeoutError';
    this.step = step;
  }
}

/** `promise`, or StepTimeout after `ms`. What comes later is dropped, failures included. */
export async function within<T>(promise: Promise<T>, ms: number, step: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StepTimeout(step)), ms);
  // Whoever loses the race may fail later, when nobody listens any more.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** True when `error` is the end of a step's time, by our clock or by Playwright's. */
export function isStepTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

// A hard end for every step with a browser, whose answers may never come.
/** Milliseconds left of one page's budget. */
export interface Budget {
  leftMs(): number;
  /** Does `work` while the time stands still. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
}

/** A budget that began now. */
export function startBudget(totalMs: number): Budget {
  let endMs = performance.now() + totalMs;
  let pausedAtMs: number | undefined;
  return {
    leftMs: () => Math.max(endMs - (pausedAtMs ?? performance.now()), 1),
    async pauseFor(work) {
      const beganMs = performance.now();
      pausedAtMs ??= beganMs;
      try {
        return await work();
      } finally {
        pausedAtMs = undefined;
        endMs += performance.now() - beganMs;
      }
    },
  };
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

/** `promise`, or StepTimeout once nothing is left of `budget`, whose time may stand still meanwhile. */
export async function withinBudget<T>(promise: Promise<T>, budget: Budget, step: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const wind = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      const leftMs = budget.leftMs();
      if (leftMs <= 1) late.reject(new StepTimeout(step));
      else timer = wind(leftMs);
    }, ms);
  let timer = wind(budget.leftMs());
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

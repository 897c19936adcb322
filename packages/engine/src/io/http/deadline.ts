// The time that a request has: it stands still while somebody else decides whether the request goes on.

/** Runs from its start until it is cleared. */
export interface Deadline {
  /** Milliseconds of all pauses so far. */
  readonly pausedMs: () => number;
  /** Does `work` while the time stands still. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
  clear(): void;
}

/** A deadline that calls `onPassed` after `ms` milliseconds without its pauses. */
export function startDeadline(ms: number, onPassed: () => void): Deadline {
  const startedMs = performance.now();
  let pausedMs = 0;
  let timer = setTimeout(onPassed, ms);
  return {
    pausedMs: () => pausedMs,
    async pauseFor(work) {
      const beganMs = performance.now();
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        pausedMs += performance.now() - beganMs;
        timer = setTimeout(onPassed, ms - (performance.now() - startedMs - pausedMs));
      }
    },
    clear: () => clearTimeout(timer),
  };
}

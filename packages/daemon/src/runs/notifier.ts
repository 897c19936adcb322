// Tells waiting streams that a run's log has grown. It carries no events: readers take those from the log.

export interface RunNotifier {
  notify(runId: number): void;
  /** Calls `listener` with the run's id at each notification of any run, until the returned function is called. */
  listen(listener: (runId: number) => void): () => void;
  /** Resolves at the next notification of this run, or when `signal` aborts. */
  next(runId: number, signal: AbortSignal): Promise<void>;
  /** How many listen or wait. */
  count(): number;
}

export function createRunNotifier(): RunNotifier {
  const listeners = new Set<(runId: number) => void>();
  const listen = (listener: (runId: number) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    notify: (runId) => {
      for (const listener of listeners) listener(runId);
    },
    listen,
    count: () => listeners.size,
    next: (runId, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          stop();
          signal.removeEventListener('abort', finish);
          resolve();
        };
        const stop = listen((id) => {
          if (id === runId) finish();
        });
        if (signal.aborted) finish();
        else signal.addEventListener('abort', finish);
      }),
  };
}

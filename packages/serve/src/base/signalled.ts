/** A terminal and npm both pass one Ctrl-C on to a program; what a person repeats comes later. */
const ONE_ASKING_MS = 500;

/**
 * Resolves when the process is asked to end (SIGTERM, SIGINT); asked again half a second later or after that, it ends at once with 1.
 * `now` gives milliseconds.
 */
export function signalled(now: () => number = () => performance.now()): Promise<void> {
  return new Promise((resolve) => {
    let askedMs: number | undefined;
    const onSignal = () => {
      askedMs ??= now();
      if (now() - askedMs >= ONE_ASKING_MS) process.exit(1);
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Resolves when the process is asked to end (SIGTERM, SIGINT); asked once more, it ends at once with 1. */
export function signalled(): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = () => {
      if (++count > 1) process.exit(1);
      resolve();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

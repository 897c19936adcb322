// Waits for what no event tells, one turn of the event loop at a time.

/** Resolves once `isTrue` answers true; it is asked again after every turn. The test's own timeout ends a wait in vain. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

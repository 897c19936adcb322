// Waits for what no event tells, one turn of the event loop at a time.

/** A guard, not a measure: a machine with much else to do takes its time. */
const PATIENCE_MS = 120_000;

/** Resolves once `isTrue` answers true; it is asked again after every turn. Rejects when it has not within two minutes. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const lastMs = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > lastMs) throw new Error(`not true within ${PATIENCE_MS} ms: ${isTrue}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

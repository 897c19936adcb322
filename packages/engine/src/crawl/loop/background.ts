// Work beside the visits of a crawl, which the crawl waits for before it ends.

/** Counts what runs and keeps the first failure. */
export class Background {
  failure: { readonly error: unknown } | undefined;
  private count = 0;
  private readonly onEnd: () => void;

  /** `onEnd` is called after each piece of work, whether it failed or not. */
  constructor(onEnd: () => void) {
    this.onEnd = onEnd;
  }

  get isIdle(): boolean {
    return this.count === 0;
  }

  start(work: Promise<void>): void {
    this.count++;
    void work
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        this.count--;
        this.onEnd();
      });
  }
}

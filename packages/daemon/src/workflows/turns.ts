// Lets so many runs at once into what they share: a workflow, or the login of a persona; the others stand in line.

/** Places by what is shared. */
export class WorkflowTurns {
  private readonly working = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** True where a place was free, and is taken. */
  tryTake(key: string, max: number): boolean {
    const taken = this.working.get(key) ?? 0;
    if (taken >= max) return false;
    this.working.set(key, taken + 1);
    return true;
  }

  /** Resolves once a place may be free, or at the abort. */
  next(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const line = this.waiting.get(key) ?? [];
      this.waiting.set(key, line);
      line.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  giveBack(key: string): void {
    const taken = (this.working.get(key) ?? 1) - 1;
    if (taken > 0) this.working.set(key, taken);
    else this.working.delete(key);
    const line = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    for (const wake of line) wake();
  }
}

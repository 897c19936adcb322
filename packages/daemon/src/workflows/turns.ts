// Lets so many runs of one workflow work at once; the others stand in line.

/** Places by workflow. */
export class WorkflowTurns {
  private readonly working = new Map<number, number>();
  private readonly waiting = new Map<number, (() => void)[]>();

  /** True where a place was free, and is taken. */
  tryTake(workflowId: number, max: number): boolean {
    const taken = this.working.get(workflowId) ?? 0;
    if (taken >= max) return false;
    this.working.set(workflowId, taken + 1);
    return true;
  }

  /** Resolves once a place may be free, or at the abort. */
  next(workflowId: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const line = this.waiting.get(workflowId) ?? [];
      this.waiting.set(workflowId, line);
      line.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  giveBack(workflowId: number): void {
    const taken = (this.working.get(workflowId) ?? 1) - 1;
    if (taken > 0) this.working.set(workflowId, taken);
    else this.working.delete(workflowId);
    const line = this.waiting.get(workflowId) ?? [];
    this.waiting.delete(workflowId);
    for (const wake of line) wake();
  }
}

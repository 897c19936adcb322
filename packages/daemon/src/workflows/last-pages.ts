// Pages that runs leave open, from the run to whoever asked for it, in memory alone.
import type { LastPageOfRun } from '@weft/engine';

/** One for all runs of a program. */
export class LastPages {
  private readonly wanted = new Map<number, LastPageOfRun | undefined>();

  /** Asks for the page of a run that has not begun. Whoever asks must `take` it in the end, whatever became of the run. */
  want(runId: number): void {
    this.wanted.set(runId, undefined);
  }

  isWanted(runId: number): boolean {
    return this.wanted.has(runId);
  }

  give(runId: number, page: LastPageOfRun | undefined): void {
    if (this.wanted.has(runId)) this.wanted.set(runId, page);
  }

  /** The page, once; undefined where the run left none. */
  take(runId: number): LastPageOfRun | undefined {
    const page = this.wanted.get(runId);
    this.wanted.delete(runId);
    return page;
  }
}

// Looks at a page again and again until it is as it is waited for.
import { PageError } from '../../../errors.ts';
import type { Budget } from '../deadline.ts';
import { isStepTimeout, StepTimeout } from '../deadline.ts';

/** Between two looks: soon at first, because most pages are ready. */
const WAITS_MS: readonly number[] = [0, 20, 50, 100, 100, 250];
/** What Playwright says of a page that is changing under its hands; the next look sees what it has become. */
const PASSING = /not attached|context was destroyed|Cannot find context|navigat|detached|has been closed|Unable to adopt|closed while/i;

/**
 * Calls `look`, with how often it was called before, until it answers. What passes away while the page changes is tried again; everything else
 * is thrown. Throws what `late` makes when the time is over, also where it ends in the middle of a look.
 */
export async function untilAnswered<T>(budget: Budget, look: (tries: number) => Promise<T | undefined>, late: () => Error): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await look(tries);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof PageError || error instanceof StepTimeout || !(error instanceof Error)) throw error;
      // Playwright's own: the look had all the time that was left.
      if (isStepTimeout(error)) throw late();
      if (!PASSING.test(error.message)) throw error;
    }
    const waitMs = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
    if (budget.leftMs() <= waitMs + 1) throw late();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

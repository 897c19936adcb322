// The clock that the agent goes by.
import type { CrawlClock } from '@weft/engine';
import { systemClock as clock } from '@weft/engine/io';

/** The clock that the agent goes by. */
export interface AgentClock extends CrawlClock {
  /**
   * As `alarm`, for what begins work by itself. In tests it rings only when the test moves the clock: runs that wait do so as well, and
   * would bring about the next run, and that one the next.
   */
  appointment(steadyMs: number, ring: () => void): () => void;
}

/** The system's. */
export const systemClock: AgentClock = { ...clock, appointment: clock.alarm };

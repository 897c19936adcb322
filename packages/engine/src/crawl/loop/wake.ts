// Lets one loop sleep until something happens or a time comes.
import type { CrawlClock } from '../crawl-ports.ts';

const AWAKE = new Error('awake');

/** A bell that is heard by the next or the present `wait`. */
export class Wake {
  private isRung = false;
  private ringing: (() => void) | undefined;

  ring(): void {
    this.isRung = true;
    this.ringing?.();
  }

  /** Resolves at the next ring, at `untilMs` (Infinity: never by itself), or at the abort. */
  async wait(clock: CrawlClock, untilMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isRung && !signal.aborted) {
      const asleep = new AbortController();
      const stop = () => this.ring();
      signal.addEventListener('abort', stop, { once: true });
      await new Promise<void>((resolve) => {
        this.ringing = resolve;
        if (untilMs < Infinity) void clock.sleepUntil(untilMs, asleep.signal).then(resolve);
      });
      signal.removeEventListener('abort', stop);
      // A reason of our own: making the usual exception costs more than all the rest, and this runs for every page.
      if (untilMs < Infinity) asleep.abort(AWAKE);
    }
    this.ringing = undefined;
    this.isRung = false;
  }
}

// The time that a run and its steps may take.
import type { CrawlClock } from '../crawl/crawl-ports.ts';

type LoopClock = Pick<CrawlClock, 'steadyMs' | 'alarm'>;

/** A signal that follows another, and ends after a time. */
export class Timer {
  isOver = false;
  readonly signal: AbortSignal;
  private readonly unring: () => void;
  private readonly unfollow: () => void;

  constructor(ms: number | undefined, clock: LoopClock, outer: AbortSignal) {
    const controller = new AbortController();
    this.signal = controller.signal;
    const follow = () => controller.abort();
    outer.addEventListener('abort', follow);
    if (outer.aborted) follow();
    this.unfollow = () => outer.removeEventListener('abort', follow);
    this.unring =
      ms === undefined
        ? () => undefined
        : clock.alarm(clock.steadyMs() + ms, () => {
            this.isOver = true;
            controller.abort();
          });
  }

  end(): void {
    this.unring();
    this.unfollow();
  }
}

/** The time that a run may work. It stands still while a person acts. */
export class Budget {
  seconds: number;
  private controller = new AbortController();
  private readonly clock: LoopClock;
  private readonly outer: AbortSignal;
  private readonly follow = () => this.controller.abort();
  private leftMs: number;
  private beganMs = 0;
  private unring: () => void = () => undefined;

  constructor(seconds: number, clock: LoopClock, outer: AbortSignal) {
    this.seconds = seconds;
    this.clock = clock;
    this.outer = outer;
    this.leftMs = seconds * 1000;
    outer.addEventListener('abort', this.follow);
    if (outer.aborted) this.follow();
    this.wind();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** So much time anew, whatever was left. */
  renew(seconds: number): void {
    this.unring();
    this.seconds = seconds;
    this.leftMs = seconds * 1000;
    if (!this.outer.aborted) this.controller = new AbortController();
    this.wind();
  }

  async whilePaused<T>(wait: () => Promise<T>): Promise<T> {
    this.unring();
    this.leftMs -= this.clock.steadyMs() - this.beganMs;
    try {
      return await wait();
    } finally {
      this.wind();
    }
  }

  end(): void {
    this.unring();
    this.outer.removeEventListener('abort', this.follow);
  }

  private wind(): void {
    this.beganMs = this.clock.steadyMs();
    this.unring = this.clock.alarm(this.beganMs + this.leftMs, this.follow);
  }
}

// How many runs execute at once: a total for all, and a bound for each queue, so that none keeps the others from their turn.
import type { RunQueue } from './store.ts';

/** How many places there are, together and in each queue. */
export type PlaceLimits = Readonly<Record<RunQueue | 'total', number>>;

/** Runs that have begun and are not settled, those included that have given their place back: what they hold is memory. */
const BEGUN_MAX = 1000;

/** Counts the places that are taken. */
export class Places {
  private readonly limits: PlaceLimits;
  private readonly queues: readonly RunQueue[];
  private readonly taken = new Map<RunQueue, number>();
  private total = 0;

  /** `queues` are those that runs can come from. */
  constructor(limits: PlaceLimits, queues: readonly RunQueue[]) {
    this.limits = limits;
    this.queues = queues;
  }

  /**
   * Whether a run of `queue` may begin while `begun` have. A queue that has a place already leaves one to each that has none, as long as
   * half of all places are left.
   */
  mayBegin(queue: RunQueue, begun: number): boolean {
    const own = this.takenBy(queue);
    const { total } = this.limits;
    if (begun >= BEGUN_MAX || own >= this.limits[queue]) return false;
    const without = this.queues.filter((other) => other !== queue && this.takenBy(other) === 0).length;
    const kept = own === 0 ? 0 : Math.min(without, Math.floor(total / 2));
    return total - this.total > kept;
  }

  /** Takes a place, whether there is one or not: a run that comes back to work is let in before those that have not begun. */
  take(queue: RunQueue): void {
    this.taken.set(queue, this.takenBy(queue) + 1);
    this.total++;
  }

  giveBack(queue: RunQueue): void {
    this.taken.set(queue, this.takenBy(queue) - 1);
    this.total--;
  }

  private takenBy(queue: RunQueue): number {
    return this.taken.get(queue) ?? 0;
  }
}

// The time for which a process holds a host: who of it is there, and when the host is given on.
import type { KeptLease } from './host-leases.ts';

export interface TenureTimes {
  /** For how long a host that others want is kept at least, and one that nobody asks at most. */
  readonly tenureMs: number;
  /** For how long a host that others have wanted of late is kept while nobody here asks it. */
  readonly idleMs: number;
}

export class Tenure {
  /** When it was last renewed. */
  keptMs: number;
  /** What the last renewal told. */
  kept: KeptLease;
  /** Aborts once it is to be given on: nobody here gets a place any more. */
  readonly ending = new AbortController();
  /** Resolves when it is over. */
  readonly over = Promise.withResolvers<void>();
  /** Another process has it: what is known here counts no more. */
  isLost = false;
  isGivenOn = false;
  private readonly sinceMs: number;
  private present = 0;
  private urgent = 0;
  private served = 0;
  /** Since when nobody has been there; while somebody is, of no meaning. */
  private idleSinceMs: number;

  constructor(sinceMs: number, isShared: boolean) {
    [this.sinceMs, this.keptMs, this.idleSinceMs] = [sinceMs, sinceMs, sinceMs];
    this.kept = { wanted: 'no', isShared };
  }

  /** Nobody here stands in line or holds a place. */
  get isEmpty(): boolean {
    return this.present === 0;
  }

  enter(isUrgent: boolean): void {
    this.present++;
    if (isUrgent) this.urgent++;
  }

  leave(isUrgent: boolean, nowMs: number): void {
    this.present--;
    if (isUrgent) this.urgent--;
    if (this.present === 0) this.idleSinceMs = nowMs;
  }

  /** Somebody here has a place. */
  serve(): void {
    this.served++;
  }

  /** Whether it is time to give the host on: when nobody here has anything of it, and when others want it and somebody here has had it. */
  isOver(nowMs: number, { tenureMs, idleMs }: TenureTimes): boolean {
    const { wanted, isShared } = this.kept;
    if (this.isEmpty) return wanted !== 'no' || nowMs - this.idleSinceMs >= (isShared ? idleMs : tenureMs);
    if (wanted === 'no' || this.served === 0) return false;
    return nowMs - this.sinceMs >= tenureMs || (wanted === 'urgently' && this.urgent === 0);
  }
}

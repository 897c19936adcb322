// The place that a run holds while it works, and gives to others while it waits.
import type { CrawlClock } from '@weft/engine';
import type { Runs } from './run.ts';

/** A run whose hosts have said nothing for so long works on nothing: by then two packets in a row were lost (RFC 6298, 2.1 and 5.5). */
const QUIET_MS = 3000;

/** What the work of a run does with its place. */
export interface RunTurn {
  /** Nothing can be done for now: others may have the place. */
  rest(): void;
  /** There is something to do: the run takes a place, also where none is free, since it began before those who wait for one. */
  work(): void;
  /** Rests until `wait` ends: of a host, or of a time. */
  whileWaiting<T>(wait: () => Promise<T>): Promise<T>;
  /** Rests until `wait` ends, of a person, and is `waiting_human` meanwhile; `message` says what is to be done. */
  whilePersonActs<T>(message: string, wait: () => Promise<T>): Promise<T>;
  /** Something came from a host. A run that hears nothing for three seconds rests until it hears again. */
  hear(): void;
  /** For how many milliseconds the place was held so far. */
  heldMs(): number;
}

/** What a turn is made of. */
export interface TurnPorts {
  readonly runs: Pick<Runs, 'pause' | 'resume'>;
  readonly clock: Pick<CrawlClock, 'steadyMs' | 'alarm'>;
  /** Takes a place, and gives it back. */
  readonly take: () => void;
  readonly giveBack: () => void;
}

/** The turn of run `id`, with its place taken; it ends with `end`, which gives the place back for good. */
export class PlacedTurn implements RunTurn {
  private readonly id: number;
  private readonly ports: TurnPorts;
  private isWorking = true;
  private isOver = false;
  private heardMs: number;
  /** Of all times before this one. */
  private heldBeforeMs = 0;
  private workingSinceMs: number;
  /** Ends the watch for silence, which begins with the first word of a host. */
  private unring: (() => void) | undefined;

  constructor(id: number, ports: TurnPorts) {
    this.id = id;
    this.ports = ports;
    this.heardMs = this.workingSinceMs = ports.clock.steadyMs();
    ports.take();
  }

  rest(): void {
    if (!this.isWorking) return;
    this.heldBeforeMs = this.heldMs();
    this.isWorking = false;
    this.ports.giveBack();
  }

  work(): void {
    if (this.isWorking || this.isOver) return;
    this.isWorking = true;
    this.workingSinceMs = this.ports.clock.steadyMs();
    this.ports.take();
  }

  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    this.rest();
    try {
      return await wait();
    } finally {
      this.work();
    }
  }

  async whilePersonActs<T>(message: string, wait: () => Promise<T>): Promise<T> {
    this.ports.runs.pause(this.id, message);
    try {
      return await this.whileWaiting(wait);
    } finally {
      this.ports.runs.resume(this.id);
    }
  }

  hear(): void {
    this.heardMs = this.ports.clock.steadyMs();
    this.work();
    if (!this.unring && !this.isOver) this.listen();
  }

  heldMs(): number {
    return this.heldBeforeMs + (this.isWorking ? this.ports.clock.steadyMs() - this.workingSinceMs : 0);
  }

  end(): void {
    this.isOver = true;
    this.unring?.();
    this.rest();
  }

  /** One alarm at a time, however much is heard. */
  private listen(): void {
    const { clock } = this.ports;
    this.unring = clock.alarm(this.heardMs + QUIET_MS, () => {
      this.unring = undefined;
      if (clock.steadyMs() < this.heardMs + QUIET_MS) this.listen();
      else this.rest();
    });
  }
}

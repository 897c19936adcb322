// A process that works on jobs of one kind: it claims as many as it has places for, says that it lives, and gives each on when its turn is over.
import { setTimeout as pause } from 'node:timers/promises';

export interface JobWorker {
  /** Looks for work now: some was just made here. */
  wake(): void;
  /** Gives back what it worked on; others go on with it at once. */
  stop(): Promise<void>;
}

/** A job that a process has, under a text that nobody else knows. */
export interface Claimed {
  readonly claim: string;
}

/** What a heartbeat is answered. */
export interface Alive {
  /** Those of the claims that still hold. */
  readonly held: ReadonlySet<string>;
  /** Jobs that wait for a place. */
  readonly waiting: number;
}

export interface JobWorkerOptions<Claim extends Claimed> {
  /** What the jobs are, for the log. */
  readonly name: string;
  /** Jobs at once. */
  readonly places: number;
  /** How long a job is worked on before others that wait have its place. */
  readonly turnMs: number;
  /** A job that waits; undefined where none does. */
  claim(): Promise<Claim | undefined>;
  /** Says that these claims live. */
  keepAlive(claims: readonly string[]): Promise<Alive>;
  /** Works until the job ends, is taken away or is given back; `over` lets it drain, `stop` stops it. */
  run(claim: Claim, over: AbortSignal, stop: AbortSignal): Promise<void>;
  /** True for one that gives its place on at the end of each turn, whether others wait or not. */
  drainsAlways(claim: Claim): boolean;
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
const LOOK_MS = 1000;

/** What a process works on. */
interface Working<Claim> {
  readonly claim: Claim;
  readonly sinceMs: number;
  readonly over: AbortController;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Begins to work. */
export function startJobWorker<Claim extends Claimed>(options: JobWorkerOptions<Claim>): JobWorker {
  const worker = new Worker(options);
  return { wake: () => worker.wake(), stop: () => worker.stop() };
}

class Worker<Claim extends Claimed> {
  private readonly options: JobWorkerOptions<Claim>;
  private readonly working = new Map<string, Working<Claim>>();
  private readonly stopping = new AbortController();
  private woken = new AbortController();
  private readonly looking: Promise<void>;
  private readonly heart: NodeJS.Timeout;
  private beating: Promise<void> | undefined;

  constructor(options: JobWorkerOptions<Claim>) {
    this.options = options;
    this.looking = this.look();
    const beatMs = Math.min(HEARTBEAT_MS, options.turnMs);
    this.heart = setInterval(() => {
      this.beating ??= this.beat()
        .catch((error: unknown) => options.logError(`the ${options.name} that are worked on could not be kept`, error))
        .finally(() => (this.beating = undefined));
    }, beatMs).unref();
  }

  wake(): void {
    this.woken.abort();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.woken.abort();
    await this.looking;
    for (const { stop } of this.working.values()) stop.abort();
    await Promise.all([...this.working.values()].map(({ done }) => done));
    clearInterval(this.heart);
    await this.beating;
  }

  private async look(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = new AbortController();
      const hasTaken = await this.take().catch((error: unknown) => {
        this.options.logError(`none of the ${this.options.name} could be claimed`, error);
        return false;
      });
      if (!hasTaken) await pause(LOOK_MS, undefined, { signal: this.woken.signal }).catch(() => undefined);
    }
  }

  private async take(): Promise<boolean> {
    const { places, name, logError } = this.options;
    if (this.working.size >= places || this.stopping.signal.aborted) return false;
    const claim = await this.options.claim();
    if (!claim) return false;
    const [over, stop] = [new AbortController(), new AbortController()];
    const done = this.options
      .run(claim, over.signal, stop.signal)
      .catch((error: unknown) => logError(`one of the ${name} could not be given back`, error))
      .finally(() => {
        this.working.delete(claim.claim);
        this.woken.abort();
      });
    this.working.set(claim.claim, { claim, sinceMs: performance.now(), over, stop, done });
    return true;
  }

  private async beat(): Promise<void> {
    // Others may be claimed meanwhile, of which this answer says nothing.
    const asked = [...this.working];
    if (asked.length === 0) return;
    const { held, waiting } = await this.options.keepAlive(asked.map(([claim]) => claim));
    // Cancelled, or taken over: nothing that it does would count.
    for (const [claim, { stop }] of asked) if (!held.has(claim)) stop.abort();
    this.endTurns(waiting);
  }

  /** As many places as are waited for are given on by those that have had theirs for long. */
  private endTurns(waiting: number): void {
    const sinceMs = performance.now() - this.options.turnMs;
    const draining = [...this.working.values()].filter(({ over }) => over.signal.aborted).length;
    let wanted = waiting - draining - (this.options.places - this.working.size);
    for (const { claim, over, sinceMs: begunMs } of this.working.values()) {
      if (over.signal.aborted || begunMs > sinceMs) continue;
      if (!this.options.drainsAlways(claim) && wanted-- <= 0) continue;
      over.abort();
    }
  }
}

// A process that works on jobs of one kind: it claims as many as it has places for, says that it lives, and gives each on when its turn is over.
import { setTimeout as pause } from 'node:timers/promises';

export interface JobWorker {
  /** Looks for work now: some was just made here. */
  wake(): void;
  /** Whether it has looked for work of late: where the database takes long to answer, it has not. */
  isLooking(): boolean;
  /** Lets what is under way end, for seconds, and gives back what it worked on; others go on with it at once. */
  stop(): Promise<void>;
}

/** Of a process that only answers calls. */
export const IDLE_WORKER: JobWorker = { wake: () => undefined, isLooking: () => true, stop: async () => undefined };

/** A job that a process has, under a text or a number that is given once. */
export interface Claimed {
  readonly claim: string | number;
}

/** What a heartbeat is answered. */
export interface Alive {
  /** Those of the claims that still hold. */
  readonly held: ReadonlySet<Claimed['claim']>;
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
  /** Jobs that wait, at most so many; none where none does. */
  claim(places: number): Promise<readonly Claim[]>;
  /** Says that these claims live. */
  keepAlive(claims: readonly Claim[]): Promise<Alive>;
  /** Works until the job ends, is taken away or is given back; `over` lets it drain, `stop` stops it. */
  run(claim: Claim, over: AbortSignal, stop: AbortSignal): Promise<void>;
  /** Told how many are worked on, whenever that changes. */
  onWorking?(count: number): void;
  /** True for one that gives its place on at the end of each turn, whether others wait or not. */
  drainsAlways(claim: Claim): boolean;
  logError(message: string, error: unknown): void;
}

const HEARTBEAT_MS = 2000;
/** Between two looks for work, longer the longer there was none: a thousand idle processes ask the database 330 times a second. */
const LOOK_MS = 1000;
const LOOK_MS_MAX = 3000;
/** Who has not looked for so long hangs. */
const STALLED_MS = 30_000;
/** Of a process that stops. */
const DRAIN_MS = 8000;

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
  return { wake: () => worker.wake(), isLooking: () => worker.isLooking(), stop: () => worker.stop() };
}

/** A job that was claimed alone, as `claim` answers it. */
export function asList<Claim>(claim: Claim | undefined): readonly Claim[] {
  return claim === undefined ? [] : [claim];
}

class Worker<Claim extends Claimed> {
  private readonly options: JobWorkerOptions<Claim>;
  private readonly working = new Map<Claimed['claim'], Working<Claim>>();
  private readonly stopping = new AbortController();
  private woken = new AbortController();
  private lookedMs = performance.now();
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

  isLooking(): boolean {
    return performance.now() - this.lookedMs < STALLED_MS;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.woken.abort();
    await this.looking;
    const working = [...this.working.values()];
    for (const { over } of working) over.abort();
    const ended = Promise.all(working.map(({ done }) => done));
    const patience = new AbortController();
    await Promise.race([ended, pause(DRAIN_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    for (const { stop } of working) stop.abort();
    await ended;
    clearInterval(this.heart);
    await this.beating;
  }

  private async look(): Promise<void> {
    let waitMs = LOOK_MS;
    while (!this.stopping.signal.aborted) {
      this.woken = new AbortController();
      this.lookedMs = performance.now();
      const hasTaken = await this.take().catch((error: unknown) => {
        this.options.logError(`none of the ${this.options.name} could be claimed`, error);
        return false;
      });
      if (hasTaken || this.working.size > 0) waitMs = LOOK_MS;
      // Not all at the same moment.
      const spreadMs = waitMs * (0.75 + Math.random() / 2);
      if (!hasTaken) await pause(spreadMs, undefined, { signal: this.woken.signal }).catch(() => (waitMs = LOOK_MS));
      waitMs = Math.min(LOOK_MS_MAX, waitMs * 2);
    }
  }

  private async take(): Promise<boolean> {
    const places = this.options.places - this.working.size;
    if (places <= 0 || this.stopping.signal.aborted) return false;
    const claims = await this.options.claim(places);
    for (const claim of claims) this.begin(claim);
    if (claims.length > 0) this.options.onWorking?.(this.working.size);
    return claims.length > 0;
  }

  private begin(claim: Claim): void {
    const { name, logError } = this.options;
    const [over, stop] = [new AbortController(), new AbortController()];
    const done = this.options
      .run(claim, over.signal, stop.signal)
      .catch((error: unknown) => logError(`one of the ${name} could not be given back`, error))
      .finally(() => {
        this.working.delete(claim.claim);
        this.options.onWorking?.(this.working.size);
        this.woken.abort();
      });
    this.working.set(claim.claim, { claim, sinceMs: performance.now(), over, stop, done });
  }

  private async beat(): Promise<void> {
    // Others may be claimed meanwhile, of which this answer says nothing.
    const asked = [...this.working.values()];
    if (asked.length === 0) return;
    const { held, waiting } = await this.options.keepAlive(asked.map(({ claim }) => claim));
    // Cancelled, or taken over: nothing that it does would count.
    for (const { claim, stop } of asked) if (!held.has(claim.claim)) stop.abort();
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

// The contexts that one browser has open: one for each owner and each set of private addresses, the oldest closed first.
import type { JobContext } from './context.ts';

/** Which context a page belongs to. */
export interface Job {
  /** Pages with the same owner share a context; without one the page gets a context that ends with it. */
  readonly owner: object | undefined;
  readonly privateTargets: readonly string[];
  /** True when the page itself is at a private address that the caller named. */
  readonly mayReachPrivate: boolean;
}

/** How a context is opened and closed. */
export interface ContextPorts {
  open(job: Job): Promise<JobContext>;
  close(place: JobContext): Promise<void>;
}

type OwnedContexts = Map<string, Promise<JobContext>>;

/** Finds a job's context, or opens it. */
export class JobContexts {
  /** Longest unused first. */
  private readonly byOwner = new Map<object, OwnedContexts>();
  private readonly ownersMax: number;
  private readonly ports: ContextPorts;

  /** `ownersMax` is at least the number of pages open at once, so that the oldest owner has none. */
  constructor(ownersMax: number, ports: ContextPorts) {
    this.ownersMax = ownersMax;
    this.ports = ports;
  }

  /** The context for a page of `job`. Give it back with `release`. */
  take(job: Job): Promise<JobContext> {
    if (job.owner === undefined) return this.ports.open(job);
    const owned = this.byOwner.get(job.owner) ?? new Map<string, Promise<JobContext>>();
    const key = JSON.stringify(job.mayReachPrivate ? job.privateTargets : []);
    const place = owned.get(key) ?? this.ports.open(job);
    owned.set(key, place);
    place.catch(() => owned.delete(key));
    this.byOwner.delete(job.owner);
    this.byOwner.set(job.owner, owned);
    this.closeOldest();
    return place;
  }

  /** Closes what belonged to one page only. */
  async release(job: Job, place: JobContext): Promise<void> {
    if (job.owner === undefined) await this.ports.close(place);
  }

  /** Ends every context's way out; the browser that had them is gone. */
  async closeEgress(): Promise<void> {
    const places = await Promise.allSettled([...this.byOwner.values()].flatMap((owned) => [...owned.values()]));
    this.byOwner.clear();
    await Promise.all(places.map((place) => (place.status === 'fulfilled' ? place.value.egress.close() : undefined)));
  }

  /** Owners come and go; what the oldest one kept in its context is in its cookie store too. */
  private closeOldest(): void {
    if (this.byOwner.size <= this.ownersMax) return;
    const oldest = this.byOwner.entries().next();
    if (oldest.done) return;
    const [owner, owned] = oldest.value;
    this.byOwner.delete(owner);
    for (const place of owned.values()) place.then((ready) => this.ports.close(ready)).catch(() => undefined);
  }
}

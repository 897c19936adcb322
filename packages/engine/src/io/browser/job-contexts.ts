// The contexts that one browser has open, by owner and by the private addresses that they reach; the oldest owner's are closed first.
import type { NameMemory } from '../../ports.ts';
import type { JobContext } from './context.ts';

/** Which context a page belongs to. */
export interface Job {
  /** Pages with the same owner share contexts; without one the page gets a context that ends with it. */
  readonly owner: object | undefined;
  readonly privateTargets: readonly string[];
  /** The same for all pages of an owner. */
  readonly names: NameMemory | undefined;
  /** True when the page itself is at a private address that the caller named. */
  readonly mayReachPrivate: boolean;
  /** The proxy that its pages come by. */
  readonly proxy?: string | undefined;
  /** The language of its pages. */
  readonly locale?: string | undefined;
  /** For whom, and whether somebody waits: see BrowserTurns. */
  readonly tenant?: string | undefined;
  readonly isUrgent?: boolean | undefined;
}

/** How a context is opened and closed. */
export interface ContextPorts {
  open(job: Job): Promise<JobContext>;
  close(place: JobContext): Promise<void>;
}

/**
 * Public pages of an owner are open in one context together. One that reaches private addresses has a page at a time: the page that leads
 * elsewhere ends its way there, and the context with it.
 */
interface OwnedContexts {
  readonly public: Map<string, Promise<JobContext>>;
  /** Those that no page has, by the addresses that they reach, proxy and language. */
  readonly free: Map<string, JobContext[]>;
}

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
    const owned = this.byOwner.get(job.owner) ?? { public: new Map<string, Promise<JobContext>>(), free: new Map<string, JobContext[]>() };
    this.byOwner.delete(job.owner);
    this.byOwner.set(job.owner, owned);
    this.closeOldest();
    if (job.mayReachPrivate) {
      const free = owned.free.get(keyOf(job))?.pop();
      return free ? Promise.resolve(free) : this.ports.open(job);
    }
    const way = JSON.stringify([job.proxy, job.locale]);
    const place = owned.public.get(way) ?? this.ports.open(job);
    owned.public.set(way, place);
    place.catch(() => owned.public.delete(way));
    return place;
  }

  /** Closes what belonged to one page only, and what no other page may have. */
  async release(job: Job, place: JobContext): Promise<void> {
    if (job.owner !== undefined && !job.mayReachPrivate) return;
    const owned = job.owner && this.byOwner.get(job.owner);
    if (!owned || place.egress.isPrivateClosed()) return await this.ports.close(place);
    owned.free.set(keyOf(job), [...(owned.free.get(keyOf(job)) ?? []), place]);
  }

  /** Ends every context's way out; the browser that had them is gone. */
  async closeEgress(): Promise<void> {
    const places = await Promise.allSettled([...this.byOwner.values()].flatMap(placesOf));
    this.byOwner.clear();
    await Promise.all(places.map((place) => (place.status === 'fulfilled' ? place.value.egress.close() : undefined)));
  }

  /** Owners come and go; what the oldest one kept in its contexts is in its cookie store too. */
  private closeOldest(): void {
    if (this.byOwner.size <= this.ownersMax) return;
    const oldest = this.byOwner.entries().next();
    if (oldest.done) return;
    const [owner, owned] = oldest.value;
    this.byOwner.delete(owner);
    for (const place of placesOf(owned)) place.then((ready) => this.ports.close(ready)).catch(() => undefined);
  }
}

function placesOf({ public: shared, free }: OwnedContexts): readonly Promise<JobContext>[] {
  return [...shared.values(), ...[...free.values()].flat().map((place) => Promise.resolve(place))];
}

function keyOf({ privateTargets, proxy, locale }: Job): string {
  return JSON.stringify([privateTargets, proxy, locale]);
}

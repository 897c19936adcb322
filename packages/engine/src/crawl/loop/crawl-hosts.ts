// The hosts of a crawl with what waits at each, leased ahead of need.
import { HostWork } from '../hosts/host-work.ts';
import type { FrontierStore, LeasedUrl, PendingByHost } from '../frontier-store.ts';

const LEASE_MS = 600_000;
/** Addresses leased ahead for one host: enough to keep it busy, few enough to keep the order of depth. */
const LEASED_AHEAD = 64;
/** More are not held for one host: what is late waits here while others are leased past it. */
const WAITING_MAX = 4 * LEASED_AHEAD;
/** Hosts that are looked at in one round; those that wait for their host don't count. */
export const HOSTS_PER_ROUND = 256;

/** Work by host. It counts what the store still has, so that only hosts with pending addresses are asked for. */
export class CrawlHosts {
  /** Every host that was met, for its robots rules, and those where something waits. */
  private readonly hosts = new Map<string, HostWork>();
  private readonly active = new Map<string, HostWork>();
  private readonly store: Pick<FrontierStore<never>, 'lease' | 'release'>;

  constructor(store: Pick<FrontierStore<never>, 'lease' | 'release'>) {
    this.store = store;
  }

  get isEmpty(): boolean {
    return this.active.size === 0;
  }

  /** Whether any leased address waits to be started. */
  get hasLeased(): boolean {
    for (const work of this.active.values()) if (work.waiting > 0) return true;
    return false;
  }

  /** The hosts where something waits. */
  all(): Iterable<HostWork> {
    return this.active.values();
  }

  find(host: string): HostWork | undefined {
    return this.hosts.get(host);
  }

  /** Puts a host aside where nothing waits. */
  drop(work: HostWork): void {
    this.active.delete(work.host);
  }

  addPending(pending: PendingByHost): void {
    for (const [host, count] of pending) this.workAt(host).pending += count;
  }

  /** Leases for hosts that run out, all in one call, and hands each address with its host to `take`. */
  async leaseAhead(nowMs: number, take: (leased: LeasedUrl, work: HostWork) => Promise<void>): Promise<void> {
    const starved: { readonly work: HostWork; readonly counted: number }[] = [];
    for (const work of this.active.values()) {
      if (starved.length >= HOSTS_PER_ROUND) break;
      if (work.pending > 0 && work.fresh <= LEASED_AHEAD / 4 && work.waiting <= WAITING_MAX) starved.push({ work, counted: work.pending });
    }
    if (starved.length === 0) return;
    const wants = starved.map(({ work }) => ({ host: work.host, count: LEASED_AHEAD }));
    const got = new Map<string, number>();
    for (const leased of await this.store.lease(wants, nowMs, nowMs + LEASE_MS)) {
      got.set(leased.host, (got.get(leased.host) ?? 0) + 1);
      await take(leased, this.workAt(leased.host));
    }
    for (const { work, counted } of starved) {
      const taken = got.get(work.host) ?? 0;
      // Fewer than asked for: the host had no more, whatever was counted. What was added while the store was asked stays.
      work.pending = Math.max(0, work.pending - (taken < LEASED_AHEAD ? counted : taken));
    }
  }

  /** Gives everything back that was leased and not started. */
  async release(): Promise<void> {
    await this.store.release([...this.active.values()].flatMap((work) => work.takeAll().map((visit) => visit.leased.id)));
  }

  private workAt(host: string): HostWork {
    let work = this.hosts.get(host);
    if (!work) {
      work = new HostWork(host);
      this.hosts.set(host, work);
    }
    this.active.set(host, work);
    return work;
  }
}

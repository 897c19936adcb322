// The order of those who wait at one host: who stays for the answer before the others, accounts in turn, and of one account who came first.
import type { HostLimits } from '../crawl-ports.ts';

/** So many who stay for their answers go first, one after another, while others wait: those keep a quarter of the host at least. */
export const URGENT_IN_A_ROW_MAX = 3;

/** Whoever waits, for whom. */
export interface Queued {
  readonly limits: Pick<HostLimits, 'tenant' | 'isUrgent'>;
}

/** Those of one haste, by tenant. */
type Tenants<Waiter> = Map<string | undefined, Set<Waiter>>;

/** Who had the last turns at a host: what another process goes on with. */
export interface HostTurns {
  /** Tenants, the last one first. */
  readonly served: readonly (string | undefined)[];
  /** How many who stayed for their answers went, one after another. */
  readonly urgentInARow: number;
}

/** So many tenants are remembered at each host. */
const SERVED_MAX = 16;

export const NO_TURNS: HostTurns = { served: [], urgentInARow: 0 };

/** Who waits at one host. Without tenants and haste it is a line: first come, first served. */
export class HostQueue<Waiter extends Queued> {
  turns = NO_TURNS;
  private readonly urgent: Tenants<Waiter> = new Map();
  private readonly others: Tenants<Waiter> = new Map();

  add(waiter: Waiter): void {
    const { tenant } = waiter.limits;
    const tenants = this.tenantsOf(waiter);
    const own = tenants.get(tenant);
    if (own) own.add(waiter);
    else tenants.set(tenant, new Set([waiter]));
  }

  has(waiter: Waiter): boolean {
    return this.tenantsOf(waiter).get(waiter.limits.tenant)?.has(waiter) === true;
  }

  /** False where it does not wait. */
  delete(waiter: Waiter): boolean {
    const tenants = this.tenantsOf(waiter);
    const own = tenants.get(waiter.limits.tenant);
    if (own?.delete(waiter) !== true) return false;
    if (own.size === 0) tenants.delete(waiter.limits.tenant);
    return true;
  }

  /** Whose turn it is, undefined where nobody waits: of the tenants the one whose last turn is longest ago, and of those with none who came first. */
  first(): Waiter | undefined {
    const { served, urgentInARow } = this.turns;
    const isTurnOfOthers = urgentInARow >= URGENT_IN_A_ROW_MAX && this.others.size > 0;
    const tenants = this.urgent.size > 0 && !isTurnOfOthers ? this.urgent : this.others;
    let next: Set<Waiter> | undefined;
    let longest = -1;
    for (const [tenant, own] of tenants) {
      const at = served.indexOf(tenant);
      const ago = at < 0 ? Infinity : at;
      if (ago > longest) [next, longest] = [own, ago];
      if (ago === Infinity) break;
    }
    for (const waiter of next ?? []) return waiter;
    return undefined;
  }

  /** Lets one go who has the turn. */
  serve(waiter: Waiter): void {
    const { tenant, isUrgent } = waiter.limits;
    this.delete(waiter);
    const { served, urgentInARow } = this.turns;
    this.turns = {
      served:
        served[0] === tenant && served.length > 0 ? served : [tenant, ...served.filter((other) => other !== tenant)].slice(0, SERVED_MAX),
      urgentInARow: isUrgent === true ? Math.min(URGENT_IN_A_ROW_MAX, urgentInARow + 1) : 0,
    };
  }

  /** How many come before one that would come now, at the least. */
  lengthFor({ tenant, isUrgent }: Queued['limits']): number {
    return (isUrgent === true ? this.urgent : this.others).get(tenant)?.size ?? 0;
  }

  /** Calls `visit` with each, and with how many come before it at the least; those of whom it answers true leave. */
  dismiss(visit: (waiter: Waiter, before: number) => boolean): void {
    for (const tenants of [this.urgent, this.others])
      for (const own of [...tenants.values()]) {
        let before = 0;
        for (const waiter of own) if (!visit(waiter, before) || !this.delete(waiter)) before++;
      }
  }

  private tenantsOf({ limits }: Waiter): Tenants<Waiter> {
    return limits.isUrgent === true ? this.urgent : this.others;
  }
}

// Remembers whether the hosts that a caller named were reached on the public internet: one that was once is never asked at a private address again.
import type { Fetcher, NameMemory, Reach } from '../../ports.ts';
import { hostAndPort } from '../../url/named-targets.ts';
import type { CrawlPorts, RobotsSource } from '../crawl-ports.ts';

/** What is known of the named hosts of one run; it survives the process with the rest of a crawl's memory. */
export class ReachMemory implements NameMemory {
  /** Counts what was learnt. */
  changes = 0;
  private readonly byName: Map<string, Reach>;

  constructor(saved: readonly (readonly [name: string, reach: Reach])[] = []) {
    this.byName = new Map(saved);
  }

  /** Notes where the host of `url` answered. The public answer of a name outweighs all others: its owner can point it anywhere. */
  note(url: string, reach: Reach): void {
    this.noteName(nameOf(url), reach);
  }

  private noteName(name: string, reach: Reach): void {
    const known = this.byName.get(name);
    if (known === 'public' || known === reach) return;
    this.byName.set(name, reach);
    this.changes++;
  }

  /** True when the host of `url` answered at private addresses, and nowhere else. */
  isPrivate(url: string): boolean {
    return this.byName.get(nameOf(url)) === 'private';
  }

  /** Notes where the host of `url` was found; false where it is private now and was public before. */
  admit(url: string, reach: Reach): boolean {
    return this.admitName(nameOf(url), reach);
  }

  /** The same for a host that is known by its name already. */
  admitName(name: string, reach: Reach): boolean {
    this.noteName(name, reach);
    return reach === 'public' || this.byName.get(name) === 'private';
  }

  toJSON(): readonly (readonly [name: string, reach: Reach])[] {
    return [...this.byName];
  }
}

/** `ports` that note where the hosts of `targets` are found, and ask none at a private address that `memory` knows as public. */
export function rememberReach<Ports extends Pick<CrawlPorts<unknown>, 'robots' | 'fetcher'>>(
  ports: Ports,
  targets: readonly string[],
  memory: ReachMemory,
): Ports {
  const named = new Set(targets.map((target) => nameOf(`http://${target}`)));
  if (named.size === 0) return ports;
  const names: NameMemory = {
    admit(url, reach) {
      const name = nameOf(url);
      return !named.has(name) || memory.admitName(name, reach);
    },
  };
  const fetcher: Pick<Fetcher, 'fetch'> = {
    async fetch(request, signal) {
      const page = await ports.fetcher.fetch({ ...request, names }, signal);
      // A page in a browser is public once anything of it was, and what answers for another run's look-up is noted as well.
      names.admit(page.url, page.reach ?? 'public');
      return page;
    },
  };
  const robots: RobotsSource = {
    async rulesFor(host, signal, limits, sinceMs) {
      const rules = await ports.robots.rulesFor(host, signal, limits, sinceMs, names);
      if (rules.reach) names.admit(host, rules.reach);
      return rules;
    },
  };
  return { ...ports, fetcher, robots };
}

/** Private addresses are open to what the caller named, and to what a page leads to that was itself reached at one (D31). */
export function reachablePrivately(parent: string | undefined, targets: readonly string[], memory: ReachMemory): readonly string[] {
  if (parent === undefined || targets.length === 0) return targets;
  const from = URL.parse(parent);
  return from && targets.includes(hostAndPort(from)) && memory.isPrivate(parent) ? targets : [];
}

function nameOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}

// Remembers whether the hosts that a caller named were reached on the public internet: one that was once is never asked at a private address again.
import type { Fetcher, Reach } from '../ports.ts';
import { hostAndPort } from '../url/named-targets.ts';
import type { CrawlPorts } from './crawl-ports.ts';

/** What is known of the named hosts of one crawl or map; it survives the process with the rest of the crawl's memory. */
export class ReachMemory {
  /** Counts what was learnt. */
  changes = 0;
  private readonly byName: Map<string, Reach>;

  constructor(saved: readonly (readonly [name: string, reach: Reach])[] = []) {
    this.byName = new Map(saved);
  }

  /** Notes where the host of `url` answered. The public answer of a name outweighs all others: its owner can point it anywhere. */
  note(url: string, reach: Reach): void {
    const name = nameOf(url);
    const known = this.byName.get(name);
    if (known === 'public' || known === reach) return;
    this.byName.set(name, reach);
    this.changes++;
  }

  /** True when the host of `url` answered at private addresses, and nowhere else. */
  isPrivate(url: string): boolean {
    return this.byName.get(nameOf(url)) === 'private';
  }

  /** Those of `targets` whose hosts never answered publicly. */
  open(targets: readonly string[]): readonly string[] {
    return targets.filter((target) => this.byName.get(nameOf(`http://${target}`)) !== 'public');
  }

  toJSON(): readonly (readonly [name: string, reach: Reach])[] {
    return [...this.byName];
  }
}

/** `ports` that note where the hosts of `targets` answer, and reach them at private addresses only as long as `memory` knows of no public one. */
export function rememberReach<Ports extends Pick<CrawlPorts<unknown>, 'robots'> & { readonly fetcher: Fetcher }>(
  ports: Ports,
  targets: readonly string[],
  memory: ReachMemory,
): Ports {
  const names = new Set(targets.map((target) => nameOf(`http://${target}`)));
  if (names.size === 0) return ports;
  const note = (url: string, reach: Reach) => {
    if (names.has(nameOf(url))) memory.note(url, reach);
  };
  const fetcher: Fetcher = {
    async fetch(request, signal) {
      let at = request.url;
      const beforeRedirect = async (url: string, status: number, reach: Reach) => {
        note(at, reach);
        at = url;
        await request.beforeRedirect?.(url, status, reach);
      };
      const page = await ports.fetcher.fetch(
        { ...request, privateTargets: memory.open(request.privateTargets ?? []), beforeRedirect },
        signal,
      );
      note(page.url, page.reach ?? 'public');
      return page;
    },
    close: () => ports.fetcher.close(),
  };
  const robots: Ports['robots'] = {
    async rulesFor(host, ...more) {
      const rules = await ports.robots.rulesFor(host, ...more);
      if (rules.reach) note(host, rules.reach);
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

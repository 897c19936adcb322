// Feeds a crawl from the sitemaps of its seeds while it runs.
import { PageError } from '../../errors.ts';
import type { Admission } from '../admission.ts';
import type { CrawlPorts, HostLimits } from '../crawl-ports.ts';
import { fetchInTurn } from '../hosts/host-turn.ts';
import type { CrawlOptions } from '../options.ts';
import type { PendingByHost } from '../frontier-store.ts';
import { sitemapCandidates, walkSitemaps } from './sitemap-walk.ts';

const BODY_BYTES_MAX = 52_428_800;
/** Entries beyond this many times the limit of the crawl would never be fetched. */
const ENTRIES_PER_PAGE = 20;
const OFFERS_MAX = 2_000;

/** Offers what the sitemaps of all seeds list, one link away from a seed. Sitemaps that can't be read are passed over. */
export async function feedSitemaps<Result>(
  options: CrawlOptions,
  ports: CrawlPorts<Result>,
  admission: Admission,
  offered: (pending: PendingByHost) => void,
  signal: AbortSignal,
): Promise<void> {
  const roots = await rootsOf(options, ports, signal);
  const entriesMax = Math.max(50_000, options.limit * ENTRIES_PER_PAGE);
  let entries = 0;
  for await (const step of walkSitemaps(roots, (url) => open(url, options, ports, signal))) {
    if (signal.aborted || entries > entriesMax) return;
    if (step.kind === 'file') continue;
    entries += step.pages.length;
    for (let at = 0; at < step.pages.length; at += OFFERS_MAX) {
      const nowMs = ports.clock.now();
      const found = { source: 'sitemap', depth: Math.min(1, options.maxDepth), parent: step.sitemap } as const;
      const offers = step.pages.slice(at, at + OFFERS_MAX).flatMap(({ url }) => admission.offersFor({ ...found, url }, nowMs));
      if (offers.length > 0) offered(await ports.store.offer(offers));
    }
  }
}

async function rootsOf<Result>(options: CrawlOptions, ports: CrawlPorts<Result>, signal: AbortSignal): Promise<readonly string[]> {
  const roots: string[] = [];
  for (const seed of options.seeds) {
    const rules = options.robots === 'off' ? undefined : await ports.robots.rulesFor(new URL(seed).origin, signal, limitsOf(options));
    // A host that could not say what is allowed is asked for nothing.
    if (rules?.access === 'disallow_all' && options.robots === 'enforce') continue;
    roots.push(...sitemapCandidates(seed, rules?.sitemaps ?? []));
  }
  return roots;
}

async function open<Result>(
  url: string,
  options: CrawlOptions,
  ports: CrawlPorts<Result>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined> {
  try {
    const request = { url, lane: 'http', bodyBytesMax: BODY_BYTES_MAX, privateTargets: options.privateTargets } as const;
    const page = await fetchInTurn(ports, request, limitsOf(options), signal);
    return page?.status === 200 ? once(Uint8Array.from(page.body)) : undefined;
  } catch (error) {
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

/** Where a delay is asked for, one request at a time. */
function limitsOf({ delayMs, hostConcurrency }: CrawlOptions): HostLimits {
  return { inFlightMax: delayMs > 0 ? 1 : hostConcurrency, gapMs: delayMs };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

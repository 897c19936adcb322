// Visits the only page of a crawl of one: nothing is judged beside it, no link of it is followed, and robots rules are told and keep nobody out.
import { refuseStatus } from '../../lane/page-status.ts';
import type { PageCopy, PageSink, RobotsReport } from '../crawl-ports.ts';
import { HOST_PATIENCE_MS } from '../hosts/host-pace.ts';
import { pacedFetcher } from '../hosts/paced-fetcher.ts';
import type { AskingOfOne, AskingPorts } from '../hosts/paced-fetcher.ts';
import { ReachMemory, rememberReach } from '../hosts/reach-memory.ts';
import { reportRobots } from '../hosts/robots-report.ts';
import { scanPage } from '../links/scan-page.ts';
import type { CrawlOptions } from '../options.ts';
import type { FrontierStore, KeptVerdict, LeasedUrl } from '../frontier-store.ts';
import { askUntilAnswered, findCopy, requestPage } from './page-request.ts';

const LEASE_MS = 600_000;

/** What shapes the visit. */
export interface OnlyPageOptions extends Pick<CrawlOptions, 'lane' | 'pageMaxAgeSeconds' | 'privateTargets' | 'agent'> {
  /** What asks for it may change something: it is not asked for again where it fails. */
  readonly isAskedOnce?: boolean;
}

/** What it is made with. */
export interface OnlyPagePorts<Result> extends AskingPorts {
  readonly sink: PageSink<Result>;
}

/** Takes over a crawl of `url` alone, and leases it; undefined when an earlier process had settled it already. */
export async function leaseOnlyPage(
  store: Pick<FrontierStore<never>, 'open' | 'offer' | 'lease'>,
  url: string,
  nowMs: number,
): Promise<LeasedUrl | undefined> {
  await store.open();
  const { origin } = new URL(url);
  await store.offer([{ url, identity: url, key: url, host: origin, depth: 0, source: 'seed', parent: undefined, skip: undefined }]);
  const [leased] = await store.lease([{ host: origin, count: 1 }], nowMs, nowMs + LEASE_MS);
  return leased;
}

/**
 * The page as it is kept: a copy that is fresh enough or that its host confirms, else what comes now, asked for as often and at the pace as a
 * page of any crawl. Throws PageError, for a status that no page has as well.
 */
export async function visitOnlyPage<Result>(
  leased: LeasedUrl,
  options: OnlyPageOptions,
  ports: OnlyPagePorts<Result>,
  signal: AbortSignal,
): Promise<KeptVerdict<Result>> {
  const { sink, clock, agent } = ports;
  const maxAgeMs = options.pageMaxAgeSeconds * 1000;
  const fresh = maxAgeMs > 0 ? await sink.findFresh?.(leased.url, maxAgeMs) : undefined;
  if (fresh) return reused(fresh);
  const { fetcher, robots } = askForOnly(options.privateTargets, ports);
  let report: Promise<RobotsReport | undefined> | undefined;
  const copy = await findCopy({ url: leased.url, lane: options.lane }, sink);
  const ask = () => {
    // Beside the page: what the file asks for is kept from then on.
    report ??= reportRobots(leased.url, { robots, clock, agent }, signal);
    // Where the page fails first, nobody waits for it.
    report.catch(() => undefined);
    const request = { url: leased.url, lane: options.lane, privateTargets: options.privateTargets };
    return requestPage(request, copy, { fetcher, clock }, signal);
  };
  const { page, confirmed } = options.isAskedOnce === true ? await ask() : await askUntilAnswered(ask, clock, signal);
  if (confirmed) return reused(confirmed);
  const refusal = refuseStatus(page, clock.now());
  if (refusal) throw refusal;
  const links = scanPage(page);
  const result = await sink.save(page, links, leased, report);
  const decided = await report;
  const rule = decided && !decided.allowed ? decided.rule : undefined;
  return { outcome: 'fetched', status: page.status, finalUrl: page.url, contentHash: links.contentHash, result, rule };
}

/** What the page and its host's robots.txt are asked with: hosts are waited for as long as for the pages of any crawl. */
function askForOnly(privateTargets: readonly string[], ports: AskingPorts): AskingOfOne {
  const fetcher = pacedFetcher(ports, ports.clock.steadyMs() + HOST_PATIENCE_MS);
  return rememberReach({ fetcher, robots: ports.robotsFor(privateTargets) }, privateTargets, new ReachMemory());
}

function reused<Result>({ status, finalUrl, links, result }: PageCopy<Result>): KeptVerdict<Result> {
  return { outcome: 'reused', status, finalUrl, contentHash: links.contentHash, result, rule: undefined };
}

// Parts of one page, read for a caller who stays for them; nothing is kept.
import { refuseStatus } from '../lane/page-status.ts';
import type { SelectRequest, SelectResult } from '../page/select.ts';
import type { ViewReader } from '../page/view-work.ts';
import { actingIn } from '../ports.ts';
import type { Lane, Page } from '../ports.ts';
import { askForOneWhoStays } from './hosts/paced-fetcher.ts';
import type { AskingPorts } from './hosts/paced-fetcher.ts';
import type { RobotsReport } from './crawl-ports.ts';
import { reportRobots } from './hosts/robots-report.ts';

/** The page that is meant: one that the caller holds, or one to fetch. */
export type PartsSource = { readonly url: string; readonly html: string } | FetchedSource;

/** A page to fetch. */
export interface FetchedSource {
  readonly url: string;
  readonly lane: Lane | 'auto';
  /** Private addresses that the caller named, as `host:port`. */
  readonly privateTargets: readonly string[];
  /** A proxy of the program's settings, by its name. */
  readonly proxy?: string | undefined;
}

/** What was read, and what is known of how the page came. */
export interface PageParts extends SelectResult {
  /** Where the page was found, after redirects. */
  readonly url: string;
  readonly status?: number;
  readonly lane?: Lane;
  /** What robots.txt says: for a single page that is told, not obeyed (D30). */
  readonly robots?: RobotsReport;
}

/** The parts of the page; what is asked for them counts as work of `caller`. Throws PageError, `selector` for a wrong one. */
export async function extractParts(
  from: PartsSource,
  asked: Omit<SelectRequest, 'source'>,
  ports: AskingPorts & { readonly views: ViewReader },
  caller: string,
  signal: AbortSignal,
): Promise<PageParts> {
  const { source, known } = 'html' in from ? givenPage(from) : await fetchPart(from, ports, signal);
  const { result } = await ports.views.run('select', { ...asked, source }, signal, caller);
  return { ...known, ...result };
}

/** What is read, and what is known of how it came. */
export interface FetchedPart {
  readonly source: Pick<Page, 'url' | 'body' | 'contentType'>;
  readonly known: PageParts;
}

function givenPage({ url, html }: { readonly url: string; readonly html: string }): FetchedPart {
  return { source: { url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' }, known: { url } };
}

/** The page, asked for when its host may be, with what robots.txt says of it. Throws PageError. */
export async function fetchPart(
  { url, lane, privateTargets, proxy }: FetchedSource,
  ports: AskingPorts,
  signal: AbortSignal,
): Promise<FetchedPart> {
  const { fetcher, robots } = askForOneWhoStays(ports, privateTargets);
  // At once with the page: what the file asks for is kept from then on.
  const report = reportRobots(url, { ...ports, robots }, signal);
  const page = await fetcher.fetch({ url, lane, privateTargets, ...actingIn({ proxy }) }, signal);
  const refusal = refuseStatus(page, ports.clock.now());
  if (refusal) throw refusal;
  const said = await report;
  return { source: page, known: { url: page.url, status: page.status, lane: page.lane, ...(said ? { robots: said } : {}) } };
}

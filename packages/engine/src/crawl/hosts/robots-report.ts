// What robots rules say of a single page: reported beside it, never in its way (D30).
import type { PageRecord } from '@weft/contract';
import type { Page } from '../../ports.ts';
import { decideRobots } from '../../robots/decide.ts';
import type { CrawlClock, RobotsReport, RobotsSource } from '../crawl-ports.ts';

/** A host that is slow to say is not waited for: the page is what was asked for. */
const REPORT_MS = 5000;

/** What the decision is made with. */
export interface ReportPorts {
  readonly robots: RobotsSource;
  readonly clock: Pick<CrawlClock, 'steadyMs' | 'alarm'>;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
}

/** The decision of the host's robots.txt on `url`; undefined when it did not come in time. */
export async function reportRobots(
  url: string,
  { robots, clock, agent }: ReportPorts,
  signal: AbortSignal,
): Promise<RobotsReport | undefined> {
  const late = new AbortController();
  const unring = clock.alarm(clock.steadyMs() + REPORT_MS, () => late.abort());
  const rules = await robots.rulesFor(new URL(url).origin, AbortSignal.any([signal, late.signal])).finally(unring);
  if (signal.aborted || late.signal.aborted || rules.unasked) return undefined;
  const { allowed, rule, line } = decideRobots(rules, agent, url);
  const reason = rule ?? rules.note;
  return { allowed, ...(reason === undefined ? {} : { rule: reason }), ...(line === undefined ? {} : { line }) };
}

/** True when the page or its `X-Robots-Tag` asks not to be indexed. */
export function saysNoindex(page: Page, metadata: PageRecord['metadata']): boolean {
  const meta = metadata?.['robots'] as { readonly noindex?: boolean } | undefined;
  return meta?.noindex === true || page.headers.some(([name, value]) => name === 'x-robots-tag' && /\b(?:noindex|none)\b/i.test(value));
}

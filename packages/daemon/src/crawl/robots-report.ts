// What robots rules say of a single page: reported beside it, never in its way (D30).
import type { PageRecord } from '@weft/contract';
import type { Page, RobotsSource } from '@weft/engine';
import { decideRobots } from '@weft/engine';

/** A host that is slow to say is not waited for: the page is what was asked for. */
const REPORT_MS = 5000;

export type RobotsReport = NonNullable<PageRecord['robots']>;

/** The decision of the host's robots.txt on `url`; undefined when it did not come in time. */
export async function decideForReport(
  source: RobotsSource,
  agent: string,
  url: string,
  signal: AbortSignal,
): Promise<Omit<RobotsReport, 'noindex'> | undefined> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(REPORT_MS)]);
  const rules = await source.rulesFor(new URL(url).origin, late);
  if (late.aborted || rules.unasked) return undefined;
  const { allowed, rule, line } = decideRobots(rules, agent, url);
  const reason = rule ?? rules.note;
  return { allowed, ...(reason === undefined ? {} : { rule: reason }), ...(line === undefined ? {} : { line }) };
}

/** True when the page or its `X-Robots-Tag` asks not to be indexed. */
export function saysNoindex(page: Page, metadata: PageRecord['metadata']): boolean {
  const meta = metadata?.['robots'] as { readonly noindex?: boolean } | undefined;
  return meta?.noindex === true || page.headers.some(([name, value]) => name === 'x-robots-tag' && /\b(?:noindex|none)\b/i.test(value));
}

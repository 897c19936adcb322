// A fetched page as the record that is kept of it.
import type { PageFormat, PageRecord } from '@weft/contract';
import { refusalOf } from '../../lane/choose-lane.ts';
import type { ViewReader } from '../../page/view-work.ts';
import type { Views } from '../../page/views.ts';
import type { Page } from '../../ports.ts';
import { sha256 } from '../../sha256.ts';
import type { StoredCrawlOptions } from '../work/wire-options.ts';

/** What is kept of a page unless the options say. */
export const DEFAULT_FORMATS: readonly PageFormat[] = ['markdown', 'metadata'];

/** Reads what the options ask for out of a page; nothing is parsed when they ask for nothing. Throws PageError. */
export async function readRecord(page: Page, options: StoredCrawlOptions, views: ViewReader, signal: AbortSignal): Promise<PageRecord> {
  const refusal = options.lane === 'http' ? refusalOf(page) : undefined;
  if (refusal) throw refusal;
  const formats = options.formats ?? DEFAULT_FORMATS;
  if (formats.length === 0) return toRecord(page, {});
  const { only_main_content: onlyMainContent = true, include_hidden: includeHidden = false } = options;
  const { result } = await views.run('views', { source: page, formats, onlyMainContent, includeHidden }, signal);
  return toRecord(page, result);
}

function toRecord(page: Page, views: Views): PageRecord {
  return {
    url: page.url,
    requested_url: page.requestedUrl,
    status: page.status,
    ...(page.contentType === undefined ? {} : { content_type: page.contentType }),
    lane: page.lane,
    lane_reason: page.laneReason,
    ...views,
    ...(page.optionsIgnored.length > 0 ? { options_ignored: [...page.optionsIgnored] } : {}),
    ...(page.redirects.length > 0 ? { redirects: page.redirects.map((hop) => ({ ...hop })) } : {}),
    timings_ms: toTimings(page.timings),
    content_hash: sha256(page.body),
    fetched_at: new Date(page.fetchedAtMs).toISOString(),
  };
}

/** The phases that happened, to a tenth of a millisecond. */
function toTimings({ totalMs, dnsMs, connectMs, firstByteMs, downloadMs, renderMs }: Page['timings']): PageRecord['timings_ms'] {
  const phases = { total: totalMs, dns: dnsMs, connect: connectMs, firstByte: firstByteMs, download: downloadMs, render: renderMs };
  return Object.fromEntries(Object.entries(phases).flatMap(([name, ms]) => (ms === undefined ? [] : [[name, Math.round(ms * 10) / 10]])));
}

// A fetched page as the record that is kept of it.
import { hash } from 'node:crypto';
import type { PageFormat, PageRecord } from '@weft/contract';
import type { Page, Views } from '@weft/engine';
import { refusalOf } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import { toInstant } from '@weft/serve';
import type { CopyChange } from './page-copy.ts';
import type { StoredCrawlOptions } from './engine-options.ts';

/** A page as the crawl keeps it: its record, and what is remembered for the next crawl. */
export interface KeptPage {
  readonly record: PageRecord;
  readonly copy: CopyChange | undefined;
}

/** What is kept of a page unless the options say. */
export const DEFAULT_FORMATS: readonly PageFormat[] = ['markdown', 'metadata'];

/** Reads what the options ask for out of a page; nothing is parsed when they ask for nothing. Throws PageError. */
export async function readRecord(page: Page, options: StoredCrawlOptions, views: ViewPool, signal: AbortSignal): Promise<PageRecord> {
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
    content_hash: hash('sha256', page.body),
    fetched_at: toInstant(page.fetchedAtMs),
  };
}

/** The phases that happened. */
function toTimings({ totalMs, dnsMs, connectMs, firstByteMs, downloadMs, renderMs }: Page['timings']): PageRecord['timings_ms'] {
  return {
    total: totalMs,
    ...(dnsMs === undefined ? {} : { dns: dnsMs }),
    ...(connectMs === undefined ? {} : { connect: connectMs }),
    ...(firstByteMs === undefined ? {} : { firstByte: firstByteMs }),
    ...(downloadMs === undefined ? {} : { download: downloadMs }),
    ...(renderMs === undefined ? {} : { render: renderMs }),
  };
}

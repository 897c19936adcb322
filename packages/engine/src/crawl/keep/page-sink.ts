// Turns the pages of one crawl into records, and finds the copies that earlier crawls left.
import type { Clock, Page } from '../../ports.ts';
import type { ViewReader } from '../../page/view-work.ts';
import type { PageCopy, PageSink } from '../crawl-ports.ts';
import { saysNoindex } from '../hosts/robots-report.ts';
import type { StoredCrawlOptions } from '../work/wire-options.ts';
import type { CopyChange, KeptPage, PageCopies, StoredCopy } from './page-copies.ts';
import { keepPictures } from './page-pictures.ts';
import type { KeepFile } from './page-pictures.ts';
import { DEFAULT_FORMATS, readRecord } from './page-record.ts';

/** What a sink reads pages with, and where it finds and keeps things. */
export interface SinkPorts {
  readonly views: ViewReader;
  readonly clock: Clock;
  /** Undefined for a crawl whose pages no other would look for. */
  readonly copies: PageCopies | undefined;
  readonly keepFile: KeepFile;
}

/** The sink of one crawl. */
export function createPageSink(options: StoredCrawlOptions, ports: SinkPorts, signal: AbortSignal): PageSink<KeptPage> {
  const { copies, clock } = ports;
  const persona = options.persona_id === undefined ? {} : { persona_id: options.persona_id };
  const toRecord: (...saved: Parameters<PageSink<KeptPage>['save']>) => Promise<KeptPage['record']> = async (
    page,
    _links,
    _url,
    report,
  ) => {
    const [record, robots] = await Promise.all([readRecord(page, options, ports.views, signal), report]);
    const pictures = await keepPictures(page, ports.keepFile);
    return {
      ...record,
      ...persona,
      ...pictures,
      ...(robots ? { robots: { ...robots, noindex: saysNoindex(page, record.metadata) } } : {}),
    };
  };
  if (!copies) return { save: async (...saved) => ({ record: await toRecord(...saved), copy: undefined }) };

  const scope = scopeOf(options);
  return {
    async save(page, links, leased, report) {
      const record = await toRecord(page, links, leased, report);
      const key = { url: leased.url, scope };
      return { record, copy: { kind: 'new', key, links, checkedAtMs: clock.now(), validators: validatorsOf(page) } };
    },
    async findFresh(url, maxAgeMs) {
      const key = { url, scope };
      const found = await copies.find(key);
      const ageMs = found ? clock.now() - found.checkedAtMs : -1;
      // Of one that is yet to come, since the clock was set back, nobody knows.
      if (!found || ageMs < 0 || ageMs > maxAgeMs) return undefined;
      return toCopy(found, { kind: 'renewed', key, checkedAtMs: found.checkedAtMs });
    },
    async findConfirmable(url) {
      const key = { url, scope };
      const found = await copies.find(key);
      if (!found?.validators) return undefined;
      const checkedAtMs = clock.now();
      const record = { ...found.record, fetched_at: new Date(checkedAtMs).toISOString() };
      return { ...toCopy({ ...found, record }, { kind: 'renewed', key, checkedAtMs }), validators: found.validators };
    },
  };
}

/** Whatever shapes a record, and who may see it: a copy that came from a private address serves only crawls that may go there, one of a persona its own (D24). */
function scopeOf(options: StoredCrawlOptions): string {
  const { formats = DEFAULT_FORMATS, only_main_content = true, include_hidden = false, lane = 'auto', private_targets = [] } = options;
  const waits = [options.wait_for, options.wait_for_selector, options.wait_ms, options.screenshot, options.pdf];
  const persona = options.persona_id === undefined ? [] : [options.persona_id];
  const proxy = options.proxy === undefined ? [] : [{ proxy: options.proxy }];
  return JSON.stringify([formats.toSorted(), only_main_content, include_hidden, lane, private_targets, waits, ...persona, ...proxy]);
}

/**
 * What the host can confirm the page by. Validators belong to the address that answered; one that was redirected is asked for anew. Those of
 * a rendered page say nothing of the data that its scripts brought.
 */
function validatorsOf(page: Page): StoredCopy['validators'] {
  if (page.lane !== 'http' || page.url !== page.requestedUrl) return undefined;
  const header = (name: string) => page.headers.find(([found]) => found === name)?.[1];
  const etag = header('etag');
  const lastModified = header('last-modified');
  if (etag === undefined && lastModified === undefined) return undefined;
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

function toCopy({ record, links }: StoredCopy, copy: CopyChange): PageCopy<KeptPage> {
  return { status: record.status, finalUrl: record.url, links, result: { record, copy } };
}

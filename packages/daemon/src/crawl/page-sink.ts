// Turns the pages of one crawl into records, and finds the copies that earlier crawls left.
import type { PageRecord } from '@weft/contract';
import type { ConfirmableCopy, Page, PageCopy, PageLinks, PageSink } from '@weft/engine';
import type { RunRow } from '../runs/run.ts';
import { isWithin, toInstant } from '@weft/serve';
import { DEFINITION_SOURCE } from './definition-store.ts';
import type { StoredCrawlOptions } from './engine-options.ts';
import { copyHash, packLinks, unpackLinks } from './page-copy.ts';
import type { CopyChange, PageCopyRow } from './page-copy.ts';
import { keepPictures } from './page-pictures.ts';
import { DEFAULT_FORMATS, readRecord } from './page-record.ts';
import type { KeptPage } from './page-record.ts';
import type { CrawlWorkPorts } from './ports.ts';

/**
 * The sink of one run. Copies are kept for saved crawls and where the options say for how long a page may be reused; other crawls would
 * never read them.
 */
export function createPageSink(
  run: RunRow,
  options: StoredCrawlOptions,
  ports: Pick<CrawlWorkPorts, 'copies' | 'views' | 'clock' | 'files'>,
  signal: AbortSignal,
): PageSink<KeptPage> {
  const { copies, clock } = ports;
  const record = async (page: Page) => ({
    ...(await readRecord(page, options, ports.views, signal)),
    ...(await keepPictures(page, run.id, ports.files)),
  });
  if (options.page_max_age === undefined && run.source_kind !== DEFINITION_SOURCE)
    return { save: async (page) => ({ record: await record(page), copy: undefined }) };

  const scope = scopeOf(options);
  return {
    async save(page, links, { url }) {
      return { record: await record(page), copy: newCopy(copyHash(url, scope), page, links, clock.now()) };
    },
    async findFresh(url, maxAgeMs) {
      const row = copies.find(copyHash(url, scope));
      if (!row || !isWithin(row.checked_at, maxAgeMs, clock.now())) return undefined;
      return toCopy(row, { kind: 'renewed', copy_hash: row.copy_hash, checked_at: row.checked_at });
    },
    async findConfirmable(url) {
      const row = copies.find(copyHash(url, scope));
      if (!row || (row.etag === null && row.last_modified === null)) return undefined;
      const checkedMs = clock.now();
      const copy = toCopy(row, { kind: 'renewed', copy_hash: row.copy_hash, checked_at: checkedMs }, toInstant(checkedMs));
      return { ...copy, validators: validatorsOf(row) };
    },
  };
}

/** Whatever shapes a record, and who may see it: a copy that came from a private address serves only crawls that may go there. */
function scopeOf(options: StoredCrawlOptions): string {
  const { formats = DEFAULT_FORMATS, only_main_content = true, include_hidden = false, lane = 'auto', private_targets = [] } = options;
  const waits = [options.wait_for, options.wait_for_selector, options.wait_ms, options.screenshot, options.pdf];
  return JSON.stringify([formats.toSorted(), only_main_content, include_hidden, lane, private_targets, waits]);
}

function newCopy(hash: Uint8Array, page: Page, links: PageLinks, nowMs: number): CopyChange {
  // The validators belong to the address that answered; one that was redirected is asked for anew. Those of a rendered page say
  // nothing of the data that its scripts brought.
  const isConfirmable = page.lane === 'http' && page.url === page.requestedUrl;
  const header = (name: string) => (isConfirmable ? (page.headers.find(([found]) => found === name)?.[1] ?? null) : null);
  return {
    kind: 'new',
    copy_hash: hash,
    checked_at: nowMs,
    etag: header('etag'),
    last_modified: header('last-modified'),
    links: packLinks(links),
  };
}

function toCopy(row: PageCopyRow, copy: CopyChange, fetchedAt?: string): PageCopy<KeptPage> {
  const kept = JSON.parse(row.body) as PageRecord;
  const record = fetchedAt === undefined ? kept : { ...kept, fetched_at: fetchedAt };
  return { status: record.status, finalUrl: record.url, links: unpackLinks(row.links), result: { record, copy } };
}

function validatorsOf({ etag, last_modified }: PageCopyRow): ConfirmableCopy<KeptPage>['validators'] {
  return { ...(etag === null ? {} : { etag }), ...(last_modified === null ? {} : { lastModified: last_modified }) };
}

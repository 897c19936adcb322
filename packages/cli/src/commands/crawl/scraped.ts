// What came of a crawl of one page.
import type { Crawl, PageRecord } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';
import { pageFailure } from '../../page-failure.ts';

/** Its page. Throws CommandError that says why there is none. */
export function pageOf(crawl: Crawl): PageRecord {
  const [page] = crawl.data;
  if (page) return page;
  if (crawl.failure) throw pageFailure({ failure: crawl.failure, url: crawl.url, command: 'scrape' });
  if (crawl.status === 'cancelled')
    throw new CommandError(`The scrape of ${crawl.url} was cancelled.`, { exitCode: EXIT.failed, code: 'cancelled' });
  throw new CommandError(`The scrape of ${crawl.url} gave no page.`, { exitCode: EXIT.failed, code: 'internal', next: ['weft logs'] });
}

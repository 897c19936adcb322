// weft scrape <url>: a crawl of one page through the agent (D26).
import type { Crawl, PageFormat, PageRecord } from '@weft/contract';
import { CommandError, EXIT } from '../exit.ts';
import type { CommandRun } from '../tree.ts';

const ALL_FORMATS: readonly PageFormat[] = ['markdown', 'html', 'text', 'links', 'metadata'];

export const run: CommandRun = async (context, [url = ''], options) => {
  const format = String(options['format']);
  const client = await context.client();
  const crawl: Crawl = await client.crawl.start(
    {
      url: url.includes('://') ? url : `https://${url}`,
      limit: 1,
      wait: true,
      timeout: parseSeconds(options['timeout']),
      formats: format === 'json' || context.isJson ? [...ALL_FORMATS] : [format as PageFormat],
      only_main_content: options['fullPage'] !== true,
      lane: options['lane'] as 'auto' | 'http' | 'browser',
    },
    { signal: context.signal },
  );
  const [page] = crawl.data;
  if (!page) throw notScraped(crawl);
  const file = typeof options['output'] === 'string' ? options['output'] : undefined;
  context.print(context.isJson || format === 'json' ? JSON.stringify(page, null, 2) : textOf(page, format), file);
  if (file !== undefined) context.say(`weft: wrote ${file}`);
};

function parseSeconds(text: string | boolean | undefined): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600) return seconds;
  throw new CommandError(`--timeout is "${String(text)}"; it must be a whole number of seconds from 1 to 3600.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

function textOf(page: PageRecord, format: string): string {
  if (format === 'links') return (page.links ?? []).map((link) => link.url).join('\n');
  if (format === 'metadata') return JSON.stringify(page.metadata ?? {}, null, 2);
  const text = page[format as 'markdown' | 'html' | 'text'];
  return typeof text === 'string' ? text : '';
}

function notScraped(crawl: Crawl): CommandError {
  if (crawl.failure)
    return new CommandError(`${crawl.url} could not be scraped. ${crawl.failure.message}`, {
      exitCode: EXIT.failed,
      code: crawl.failure.code,
      next: ['weft logs'],
    });
  if (crawl.status === 'cancelled')
    return new CommandError(`The scrape of ${crawl.url} was cancelled.`, { exitCode: EXIT.failed, code: 'cancelled' });
  return new CommandError(`The scrape of ${crawl.url} goes on (run ${crawl.id}); the time to wait is over.`, {
    exitCode: EXIT.waitSpent,
    code: 'wait_timeout',
    next: ['weft status'],
  });
}

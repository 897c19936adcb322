// weft scrape <url>: a crawl of one page through the agent (D26).
import type { Crawl, LaneChoice, PageFormat, PageRecord } from '@weft/contract';
import { toUrl } from '../../address.ts';
import { runJob } from '../../batch-process.ts';
import type { CommandContext } from '../../context.ts';
import { download, outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import type { CommandRun } from '../../spec.ts';

type Options = Parameters<CommandRun>[2];

const SECONDS_MAX = 3600;
const TOKENS_MAX = 10_000_000;
const ALL_FORMATS: readonly PageFormat[] = ['markdown', 'html', 'text', 'links', 'metadata'];

export const run: CommandRun = async (context, [url = ''], options) => {
  const cut = cutOf(options);
  if (options['lane'] === 'http' && options['waitFor'] !== undefined)
    throw new CommandError('--wait-for needs a browser, and --lane http has none.', { exitCode: EXIT.usage, code: 'bad_request' });
  const format = cut ? 'markdown' : String(options['format']);
  const file = await outputOf(options);
  for (const kind of ['screenshot', 'pdf'] as const) await outputOf({ output: options[kind] });
  const client = await context.client();
  const crawl: Crawl = await client.crawl.start(
    {
      url: toUrl(url),
      limit: 1,
      wait: true,
      timeout: wholeNumber(options, 'timeout', 1, SECONDS_MAX) ?? SECONDS_MAX,
      formats: format === 'json' || context.isJson ? [...ALL_FORMATS] : [format as PageFormat],
      only_main_content: options['fullPage'] !== true,
      ...(options['hidden'] === true ? { include_hidden: true } : {}),
      lane: options['lane'] as LaneChoice,
      ...(typeof options['waitFor'] === 'string' ? { wait_for_selector: options['waitFor'] } : {}),
      ...(options['screenshot'] === undefined ? {} : { screenshot: 'full' }),
      ...(options['pdf'] === undefined ? {} : { pdf: true }),
    },
    { signal: context.signal },
  );
  const [page] = crawl.data;
  if (!page) throw notScraped(crawl);
  for (const kind of ['screenshot', 'pdf'] as const) await savePicture(context, page[kind], kind, options[kind]);
  const isDocument = context.isJson || format === 'json';
  context.print(cut ? await cutMarkdown(page, cut, context) : isDocument ? JSON.stringify(page, null, 2) : textOf(page, format), file);
  if (page.hidden_words !== undefined)
    context.say(`weft: left out ${wordsOf(page.hidden_words)} that the page hides; --hidden reads them.`);
  if (file !== undefined) context.say(`weft: wrote ${file}`);
  if (options['lane'] === 'http' && page.markdown?.trim() === '')
    context.say('weft: the page shows no text without its scripts; without --lane http a browser runs them.');
};

/** Writes the picture to the file that the user named. Throws CommandError where the page came without it. */
async function savePicture(
  context: CommandContext,
  id: string | undefined,
  kind: 'screenshot' | 'pdf',
  output: string | boolean | undefined,
): Promise<void> {
  if (typeof output !== 'string') return;
  if (id === undefined)
    throw new CommandError(`The page came by HTTP, without a ${kind}; only a browser can take one.`, {
      exitCode: EXIT.failed,
      code: 'browser',
      next: ['weft browser status', 'weft browser install'],
    });
  const { transport } = await context.client();
  const path = `/v1/files/${encodeURIComponent(id)}/content`;
  await download(context, await transport.send({ method: 'GET', path, signal: context.signal }), output);
  context.say(`weft: wrote ${output}`);
}

/** How Markdown is cut: to a budget, or into pieces. */
interface Cut {
  readonly tokens_max: number;
  readonly chunks: boolean;
}

function cutOf(options: Options): Cut | undefined {
  const [budget, piece] = [wholeNumber(options, 'tokensMax', 1, TOKENS_MAX), wholeNumber(options, 'chunks', 1, TOKENS_MAX)];
  if (budget === undefined && piece === undefined) return undefined;
  if (budget !== undefined && piece !== undefined)
    throw new CommandError('--tokens-max and --chunks exclude each other.', { exitCode: EXIT.usage, code: 'bad_request' });
  return { tokens_max: budget ?? piece ?? TOKENS_MAX, chunks: piece !== undefined };
}

/** The engine cuts between blocks, so that no table or code is torn. What was cut off is said. */
async function cutMarkdown(page: PageRecord, cut: Cut, { isJson, say }: CommandContext): Promise<string> {
  const { markdown = '', chunks, tokens_left_out: leftOut } = await runJob('markdown', { markdown: page.markdown ?? '', ...cut });
  if (Array.isArray(chunks)) return isJson ? JSON.stringify(chunks, null, 2) : chunks.map((chunk) => JSON.stringify(chunk)).join('\n');
  if (typeof leftOut === 'number') say(`weft: cut to ${cut.tokens_max} tokens; about ${leftOut} more are left out.`);
  const said = leftOut === undefined ? {} : { markdown_tokens_left_out: leftOut };
  return isJson ? JSON.stringify({ ...page, markdown, ...said }, null, 2) : String(markdown);
}

function wordsOf(count: number): string {
  return count === 1 ? 'one word' : `${count} words`;
}

function textOf(page: PageRecord, format: string): string {
  if (format === 'links') return (page.links ?? []).map((link) => link.url).join('\n');
  const value = page[format as PageFormat];
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
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

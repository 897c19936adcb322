// weft crawl --cloud: crawls by a cloud, followed until they are settled; and what is shown of one.
import type { PageRecord } from '@weft/contract';
import { RunWaitTimeoutError } from '@weft/client/node';
import type { CloudClient, CloudCrawl } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT, describeFailure, failureText } from '../../exit.ts';
import { writePages } from '../../folder/pages-folder.ts';
import { pageFailure } from '../../page-failure.ts';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { crawlOptionsOf, numberOf } from '../crawl/options.ts';
import { addressOf, crawlOutputOf, sayFolder, writeAllPages } from '../crawl/output.ts';
import type { CrawlOutput } from '../crawl/output.ts';
import { createProgress, linksText } from '../crawl/progress.ts';
import { SENDING, refuseForCloud } from './options.ts';

type Options = Parameters<CommandRun>[2];

/** A year: a crawl ends by itself. */
const NO_TIMEOUT_SECONDS = 2_000_000;
const PAGES_PER_READ = 100;

/** Starts a crawl of each address and follows them one after the other; the exit code. */
export async function crawlByCloud(context: CommandContext, urls: readonly string[], options: Options): Promise<number> {
  refuseForCloud(options, [...SENDING, 'explain']);
  const output = await outputFor(options, options['formats']);
  const cloud = await context.cloud();
  const maxCredits = numberOf('max-credits', options['maxCredits']);
  const ids: string[] = [];
  for (const url of urls) {
    const asked = { ...crawlOptionsOf(url, options), ...(maxCredits === undefined ? {} : { max_credits: maxCredits }) };
    if (output?.kind === 'folder') asked.formats ??= [...output.formats];
    // The cloud checks each member; its refusal names the one that is wrong.
    const crawl = await cloud.crawls.start(asked as Parameters<CloudClient['crawls']['start']>[0], { signal: context.signal });
    if (crawl.clamped) context.say(`weft: it ends with ${crawl.clamped.limit} pages, as many as ${crawl.clamped.by} reaches for`);
    context.say(`weft: crawl ${crawl.id} of ${url}`);
    ids.push(crawl.id);
  }
  const codes: number[] = [];
  for (const id of ids)
    codes.push(await follow(context, cloud, id, { isDetached: options['detach'] === true, timeout: options['timeout'] }, output));
  return codes.every((code) => code === EXIT.done) ? EXIT.done : (codes.find((code) => code !== EXIT.done) ?? EXIT.failed);
}

/** What is known of a crawl of the cloud; with --follow once it is settled. */
export async function showCloudCrawl(context: CommandContext, id: string, options: Options): Promise<number> {
  refuseForCloud(options, ['ledger']);
  const output = await outputFor(options, undefined);
  return await follow(context, await context.cloud(), id, { isDetached: options['follow'] !== true, timeout: undefined }, output);
}

async function outputFor(options: Options, formats: Options[string]): Promise<Exclude<CrawlOutput, { kind: 'table' }> | undefined> {
  const output = await crawlOutputOf(options, typeof formats === 'string' ? formats.split(',') : undefined);
  if (output?.kind !== 'table') return output;
  throw new CommandError('A cloud keeps no tables; write its pages as JSON lines, or into a folder/.', {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

interface Following {
  readonly isDetached: boolean;
  readonly timeout: Options[string];
}

async function follow(
  context: CommandContext,
  cloud: CloudClient,
  id: string,
  { isDetached, timeout }: Following,
  output: Exclude<CrawlOutput, { kind: 'table' }> | undefined,
): Promise<number> {
  const { signal } = context;
  if (!isDetached) await waitFor(context, cloud, id, numberOf('timeout', timeout) ?? NO_TIMEOUT_SECONDS);
  const { data: _data, next_cursor: _next, ...crawl } = await cloud.crawls.read({ id, limit: 1 }, { signal });
  if (output) await write(context, cloud, id, output);
  const isData = output !== undefined && output.kind === 'pages' && output.file === undefined;
  if (isData) context.say(context.isJson ? JSON.stringify(crawl) : summaryOf(crawl));
  else context.show(crawl, summaryOf(crawl));
  if (crawl.failure) {
    const told = describeFailure(pageFailure({ failure: crawl.failure, url: crawl.url, command: 'crawl' }));
    context.say(failureText(told));
    return told.exitCode;
  }
  return crawl.status === 'cancelled' ? EXIT.failed : EXIT.done;
}

async function waitFor(context: CommandContext, cloud: CloudClient, id: string, timeout: number): Promise<void> {
  const progress = createProgress(context.status, undefined);
  try {
    await cloud.waitForCrawl(id, { timeout, signal: context.signal, onProgress: ({ counts }) => progress.show(counts, performance.now()) });
  } catch (error) {
    if (!context.signal.aborted && !(error instanceof RunWaitTimeoutError)) throw error;
    throw new CommandError(`Crawl ${id} goes on in the cloud. To end it: weft cloud jobs cancel ${id}`, {
      exitCode: context.signal.aborted ? EXIT.interrupted : EXIT.waitSpent,
      code: context.signal.aborted ? 'interrupted' : 'wait_timeout',
      next: [`weft crawl show ${id} --follow`],
    });
  } finally {
    progress.end();
  }
}

async function write(
  context: CommandContext,
  cloud: CloudClient,
  id: string,
  output: Exclude<CrawlOutput, { kind: 'table' }>,
): Promise<void> {
  const pages = cloud.crawls.read.all({ id, limit: PAGES_PER_READ }, { signal: context.signal });
  if (output.kind === 'folder') {
    const all: readonly PageRecord[] = await Array.fromAsync(pages);
    const each = async function* () {
      yield* all;
    };
    return sayFolder(context, output.folder, await writePages(output, all.map(addressOf), each()));
  }
  await writeAllPages(context, pages, output);
}

function summaryOf({ id, status, url, counts, credits, clamped }: Omit<CloudCrawl, 'data' | 'next_cursor'>): string {
  return pairs([
    ['crawl', `${id} (${status})`],
    ['address', url],
    ['pages', `${counts.fetched} fetched, ${counts.reused} reused, ${counts.failed} failed, ${linksText(counts.skipped)} not followed`],
    ['credits', `${credits.charged} of ${credits.budget}`],
    ...(clamped ? [['limit', `${clamped.limit} pages, as many as ${clamped.by} reaches for`] as const] : []),
  ]);
}

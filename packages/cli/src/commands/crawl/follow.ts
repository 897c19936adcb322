// Follows a crawl on standard error until it is settled, then gives what it brought.
import { Readable } from 'node:stream';
import type { Crawl, CrawlHold, LedgerReason, RunEvent } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { writeWhole } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { pairs } from '../../table.ts';
import { numberOf } from './options.ts';
import { createProgress } from './progress.ts';

/** A year: a crawl ends by itself. */
const NO_TIMEOUT_SECONDS = 2_000_000;
const PAGES_PER_READ = 50;

export interface FollowOptions {
  readonly detach?: boolean;
  /** As it was typed. */
  readonly timeout?: string | boolean | undefined;
  readonly output?: string | undefined;
}

/** Follows crawl `id` as the options say; the exit code of the command. Throws CommandError at an interrupt. */
export async function followCrawl(context: CommandContext, client: AgentClient, id: number, options: FollowOptions): Promise<number> {
  if (options.detach !== true) await waitForCrawl(context, client, id, options);
  return await showCrawl(context, client, id, { output: options.output });
}

/** Where the pages of a crawl go, and what is said of it beside its numbers. */
export interface ShowOptions {
  readonly output?: string | undefined;
  /** It was run earlier, and answers instead of a new one. */
  readonly isReused?: boolean;
}

/** Prints the numbers of a crawl, and writes its pages where `output` says; the exit code. */
export async function showCrawl(
  context: CommandContext,
  client: AgentClient,
  id: number,
  { output, isReused = false }: ShowOptions,
): Promise<number> {
  const { signal } = context;
  const { data: _first, next_cursor: _next, ...crawl } = await client.crawl.read({ id, limit: 1 }, { signal });
  const { data: reasons } = await client.crawl.reasons({ id }, { signal });
  if (output !== undefined) context.say(`weft: wrote ${await writePages(client, id, output, signal)} pages to ${output}`);
  context.show({ ...crawl, ...(isReused ? { reused: true } : {}), reasons }, summaryOf(crawl, reasons));
  for (const hold of crawl.held_by ?? []) context.say(holdText(hold, crawl.url));
  if (crawl.failure) context.say(`weft: ${crawl.failure.message}\nCause: ${crawl.failure.code}\nTry:   weft crawl show ${id} --ledger`);
  return crawl.status === 'failed' || crawl.status === 'cancelled' ? EXIT.failed : EXIT.done;
}

async function waitForCrawl(context: CommandContext, client: AgentClient, id: number, options: FollowOptions): Promise<void> {
  const { signal } = context;
  const progress = createProgress(process.stderr);
  const onEvent = (event: RunEvent) => {
    if (event.type === 'progress') progress.show(event.counts, Date.parse(event.at));
  };
  try {
    await client.waitForRun(id, { timeout: numberOf('timeout', options.timeout) ?? NO_TIMEOUT_SECONDS, signal, onEvent });
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.end();
    throw new CommandError(`Crawl ${id} goes on in the agent. To end it: weft crawl cancel ${id}`, {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
      next: [`weft crawl show ${id} --follow`],
    });
  } finally {
    progress.end();
  }
}

/** Writes the pages as JSON lines; how many there were. */
async function writePages(client: AgentClient, id: number, file: string, signal: AbortSignal): Promise<number> {
  let count = 0;
  async function* lines() {
    for (let cursor: string | undefined, isMore = true; isMore;) {
      const page: Crawl = await client.crawl.read({ id, limit: PAGES_PER_READ, ...(cursor === undefined ? {} : { cursor }) }, { signal });
      for (const record of page.data) yield `${JSON.stringify(record)}\n`;
      count += page.data.length;
      cursor = page.next_cursor;
      isMore = cursor !== undefined;
    }
  }
  await writeWhole(Readable.from(lines()), file, signal);
  return count;
}

const FLAGS: Readonly<Record<CrawlHold['option'], string>> = {
  crawl_entire_domain: '--entire-domain',
  allow_subdomains: '--subdomains',
  allow_external_links: '--external',
  include_paths: '--include',
  exclude_paths: '--exclude',
  respect_robots: '--ignore-robots',
  max_depth: '--max-depth',
};

/** What kept pages out, and the flag that opens it. */
function holdText({ says, rule, example, option, value }: CrawlHold, url: string): string {
  const flag = Array.isArray(value) ? value.map((pattern) => `--include '${pattern}'`).join(' ') : FLAGS[option];
  const isWhole = value !== undefined;
  const why = rule === undefined ? '' : ` (${rule})`;
  return `weft: held: ${says}${why}, such as ${example}\nTry:   ${isWhole ? `weft crawl ${url} ${flag}` : `another ${flag}`}`;
}

function summaryOf(crawl: Omit<Crawl, 'data' | 'next_cursor'>, reasons: readonly LedgerReason[]): string {
  const { counts } = crawl;
  const lines: [string, string | number][] = [
    ['crawl', `${crawl.id} (${crawl.status})`],
    ['address', crawl.url],
    ['pages', `${counts.fetched} fetched, ${counts.reused} reused`],
    ['dataset', crawl.dataset_id],
  ];
  if (counts.pending > 0) lines.push(['queued', counts.pending]);
  for (const { outcome, reason, count } of reasons) if (reason !== undefined) lines.push([outcome, `${count} ${reason}`]);
  return pairs(lines);
}

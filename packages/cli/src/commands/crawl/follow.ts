// Follows a crawl on standard error until it is settled, then gives what it brought.
import type { Crawl, CrawlHold, LedgerReason, RunEvent, RunFailure } from '@weft/contract';
import { ApiError, RunWaitTimeoutError, isSettled } from '@weft/client/node';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT, describeFailure, failureText } from '../../exit.ts';
import { pageFailure } from '../../page-failure.ts';
import { pairs } from '../../table.ts';
import type { DiffCounts } from '../datasets/diff.ts';
import { countsText, hasChanged } from '../datasets/diff.ts';
import { numberOf } from './options.ts';
import { writeCrawls } from './output.ts';
import type { CrawlOutput } from './output.ts';
import { createProgress, linksText } from './progress.ts';

/** A year: a crawl ends by itself. */
const NO_TIMEOUT_SECONDS = 2_000_000;

/** Shows a value under --json, else its text. */
export type Show = (told: object, text: string) => void;

export interface FollowOptions {
  readonly detach?: boolean;
  /** As it was typed. */
  readonly timeout?: string | boolean | undefined;
  readonly output?: CrawlOutput | undefined;
  /** Shows its numbers; on standard output unless said. */
  readonly show?: Show;
  readonly compare?: Comparing;
}

/** Of a saved crawl: what differs from the run before is said, and is an exit code of its own where that is asked for. */
export interface Comparing {
  readonly exitCode: boolean;
}

/** Follows crawl `id` as the options say; the exit code of the command. Throws CommandError at an interrupt. */
export async function followCrawl(context: CommandContext, client: AgentClient, id: number, options: FollowOptions): Promise<number> {
  if (options.detach !== true) await waitForCrawl(context, client, id, options);
  return await showCrawl(context, client, id, options);
}

/** Where the pages of a crawl go, and what is said of it beside its numbers. */
export interface ShowOptions {
  readonly output?: CrawlOutput | undefined;
  /** It was run earlier, and answers instead of a new one. */
  readonly isReused?: boolean;
  readonly show?: Show;
  readonly compare?: Comparing;
}

/** Prints the numbers of a crawl, and writes its pages where `output` says; the exit code. */
export async function showCrawl(
  context: CommandContext,
  client: AgentClient,
  id: number,
  { output, isReused = false, show = showOf(context, output), compare }: ShowOptions,
): Promise<number> {
  const { signal } = context;
  const { data: _first, next_cursor: _next, ...crawl } = await client.crawl.read({ id, limit: 1 }, { signal });
  const { data: reasons } = await client.crawl.reasons({ id }, { signal });
  if (output) await writeCrawls(context, client, [id], output);
  const changes = compare && isSettled(crawl.status) && !isReused ? await changesOf(client, crawl, context) : undefined;
  const told = { ...crawl, ...(isReused ? { reused: true } : {}), reasons, ...(changes ? { changes } : {}) };
  show(told, summaryOf(crawl, reasons, changes));
  if (crawl.failure) return sayFailure(context, crawl.failure, crawl.url);
  for (const hold of crawl.held_by ?? []) context.say(holdText(hold, crawl.url));
  if (crawl.status === 'cancelled') return EXIT.failed;
  return compare?.exitCode === true && changes && hasChanged(changes) ? EXIT.changed : EXIT.done;
}

/** Of links that are not followed because they lead to other sites. */
const OTHER_SITES = 'off_site';

/** Says why a crawl kept nothing; its exit code. */
function sayFailure(context: CommandContext, failure: RunFailure, url: string): number {
  const told = describeFailure(pageFailure({ failure, url, command: 'crawl' }));
  context.say(failureText(told));
  return told.exitCode;
}

/** Where data goes to standard output, what is said of it goes elsewhere; under --quiet what is told beside data is not. */
export function showOf(context: CommandContext, output: CrawlOutput | undefined): Show {
  if (output !== undefined && context.isQuiet && !context.isJson) return () => undefined;
  if (output === undefined || output.kind === 'folder' || output.file !== undefined) return context.show;
  return (told, text) => context.say(context.isJson ? JSON.stringify(told) : text);
}

/** Shows the progress of crawl `id` until it is settled. Throws CommandError at an interrupt. */
async function waitForCrawl(context: CommandContext, client: AgentClient, id: number, options: FollowOptions): Promise<void> {
  const { signal } = context;
  const progress = createProgress(context.status, async () => {
    const { data } = await client.crawl.reasons({ id }, { signal });
    return data.find(({ reason }) => reason === OTHER_SITES)?.count ?? 0;
  });
  const onEvent = (event: RunEvent) => {
    if (event.type === 'progress') progress.show(event.counts, Date.parse(event.at));
  };
  try {
    await client.waitForRun(id, { timeout: numberOf('timeout', options.timeout) ?? NO_TIMEOUT_SECONDS, signal, onEvent });
  } catch (error) {
    if (!signal.aborted && !(error instanceof RunWaitTimeoutError)) throw error;
    if (!signal.aborted)
      throw new CommandError(`The time to wait is over; crawl ${id} goes on in the agent. To end it: weft crawl cancel ${id}`, {
        exitCode: EXIT.waitSpent,
        code: 'wait_timeout',
        next: [`weft crawl show ${id} --follow`],
      });
    throw new CommandError(`Crawl ${id} goes on in the agent. To end it: weft crawl cancel ${id}`, {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
      next: [`weft crawl show ${id} --follow`],
    });
  } finally {
    progress.end();
  }
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

/** How many records are new, changed, gone and equal since the run before; undefined for the first. */
async function changesOf(client: AgentClient, { id, dataset_id }: Pick<Crawl, 'id' | 'dataset_id'>, { signal }: CommandContext) {
  try {
    const { changes: _changes, matched_by: _by, ...counts } = await client.datasets.diff({ id: dataset_id, to: id, limit: 0 }, { signal });
    return counts;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function summaryOf(
  crawl: Omit<Crawl, 'data' | 'next_cursor'>,
  reasons: readonly LedgerReason[],
  changes: (DiffCounts & { readonly from: number }) | undefined,
): string {
  const { counts } = crawl;
  const lines: [string, string | number][] = [
    ['crawl', `${crawl.id} (${crawl.status})`],
    ['address', crawl.url],
    ['pages', `${counts.fetched} fetched, ${counts.reused} reused`],
  ];
  if (crawl.dataset_id > 0) lines.push(['dataset', crawl.dataset_id]);
  if (counts.pending > 0) lines.push(['queued', counts.pending]);
  for (const { outcome, reason, count } of reasons)
    if (reason !== undefined)
      lines.push(reason === OTHER_SITES ? ['elsewhere', `${linksText(count)} to other sites`] : [outcome, `${count} ${reason}`]);
  if (changes) lines.push([`since ${changes.from}`, countsText(changes)]);
  return pairs(lines);
}

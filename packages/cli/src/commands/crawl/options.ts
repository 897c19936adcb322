// The options of a crawl as the command line has them, turned into those of the agent (D27).
import type { CrawlOptions } from '@weft/contract';
import { toUrl } from '../../address.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

type CommandOptions = Parameters<CommandRun>[2];

/** The options that `weft crawl <url>` and `weft crawl save <url>` share. Throws CommandError for a number that is none. */
export function crawlOptionsOf(url: string, options: CommandOptions): CrawlOptions {
  const given = {
    limit: numberOf('limit', options['limit']),
    max_depth: numberOf('max-depth', options['maxDepth']),
    include_paths: linesOf(options['include']),
    exclude_paths: linesOf(options['exclude']),
    sitemap: options['sitemap'],
    allow_subdomains: options['subdomains'],
    allow_external_links: options['external'],
    crawl_entire_domain: options['entireDomain'],
    ignore_query_parameters: options['ignoreQuery'],
    follow_actions: options['followActions'],
    all_views: options['allViews'],
    obey_nofollow: options['obeyNofollow'],
    delay_ms: numberOf('delay', options['delay']),
    max_concurrency: numberOf('concurrency', options['concurrency']),
    formats: formatsOf(options['formats']),
    only_main_content: options['fullPage'] === true ? false : undefined,
    include_hidden: options['hidden'] === true ? true : undefined,
    page_max_age: numberOf('page-max-age', options['pageMaxAge']),
    lane: options['lane'],
    proxy: options['proxy'],
    persona_id: numberOf('persona', options['persona']),
    respect_robots: options['ignoreRobots'] === true ? false : undefined,
  };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  // The agent checks each member; its refusal names the one that is wrong.
  return { url: toUrl(url), ...sent } as CrawlOptions;
}

/** A whole number, or undefined where the option was not given. Throws CommandError. */
export function numberOf(name: string, text: CommandOptions[string]): number | undefined {
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandError(`--${name} is "${String(text)}"; it must be a whole number.`, { exitCode: EXIT.usage, code: 'bad_request' });
}

/** The number of a crawl. Throws CommandError. */
export function crawlIdOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new CommandError(`"${text}" is no number of a crawl.`, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft crawl list'] });
}

function linesOf(text: CommandOptions[string]): readonly string[] | undefined {
  return typeof text === 'string' ? text.split('\n') : undefined;
}

function formatsOf(text: CommandOptions[string]): readonly string[] | undefined {
  if (typeof text !== 'string') return undefined;
  return text === '-' ? [] : text.split(',').map((name) => name.trim());
}

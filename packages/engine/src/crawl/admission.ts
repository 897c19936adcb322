// Decides which addresses a crawl takes in, and says what decided. The same decisions explain an address before a crawl is run.
import type { PathFilters } from '../url/filters.ts';
import { compileFilters, decideFilters } from '../url/filters.ts';
import { findMediaEnding } from '../url/file-type.ts';
import { decideScope, findHost } from '../url/scope.ts';
import { findUrlTrap } from '../url/traps.ts';
import { dedupeKey } from '../url/dedupe-key.ts';
import { decideRobots } from '../robots/decide.ts';
import type { RobotsRules } from '../robots/rules.ts';
import type { Skip, UrlOffer, UrlSource } from './ledger.ts';
import type { CrawlOptions } from './options.ts';
import type { TrapMemory } from './trap-memory.ts';

/** Where an address was found. */
export interface Finding {
  readonly url: string;
  readonly source: UrlSource;
  readonly depth: number;
  readonly parent: string | undefined;
}

/** The rules of one crawl, compiled once. */
export class Admission {
  private readonly options: CrawlOptions;
  private readonly filters: PathFilters;
  private readonly traps: TrapMemory | undefined;
  /** The seeds and where they answered: scope is measured from both. */
  private readonly roots: string[];
  private readonly movedTo: string[];

  /** `movedTo` grows with each root that is added. Throws SyntaxError for a path pattern that can't be compiled. */
  constructor(options: CrawlOptions, traps?: TrapMemory, movedTo: string[] = []) {
    this.options = options;
    this.filters = compileFilters(options.includePaths, options.excludePaths);
    this.traps = traps;
    this.roots = [...options.seeds, ...movedTo];
    this.movedTo = movedTo;
  }

  /** Lets everything that belongs to `url` in: a seed that was moved goes on where it went. */
  addRoot(url: string): void {
    if (this.roots.includes(url)) return;
    this.roots.push(url);
    this.movedTo.push(url);
  }

  /** The offer for an address that was found; undefined when it is no http or https address. */
  offerFor(finding: Finding, nowMs: number): UrlOffer | undefined {
    const host = findHost(finding.url);
    if (host === undefined) return undefined;
    const skip = this.findSkip(finding, nowMs);
    const key = skip ? finding.url : dedupeKey(finding.url, { hashRoutes: this.options.lane === 'browser' });
    return { ...finding, identity: this.identityOf(finding.url), key, host, skip };
  }

  /** Why the address is not fetched, before any robots rules; undefined when it is. */
  findSkip(finding: Finding, nowMs: number): Skip | undefined {
    const { url, source, depth } = finding;
    const scope = decideScope(this.options, this.roots, url);
    if (scope.reason !== undefined) return { reason: scope.reason, rule: scope.rule };
    const filter = decideFilters(this.filters, url);
    // A seed leads to what is included, so it need not be included itself.
    if (filter.reason !== undefined && !(source === 'seed' && filter.reason === 'not_included'))
      return { reason: filter.reason, rule: filter.rule };
    const ending = findMediaEnding(url);
    if (ending !== undefined && source !== 'seed') return { reason: 'file_type', rule: ending };
    if (depth > this.options.maxDepth) return { reason: 'depth', rule: `max_depth is ${this.options.maxDepth}` };
    const trap = source === 'seed' ? undefined : (findUrlTrap(url, nowMs) ?? this.traps?.find(url));
    return trap && { reason: 'trap', rule: `${trap.trap}: ${trap.rule}` };
  }

  /** What makes an address one address within this crawl. */
  identityOf(url: string): string {
    if (!this.options.ignoreQueryParameters) return url;
    const mark = url.indexOf('?');
    return mark < 0 ? url : url.slice(0, mark);
  }
}

/** What a crawl would do with one address. */
export interface UrlExplanation {
  readonly fetched: boolean;
  readonly reason: Skip['reason'] | undefined;
  /** What decided, or for a fetched address the include pattern or robots line that lets it in. */
  readonly rule: string | undefined;
  readonly robotsLine: number | undefined;
}

/**
 * Which rule decides `url` in a crawl with these options, without asking anyone: scope, path filters, file type, depth, traps by form, and
 * robots where the host's `rules` are given. `depth` is how far from a seed it would be found.
 */
export function explainUrl(options: CrawlOptions, rules: RobotsRules | undefined, url: string, nowMs: number, depth = 1): UrlExplanation {
  const source = options.seeds.includes(url) ? 'seed' : 'link';
  const skip = new Admission(options).findSkip({ url, source, depth: source === 'seed' ? 0 : depth, parent: undefined }, nowMs);
  if (skip) return { fetched: false, reason: skip.reason, rule: skip.rule, robotsLine: undefined };
  const robots = rules && options.robots !== 'off' ? decideRobots(rules, options.agent, url) : undefined;
  if (robots && !robots.allowed) {
    const isObeyed = options.robots === 'enforce';
    return { fetched: !isObeyed, reason: isObeyed ? 'robots' : undefined, rule: robots.rule, robotsLine: robots.line };
  }
  const filter = decideFilters(compileFilters(options.includePaths, options.excludePaths), url);
  return {
    fetched: true,
    reason: undefined,
    rule: filter.rule ?? robots?.rule,
    robotsLine: filter.rule === undefined ? robots?.line : undefined,
  };
}

// Decides which addresses a crawl takes in, and says what decided. The same decisions explain an address before a crawl is run.
import type { PathFilters } from '../url/filters.ts';
import { findAct } from '../url/acts.ts';
import { findEnding } from '../url/file-type.ts';
import { findExitTarget } from '../url/exit-target.ts';
import { compileFilters, decideFilters } from '../url/filters.ts';
import { canBeFolder, decideScope, findHost, isFolderPage } from '../url/scope.ts';
import { findUrlTrap } from '../url/traps.ts';
import { dedupeKey } from '../url/dedupe-key.ts';
import { isOwnView } from '../url/own-view.ts';
import { findPrintView } from '../url/print-view.ts';
import { findProgramScript } from '../url/program-script.ts';
import { withoutTracking } from '../url/query-noise.ts';
import { decideRobots } from '../robots/decide.ts';
import type { RobotsRules } from '../robots/rules.ts';
import type { Skip, UrlOffer, UrlSource } from './ledger.ts';
import { followsActs } from './options.ts';
import type { CrawlOptions } from './options.ts';
import type { CrawlMemory } from './learn/crawl-memory.ts';
import type { PageLink } from './links/page-links.ts';

/** Where an address was found. */
export interface Finding {
  readonly url: string;
  readonly source: UrlSource;
  readonly depth: number;
  readonly parent: string | undefined;
  /** How a page links to it; undefined where none does. */
  readonly link?: Pick<PageLink, 'kind' | 'isNoFollow' | 'act'> | undefined;
}

/** The rules of one crawl, compiled once. */
export class Admission {
  private readonly options: CrawlOptions;
  private readonly filters: PathFilters;
  private readonly memory: Pick<CrawlMemory, 'traps' | 'files'> | undefined;
  /** Where scope is measured from. */
  private readonly roots: string[];
  private readonly movedTo: string[];

  /**
   * With a memory, a seed that could be a folder stands for that folder alone until its answer has shown what it is; `movedTo` grows with
   * each root that answers show. Throws SyntaxError for a path pattern that can't be compiled.
   */
  constructor(options: CrawlOptions, memory?: Pick<CrawlMemory, 'traps' | 'files'>, movedTo: string[] = []) {
    this.options = options;
    this.filters = compileFilters(options.includePaths, options.excludePaths);
    this.memory = memory;
    this.roots = [...(memory ? options.seeds.map(asFolder) : options.seeds), ...movedTo];
    this.movedTo = movedTo;
  }

  /** Lets in what belongs to a seed that answered at `url` with links to `targets`: what lies in its folder, or below it where it begins one. */
  addSeedAnswer(url: string, targets: readonly string[]): void {
    this.addRoot(isFolderPage(url, targets) ? asFolder(url) : url);
  }

  private addRoot(url: string): void {
    if (this.roots.includes(url)) return;
    this.roots.push(url);
    this.movedTo.push(url);
  }

  /**
   * The offers for an address that was found on a page or in a sitemap: none when it is no http or https address, and two where it is asked
   * for without its tracking parameters, so that the ledger shows both.
   */
  offersFor(finding: Finding, nowMs: number): readonly UrlOffer[] {
    const clean = withoutTracking(finding.url);
    const offer = this.offerFor(clean ? { ...finding, url: clean.url } : finding, nowMs);
    if (!offer) return [];
    if (!clean || this.identityOf(finding.url) === offer.identity) return [offer];
    const written = { ...offer, url: finding.url, identity: finding.url, key: finding.url };
    if (offer.skip) return [{ ...written, skip: offer.skip }];
    return [{ ...written, skip: { reason: 'duplicate', rule: `asked for without ${clean.leftOut.join(', ')}` } }, offer];
  }

  /** The offer for an address as it is written; undefined when it is no http or https address. */
  offerFor({ link, ...found }: Finding, nowMs: number): UrlOffer | undefined {
    const finding = { ...found, link };
    const host = findHost(finding.url);
    if (host === undefined) return undefined;
    const skip = this.findSkip(finding, nowMs);
    // Only links of rendered pages, and seeds, still have a route: there it is a page of its own.
    const key = skip ? finding.url : dedupeKey(finding.url, { hashRoutes: true });
    const isLate = finding.source === 'link' && !skip && isOwnView(finding.url, finding.parent);
    return { ...found, identity: this.identityOf(finding.url), key, host, ...(isLate && { isLate }), skip };
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
    const linked = source === 'seed' ? undefined : this.findLinkSkip(finding);
    if (linked) return linked;
    const file = source === 'seed' ? undefined : this.memory?.files.find(url);
    if (file !== undefined) return { reason: 'file_type', rule: file };
    if (depth > this.options.maxDepth) return { reason: 'depth', rule: `max_depth is ${this.options.maxDepth}` };
    const trap = source === 'seed' ? undefined : (findUrlTrap(url, nowMs) ?? this.memory?.traps.find(url, this.options.allViews));
    return trap && { reason: 'trap', rule: `${trap.trap}: ${trap.rule}` };
  }

  /** `url` without its query, where that was found to be what tells it from others of the same content; undefined for any other. */
  plainOf(url: string): string | undefined {
    const trap = url.includes('?') ? this.memory?.traps.find(url, this.options.allViews)?.trap : undefined;
    return trap === 'query' || trap === 'parameters' ? url.slice(0, url.indexOf('?')) : undefined;
  }

  /** Why an address is not asked for by what it would do, or by what its page says about it. */
  private findLinkSkip({ url, link }: Finding): Skip | undefined {
    const act = followsActs(this.options) ? undefined : (link?.act ?? findAct(url));
    if (act !== undefined) return { reason: 'acts', rule: act };
    const exit = findExitTarget(url);
    const scope = exit === undefined ? undefined : decideScope(this.options, this.roots, exit);
    if (scope?.reason !== undefined) return { reason: scope.reason, rule: `leads on to ${exit}: ${scope.rule}` };
    if (link?.isNoFollow && this.options.obeyNofollow) return { reason: 'nofollow', rule: 'rel=nofollow, and obey_nofollow is true' };
    if (link?.kind === 'file') return { reason: 'file_type', rule: `${findEnding(url)} in the listing of a folder` };
    if (link?.kind === 'data') return { reason: 'alternate', rule: 'the page for programs' };
    if (link?.kind === 'version') return { reason: 'alternate', rule: 'the page for another medium or device' };
    const script = findProgramScript(url);
    if (script !== undefined) return { reason: 'alternate', rule: `${script} answers programs` };
    const view = findPrintView(url);
    return view === undefined ? undefined : { reason: 'alternate', rule: `?${view}` };
  }

  /** What makes an address one address within this crawl. */
  identityOf(url: string): string {
    if (!this.options.ignoreQueryParameters) return url;
    const mark = url.indexOf('?');
    return mark < 0 ? url : url.slice(0, mark);
  }
}

/** An address that could be a folder, as one. */
function asFolder(url: string): string {
  const parsed = URL.parse(url);
  return parsed && canBeFolder(parsed.pathname) ? `${parsed.origin}${parsed.pathname}/` : url;
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
 * Which rule decides `url` in a crawl with these options, without asking anyone: scope, path filters, links that act by their address, file
 * type, depth, traps by form, and robots where the host's `rules` are given. `depth` is how far from a seed it would be found.
 */
export function explainUrl(options: CrawlOptions, rules: RobotsRules | undefined, url: string, nowMs: number, depth = 1): UrlExplanation {
  const source = options.seeds.includes(url) ? 'seed' : 'link';
  const clean = source === 'seed' ? undefined : withoutTracking(url);
  if (clean) {
    const explained = explainUrl(options, rules, clean.url, nowMs, depth);
    return explained.fetched ? { ...explained, rule: `asked for without ${clean.leftOut.join(', ')}` } : explained;
  }
  const skip = new Admission(options).findSkip({ url, source, depth: source === 'seed' ? 0 : depth, parent: undefined }, nowMs);
  if (skip) return { fetched: false, reason: skip.reason, rule: skip.rule, robotsLine: undefined };
  const robots = rules && options.robots !== 'off' ? decideRobots(rules, options.agent, url) : undefined;
  if (robots && !robots.allowed) {
    const isObeyed = options.robots === 'enforce';
    const reason = rules?.unasked?.code === 'address' ? 'address' : 'robots';
    return { fetched: !isObeyed, reason: isObeyed ? reason : undefined, rule: robots.rule, robotsLine: robots.line };
  }
  const filter = decideFilters(compileFilters(options.includePaths, options.excludePaths), url);
  return {
    fetched: true,
    reason: undefined,
    rule: filter.rule ?? robots?.rule,
    robotsLine: filter.rule === undefined ? robots?.line : undefined,
  };
}

// Walks a site best first: the links whose words fit the objective, and of many addresses of one kind only a few.
import { PageError } from '../../errors.ts';
import { scoreLinks } from '../../crawl/links/rank-links.ts';
import { findAct } from '../../url/acts.ts';
import { dedupeKey } from '../../url/dedupe-key.ts';
import type { FoundList, PageEvidence } from './read-evidence.ts';

/** What a walk has seen. */
export interface Walked {
  readonly pages: readonly PageEvidence[];
  /** Addresses that could not be read, and why. */
  readonly failures: readonly { readonly url: string; readonly error: PageError }[];
}

/** What is asked of a walk. */
export interface WalkOptions {
  readonly start: string;
  readonly objective: string;
  readonly pagesMax: number;
  /** True in a browser, where scripts show other pages behind `#/`. */
  readonly keepsRoutes?: boolean;
}

/** Pages of one kind that are read: enough to see what they share. */
const SAME_KIND_MAX = 2;
const SAME_KIND_COST = 3;
const DEPTH_COST = 0.2;
/** What a page lists is what it is about; what has more parameters than the page shows that page in another way. */
const ROW_BONUS = 1;
const PARAMETER_COST = 0.7;
/** A site asks that its tools are not followed. */
const UNFOLLOWED_COST = 4;
const FRONTIER_MAX = 5_000;
/** Files that no page is in. */
const FILE = /\.(?:png|jpe?g|gif|webp|svg|ico|css|m?js|pdf|zip|gz|tgz|mp[34]|webm|woff2?|xml|rss|atom|exe|dmg)$/i;

interface Waiting {
  readonly url: string;
  readonly text: string;
  readonly depth: number;
  /** True where a row of a list of its page leads there. */
  readonly isRow: boolean;
  readonly isUnfollowed: boolean;
}

/** Reads the start and, best first, what it leads to. `bring` throws PageError; one that says `stop` ends the walk with it. */
export async function walkSite(
  { start, objective, pagesMax, keepsRoutes = false }: WalkOptions,
  bring: (url: string) => Promise<PageEvidence>,
): Promise<Walked> {
  const pages: PageEvidence[] = [];
  const failures: { readonly url: string; readonly error: PageError }[] = [];
  const seen = new Set([keyOf(start, keepsRoutes)]);
  const kinds = new Map<string, number>();
  let frontier: Waiting[] = [{ url: start, text: '', depth: 0, isRow: false, isUnfollowed: false }];
  while (frontier.length > 0 && pages.length + failures.length < pagesMax) {
    const next = bestOf(frontier, objective, kinds);
    if (!next) break;
    frontier = frontier.filter((each) => each !== next);
    const kind = kindOf(next.url);
    const known = kinds.get(kind) ?? 0;
    // Where they begin says nothing of what it has in common with other addresses.
    if (next.depth > 0) kinds.set(kind, known + 1);
    try {
      const page = await bring(next.url);
      seen.add(keyOf(page.url, keepsRoutes));
      pages.push(page);
      // A tool of the site says nothing of what else has an address like its own: `/wiki/Special:Log`, `/wiki/Carrot`.
      if (page.isUnlisted) kinds.set(kind, known);
      const rows = new Set(page.lists.slice(0, 1).flatMap(addressesOf));
      for (const { url, text, isUnfollowed } of page.links) {
        const key = keyOf(url, keepsRoutes);
        if (seen.has(key) || frontier.length >= FRONTIER_MAX || !isWalkable(url, start)) continue;
        seen.add(key);
        const isRow = rows.has(url);
        frontier.push({
          url: routeOf(url, keepsRoutes) === '' ? (url.split('#', 1)[0] ?? url) : url,
          text,
          depth: next.depth + 1,
          isRow,
          isUnfollowed,
        });
      }
    } catch (error) {
      if (!(error instanceof PageError) || error.next === 'stop') throw error;
      failures.push({ url: next.url, error });
    }
  }
  return { pages, failures };
}

function keyOf(url: string, keepsRoutes: boolean): string {
  return dedupeKey(url) + routeOf(url, keepsRoutes);
}

/** The part of an address behind `#/`, by which scripts tell pages apart. */
function routeOf(url: string, keepsRoutes: boolean): string {
  return keepsRoutes ? (/#!?\/.*$/.exec(url)?.[0] ?? '') : '';
}

function bestOf(frontier: readonly Waiting[], objective: string, kinds: ReadonlyMap<string, number>): Waiting | undefined {
  const links = frontier.map(({ url, text }) => ({ url, title: text }));
  const scores = objective === '' ? links.map(() => 0) : scoreLinks(links, objective);
  let best: Waiting | undefined;
  let bestScore = -Infinity;
  for (const [place, each] of frontier.entries()) {
    const known = kinds.get(kindOf(each.url)) ?? 0;
    if (known >= SAME_KIND_MAX && each.depth > 0) continue;
    const about = (each.isRow ? ROW_BONUS : 0) - parametersOf(each.url) * PARAMETER_COST - (each.isUnfollowed ? UNFOLLOWED_COST : 0);
    const score = (scores[place] ?? 0) + about - known * SAME_KIND_COST - each.depth * DEPTH_COST;
    if (score <= bestScore) continue;
    best = each;
    bestScore = score;
  }
  return best;
}

/** Beyond the first, which may say which page is meant. */
function parametersOf(url: string): number {
  return Math.max(0, (URL.parse(url)?.searchParams.size ?? 0) - 1);
}

function addressesOf({ fields, rows }: FoundList): readonly string[] {
  const names = fields.filter(({ type }) => type === 'url').map(({ name }) => name);
  return rows.flatMap((row) => names.flatMap((name) => (typeof row[name] === 'string' ? [row[name]] : [])));
}

/** What addresses of one kind have in common: their folders, the names of their parameters, numbers left out. */
function kindOf(url: string): string {
  const { pathname = '', searchParams } = URL.parse(url) ?? {};
  const segments = pathname.split('/');
  const path = segments.map((segment, place) => (place > 1 && place === segments.length - 1 ? '*' : segment.replaceAll(/\d+/g, '0')));
  return `${path.join('/')}?${[...new Set(searchParams?.keys())].toSorted().join('&')}${routeOf(url, true).replaceAll(/\d+/g, '0')}`;
}

function isWalkable(url: string, start: string): boolean {
  const target = URL.parse(url);
  if (!target || target.origin !== URL.parse(start)?.origin || FILE.test(target.pathname)) return false;
  return findAct(url) === undefined;
}

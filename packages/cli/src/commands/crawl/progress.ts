// The progress of a crawl, in words.
import type { CrawlCounts } from '@weft/contract';
import type { StatusLine } from '../../status-line.ts';

export interface Progress {
  /** Shows the ledger as it was at `atMs`. */
  show(counts: Readonly<Record<string, number>>, atMs: number): void;
  end(): void;
}

/** Says how many of the links that are not followed lead to other sites. */
export type CountElsewhere = () => Promise<number>;

/** The pace of the last so many milliseconds says how long the rest will take. */
const WINDOW_MS = 30_000;

/** Counting takes a twentieth of the time at most, since a ledger may have millions of lines. */
const REST_PER_COUNT = 19;

/** The cloud counts no links to other sites: without `countElsewhere` they are among those not followed. */
export function createProgress(line: StatusLine, countElsewhere: CountElsewhere | undefined): Progress {
  const seen: { readonly atMs: number; readonly done: number }[] = [];
  const elsewhere = countElsewhere ? restingCount(countElsewhere) : () => 0;
  return {
    show(counts, atMs) {
      const known = { ...countsOf(counts), elsewhere: elsewhere() };
      seen.push({ atMs, done: known.fetched + known.reused + known.failed });
      while (seen.length > 2 && atMs - (seen[0]?.atMs ?? atMs) > WINDOW_MS) seen.shift();
      line.show(progressParts(known, paceOf(seen)), atMs);
    },
    end: () => line.end(),
  };
}

/**
 * What is told of `counts`, the most important first; `perSecond` is 0 where it is not known.
 * Links that no page is asked for by are no failure, so they come last, those to other sites behind all.
 */
export function progressParts(counts: CrawlCounts & { readonly elsewhere: number }, perSecond: number): readonly string[] {
  const parts = [`${counts.fetched} fetched`, `${counts.pending} queued`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.reused > 0) parts.push(`${counts.reused} reused`);
  if (perSecond >= SLOWEST) {
    parts.push(`${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)} pages/s`);
    // What is queued is fetched at this pace; links that are still unknown come on top.
    if (counts.pending > 0) parts.push(`${spanText(counts.pending / perSecond)} left at least`);
  }
  const left = Math.max(0, counts.skipped - counts.elsewhere);
  if (left > 0) parts.push(`${linksText(left)} not followed`);
  if (counts.elsewhere > 0) parts.push(`${linksText(counts.elsewhere)} to other sites`);
  return parts;
}

/** Pages a second that are not 0.0 yet. */
const SLOWEST = 0.05;

/** `1 link`, `2 links`. */
export function linksText(count: number): string {
  return count === 1 ? '1 link' : `${count} links`;
}

/** The newest number of `count`, which is asked for anew while nothing else waits for it, with a rest after each time. */
function restingCount(count: CountElsewhere): () => number {
  let known = 0;
  let restUntilMs = 0;
  const ask = async () => {
    restUntilMs = Number.POSITIVE_INFINITY;
    const beganMs = performance.now();
    // A line that is not drawn anew is no failure of the crawl.
    known = await count().catch(() => known);
    const nowMs = performance.now();
    restUntilMs = nowMs + (nowMs - beganMs) * REST_PER_COUNT;
  };
  return () => {
    if (performance.now() >= restUntilMs) void ask();
    return known;
  };
}

function paceOf(seen: readonly { readonly atMs: number; readonly done: number }[]): number {
  const [first, last] = [seen[0], seen.at(-1)];
  return first && last && last.atMs > first.atMs ? ((last.done - first.done) / (last.atMs - first.atMs)) * 1000 : 0;
}

function spanText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function countsOf(counts: Readonly<Record<string, number>>): CrawlCounts {
  const { discovered = 0, fetched = 0, reused = 0, failed = 0, skipped = 0, pending = 0 } = counts;
  return { discovered, fetched, reused, failed, skipped, pending };
}

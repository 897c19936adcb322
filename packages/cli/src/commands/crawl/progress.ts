// The progress of a crawl, in words.
import type { CrawlCounts } from '@weft/contract';
import type { StatusLine } from '../../status-line.ts';

export interface Progress {
  /** Shows the ledger as it was at `atMs`. */
  show(counts: Readonly<Record<string, number>>, atMs: number): void;
  end(): void;
}

/** The pace of the last so many milliseconds says how long the rest will take. */
const WINDOW_MS = 30_000;

export function createProgress(line: StatusLine): Progress {
  const seen: { readonly atMs: number; readonly done: number }[] = [];
  return {
    show(counts, atMs) {
      const known = countsOf(counts);
      seen.push({ atMs, done: known.fetched + known.reused + known.failed });
      while (seen.length > 2 && atMs - (seen[0]?.atMs ?? atMs) > WINDOW_MS) seen.shift();
      line.show(progressParts(known, paceOf(seen)), atMs);
    },
    end: () => line.end(),
  };
}

/** What is told of `counts`, the most important first; `perSecond` is 0 where it is not known. Links that no page is asked for by are no failure, so they come last. */
export function progressParts(counts: CrawlCounts, perSecond: number): readonly string[] {
  const parts = [`${counts.fetched} fetched`, `${counts.pending} queued`];
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.reused > 0) parts.push(`${counts.reused} reused`);
  if (perSecond > 0) {
    parts.push(`${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)} pages/s`);
    // What is queued is fetched at this pace; links that are still unknown come on top.
    if (counts.pending > 0) parts.push(`${spanText(counts.pending / perSecond)} left at least`);
  }
  if (counts.skipped > 0) parts.push(`${counts.skipped} links not followed`);
  return parts;
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

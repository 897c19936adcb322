// The progress of a crawl: one line that is rewritten on a terminal, now and then a line elsewhere.
import type { CrawlCounts } from '@weft/contract';

/** Where progress goes. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  /** Shows the ledger as it was at `atMs`. */
  show(counts: Readonly<Record<string, number>>, atMs: number): void;
  /** Leaves the terminal on a fresh line. */
  end(): void;
}

/** Elsewhere than on a terminal a line appears so often at most. */
const PLAIN_EVERY_MS = 10_000;
/** The pace of the last so many milliseconds says how long the rest will take. */
const WINDOW_MS = 30_000;

export function createProgress(stream: ProgressStream): Progress {
  const seen: { readonly atMs: number; readonly done: number }[] = [];
  let plainMs = Number.NEGATIVE_INFINITY;
  let isLineOpen = false;
  return {
    show(counts, atMs) {
      const known = countsOf(counts);
      seen.push({ atMs, done: known.fetched + known.reused + known.failed });
      while (seen.length > 2 && atMs - (seen[0]?.atMs ?? atMs) > WINDOW_MS) seen.shift();
      const line = progressLine(known, paceOf(seen));
      if (stream.isTTY) {
        stream.write(`\r\u001b[K${line}`);
        isLineOpen = true;
      } else if (atMs - plainMs >= PLAIN_EVERY_MS) {
        stream.write(`${line}\n`);
        plainMs = atMs;
      }
    },
    end() {
      if (isLineOpen) stream.write('\n');
      isLineOpen = false;
    },
  };
}

/** One line: `12 fetched, 3 queued, ...`; `perSecond` is 0 where it is not known. */
export function progressLine(counts: CrawlCounts, perSecond: number): string {
  const parts = [`${counts.fetched} fetched`, `${counts.pending} queued`];
  if (counts.reused > 0) parts.push(`${counts.reused} reused`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  if (counts.skipped > 0) parts.push(`${counts.skipped} skipped`);
  if (perSecond > 0) {
    parts.push(`${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)} pages/s`);
    // What is queued is fetched at this pace; links that are still unknown come on top.
    if (counts.pending > 0) parts.push(`${spanText(counts.pending / perSecond)} left at least`);
  }
  return `weft: ${parts.join(', ')}`;
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

// Whether what pages publish as their content comes through whole, block by block, beside readability and trafilatura: manuals and
// applications, then generated pages.
import { coverageOf } from '../complete/coverage.ts';
import { generatedRows } from '../complete/generated-rows.ts';
import { PAGE_SOURCES } from '../complete/sources.ts';
import type { PageSource, SourcePage } from '../complete/page-source.ts';
import { TRAFILATURA_HOME, openReaders } from '../complete/outputs.ts';
import type { Reader } from '../complete/outputs.ts';
import { Tally } from '../complete/tally.ts';
import { readTruth } from '../complete/truth.ts';
import { formatRows } from '../row.ts';
import type { BenchOptions, BenchRow } from '../row.ts';

export const isSlow = true;

/** Pages of a source without --full. */
const SAMPLE_PAGES = 150;

/**
 * Lost blocks per 1,000 and words of chrome per 100, over all sources and over those held out; each source is said as it ends, and one that
 * can't be had is named.
 */
export async function bench({ full, say = () => undefined }: BenchOptions): Promise<BenchRow[]> {
  const readers = openReaders();
  const totals = readers.map(() => new Tally());
  const heldOut = readers.map(() => new Tally());
  try {
    for (const source of PAGE_SOURCES)
      say(formatRows(await measureSource(source, readers, source.isHeldOut ? heldOut : totals, full ? Infinity : SAMPLE_PAGES)));
  } finally {
    for (const reader of readers) reader.end?.();
  }
  const rows = [...rowsOf('all', readers, totals), ...rowsOf('all that was held out', readers, heldOut), ...generatedRows()];
  if (readers.length < 3)
    rows.push({ name: `without trafilatura: no virtual environment in ${TRAFILATURA_HOME}`, value: 0, unit: 'pages' });
  return rows;
}

async function measureSource(source: PageSource, readers: readonly Reader[], totals: readonly Tally[], max: number): Promise<BenchRow[]> {
  const pages = await pagesOf(source, max);
  if (!Array.isArray(pages)) return [{ name: `skipped: ${source.name} can't be had here${pages}`, value: 0, unit: 'pages' }];
  const tallies = readers.map(() => new Tally());
  for (const page of pages) {
    const truth = readTruth(page, source);
    if (!truth) continue;
    for (const [i, reader] of readers.entries()) {
      const coverage = coverageOf(truth, await attempt(reader, page));
      tallies[i]?.add(coverage);
      totals[i]?.add(coverage);
    }
  }
  return rowsOf(source.name, readers, tallies);
}

/** The pages of a source, or why there are none: an hour of measuring does not end because one application can't be started. */
async function pagesOf(source: PageSource, max: number): Promise<readonly SourcePage[] | string> {
  try {
    return (await source.pages(max)) ?? '';
  } catch (error) {
    return `: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** A page that an extractor fails on counts as lost. */
async function attempt(reader: Reader, page: Parameters<Reader['read']>[0]): Promise<string> {
  try {
    return await reader.read(page);
  } catch {
    return '';
  }
}

function rowsOf(name: string, [, ...rivals]: readonly Reader[], [ours, ...others]: readonly Tally[]): BenchRow[] {
  if (!ours) return [];
  return ours.figures().flatMap(({ label, value, unit, target }, at) =>
    rivals.map((rival, i) => ({
      name: `${name}: ${label}`,
      value,
      unit,
      rival: rival.name,
      rivalValue: others[i]?.figures()[at]?.value ?? 0,
      target,
    })),
  );
}

// What the agent takes and keeps of a crawl's options.
import { AppError } from '@weft/contract';
import { explainUrl, toEngineOptions } from '@weft/engine';
import type { StoredCrawlOptions } from '@weft/engine';

/** Refuses options that no crawl could be run with. Throws AppError `bad_request`. */
export function checkOptions(options: StoredCrawlOptions): void {
  try {
    explainUrl(toEngineOptions(options, ''), undefined, options.url, 0);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw new AppError('bad_request', error.message);
    throw error;
  }
}

/** Options as text; the same options always give the same text. */
export function optionsText(options: StoredCrawlOptions): string {
  return JSON.stringify(Object.fromEntries(Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

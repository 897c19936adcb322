// How much of what a request answered a page shows as a list.
import type { FoundList, PageEvidence } from './read-evidence.ts';
import { fold } from './words.ts';

const SAMPLE_MAX = 30;
const TEXT_MIN = 4;

/** The share of the rows of `list` of which a list of `pages` shows a text, 0 to 1. */
export function shownShare(list: FoundList, pages: readonly PageEvidence[]): number {
  const shown = pages.map(({ lists }) => fold(lists.flatMap(({ texts }) => texts).join('\n')));
  const sample = list.rows.slice(0, SAMPLE_MAX);
  const shares = shown.map((text) => {
    const found = sample.filter((row) => Object.values(row).some((value) => typeof value === 'string' && isShown(value, text)));
    return found.length / (sample.length || 1);
  });
  return Math.max(0, ...shares);
}

function isShown(value: string, text: string): boolean {
  return value.length >= TEXT_MIN && !/^https?:/.test(value) && text.includes(fold(value));
}

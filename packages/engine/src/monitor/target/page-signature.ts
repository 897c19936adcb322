// Tells whether a page is still the one that a baseline was recorded on, whatever has become of its markup.
import type { PageDocument } from '../../page/page-document.ts';
import { pagePrintOf } from '../../page/page-print.ts';
import type { PagePrint } from '../../page/page-print.ts';
import { readPageIndex } from './page-index.ts';

/** What a page is known by. */
export interface PageSignature extends PagePrint {
  /** The smallest hashes of its words, growing: what two pages share of these they share of all words (Broder, "On the resemblance and containment of documents", 1997). */
  readonly sketch: readonly number[];
}

const SKETCH_WORDS = 96;

/** The signature of a page that answered `status`. */
export function signatureOf(page: PageDocument, status: number): PageSignature {
  const hashes = new Set(readPageIndex(page.tree).words.map(hashOf));
  return { ...pagePrintOf(page, status), sketch: [...hashes].toSorted((a, b) => a - b).slice(0, SKETCH_WORDS) };
}

/** The share of their words that two pages have in common, estimated, from 0 to 1; 1 for two empty ones. */
export function resemblance(a: PageSignature, b: PageSignature): number {
  const smallest = [...new Set([...a.sketch, ...b.sketch])].toSorted((x, y) => x - y).slice(0, SKETCH_WORDS);
  if (smallest.length === 0) return 1;
  const [left, right] = [new Set(a.sketch), new Set(b.sketch)];
  return smallest.filter((hash) => left.has(hash) && right.has(hash)).length / smallest.length;
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

// The words of a page, for telling whether it says anything that others did not.
import { hashOf } from '../learn/page-orders.ts';

const MARKUP = /<!--[\s\S]*?-->|<(script|style|noscript|template)\b[\s\S]*?<\/\1\s*>|<[^>]*>|&#?\w+;/gi;

/** The distinct words of three letters or more in an HTML page, lower-case, without digits; at most 5,000. */
export function pageWords(body: Uint8Array): ReadonlySet<string> {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, 500_000)).replace(MARKUP, ' ').toLowerCase();
  const words = new Set<string>();
  for (const match of text.matchAll(/\p{L}{3,}/gu)) {
    words.add(match[0]);
    if (words.size >= 5_000) break;
  }
  return words;
}

/** A number for all words and numbers of an HTML page: equal for pages that say the same in another order. */
export function sumOfWords(body: Uint8Array): number {
  const text = new TextDecoder('utf-8').decode(body.subarray(0, 500_000)).replace(MARKUP, ' ');
  let sum = 0;
  for (const [word] of text.matchAll(/\S+/g)) sum = (sum + hashOf(word)) % 2 ** 48;
  return sum;
}

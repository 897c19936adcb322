// Ranks links by the words of a search: BM25 over the words of their addresses and of what is said about them.
import { decodeLoosely } from '../../url/decode-loosely.ts';

/** A link that can be ranked. */
export interface RankedLink {
  readonly url: string;
  /** What a page says about it. */
  readonly title?: string | undefined;
}

/** Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", section 3: the usual values. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** What a word counts that only begins with the one that is searched for. */
const PREFIX_WEIGHT = 0.5;
const PREFIX_MIN = 3;

/** The score of each link in the order given, rounded to three digits; 0 where no word of `search` is found. */
export function scoreLinks(links: readonly RankedLink[], search: string): readonly number[] {
  const terms = [...new Set(wordsOf(search))];
  const texts = links.map(({ url, title = '' }) => [...wordsOfAddress(url), ...wordsOf(title)]);
  const lengthMean = texts.reduce((sum, words) => sum + words.length, 0) / (texts.length || 1);
  const frequencies = terms.map((term) => texts.map((words) => frequencyOf(term, words)));
  const weights = frequencies.map((counts) => rarityOf(counts.filter((count) => count > 0).length, links.length));
  return texts.map((words, i) => {
    const length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (words.length / (lengthMean || 1));
    const score = frequencies.reduce((sum, counts, term) => {
      const count = counts[i] ?? 0;
      return sum + ((weights[term] ?? 0) * count * (SATURATION + 1)) / (count + SATURATION * length);
    }, 0);
    return Math.round(score * 1000) / 1000;
  });
}

/** Always above zero, so that a word which every link has still counts a little. */
function rarityOf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function frequencyOf(term: string, words: readonly string[]): number {
  let count = 0;
  for (const word of words) {
    if (word === term) count += 1;
    else if (term.length >= PREFIX_MIN && word.startsWith(term)) count += PREFIX_WEIGHT;
  }
  return count;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}+|\p{N}+/gu) ?? []
  );
}

/** Path and query; the host is the same for all. */
function wordsOfAddress(url: string): readonly string[] {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  return wordsOf(decodeLoosely(pathname.replace(/\.(?:html?|php|aspx?)$/i, '') + search));
}

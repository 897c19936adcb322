// Knows pages that say what their plainer address says, in another order: a list sorted by another column.
import { queryPairs } from '../../url/query-pairs.ts';
import { BoundedMap } from '../bounded-map.ts';

/** A page as it was seen. */
interface SeenPage {
  readonly url: string;
  readonly pairs: ReadonlySet<string>;
  /** Its words and where it leads, in no order. */
  readonly content: string;
}

const PATHS_MAX = 500;
const PAGES_OF_PATH_MAX = 16;
const QUESTION_MARK = 63;

/** The pages of the paths that were met last, as far as they have a query or link to themselves with one. */
export class PageOrders {
  private readonly pages = new BoundedMap<string, SeenPage[]>(PATHS_MAX);

  /**
   * The page whose parameters are a part of those of `url`, and which says the same in some order; undefined when there is none. `words` is
   * a number for the words of the page, whatever their order, and is asked for only where it can matter.
   */
  find(url: URL, links: readonly string[], words: () => number): string | undefined {
    const place = `${url.host}${url.pathname}`;
    const own = viewsOf(url, links);
    if (url.search.length < 2 && own.length === 0) return undefined;
    const pairs = new Set(queryPairs(url).map(({ text }) => text));
    const views = new Set(own);
    const seen: SeenPage = { url: url.href, pairs, content: `${words()} ${sumOf(links.filter((link) => !views.has(link)))}` };
    const known = this.pages.use(place, () => []);
    const plainer = known.find((page) => page.content === seen.content && page.pairs.size < pairs.size && isPart(page.pairs, pairs));
    if (!plainer && known.length < PAGES_OF_PATH_MAX) known.push(seen);
    return plainer?.url;
  }
}

/** Those of `links` that lead to the page at `url` with a query. */
export function viewsOf({ origin, pathname }: URL, links: readonly string[]): readonly string[] {
  const own = `${origin}${pathname}?`;
  const mark = own.length - 1;
  // Nearly all links differ in that letter, and are compared no further.
  return links.filter((link) => link.charCodeAt(mark) === QUESTION_MARK && link.startsWith(own));
}

function isPart(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const pair of part) if (!whole.has(pair)) return false;
  return true;
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => (sum + hashOf(text)) % 2 ** 48, 0);
}

/** 32 bits of a text, as a number that can be added. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash ^ (hash >>> 15)) >>> 0;
}

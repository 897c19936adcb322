// Tells lists that a site is about from those that stand around every page, and from those of its tools. Pure.
import type { FoundList, PageEvidence } from './read-evidence.ts';

/** A list is frame where so many pages show it in the same words, and so large a share of all. */
const PAGES_MIN = 3;
const SHARE_MIN = 0.4;

/**
 * The pages without lists that many of them show in the same words: menus, badges, the newest of everything. A page that asks to stay out of
 * indexes is a tool of its site and none of its contents, unless the first of the pages is one as well.
 */
export function withoutFrames(pages: readonly PageEvidence[]): readonly PageEvidence[] {
  const isTool = ({ isUnlisted }: PageEvidence) => isUnlisted && pages[0]?.isUnlisted === false;
  const shown = new Map<string, number>();
  for (const { lists } of pages) for (const key of new Set(lists.map(wordsOfList))) shown.set(key, (shown.get(key) ?? 0) + 1);
  const least = Math.max(PAGES_MIN, pages.length * SHARE_MIN);
  const isFrame = (list: FoundList) => (shown.get(wordsOfList(list)) ?? 0) >= least;
  return pages.map((page) => ({ ...page, lists: isTool(page) ? [] : page.lists.filter((list) => !isFrame(list)) }));
}

/** What the rows of a list say: two lists that say the same are one. */
export function wordsOfList({ texts, rows }: FoundList): string {
  return texts.join('\n').trim() === '' ? JSON.stringify(rows) : texts.join('\n');
}

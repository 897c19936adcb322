// Where pages come from, and what of them is content.

/** A page as its source sends it. */
export interface SourcePage {
  readonly id: string;
  readonly url: string;
  readonly html: string;
}

/** Pages with a container that their makers publish as the content. */
export interface PageSource {
  readonly name: string;
  /** Selector of the content; a page on which nothing matches is left out. */
  readonly content: string;
  /** Selector of what is neither content nor counted as chrome: permalinks, edit links, boxes of contents, line numbers. */
  readonly neutral?: string;
  /** Selector of code blocks beside `pre`. */
  readonly code?: string;
  /** True where nothing was ever mended or fitted for these pages: they are counted apart. */
  readonly isHeldOut?: boolean;
  /** At most `max` pages, spread over all; undefined where they can't be had here. */
  pages(max: number): Promise<readonly SourcePage[] | undefined> | readonly SourcePage[] | undefined;
}

/** Every nth of at most `max`, so that each part of a whole has its share. */
export function spread<Item>(items: readonly Item[], max: number): readonly Item[] {
  const step = Math.max(1, items.length / max);
  return Array.from({ length: Math.min(items.length, max) }, (_, i) => items[Math.floor(i * step)] as Item);
}

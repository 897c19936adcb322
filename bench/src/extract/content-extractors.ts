// Main content by us and by others, all asked the same way: decoded HTML in, block text out.
import { extractFromHtml } from '@extractus/article-extractor';
import { Readability } from '@mozilla/readability';
import { DefuddleClass } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import { findMainContent } from '../../../packages/engine/src/extract/main-content.ts';
import { blockText } from '../../../packages/engine/src/html/text.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';

/** What an extractor found, as text; reading its HTML as text is at nobody's cost. */
export interface Extraction {
  readonly text: () => string;
  /** The type of the page, from those who tell it. */
  readonly type?: string;
}

export interface ContentExtractor {
  readonly name: string;
  extract(html: string, url: string): Promise<Extraction> | Extraction;
}

/** Ours first. */
export const CONTENT_EXTRACTORS: readonly ContentExtractor[] = [
  {
    name: 'weft',
    extract: (html, url) => {
      const { text, pageType } = findMainContent(parseTree(html, url));
      return { text: () => text, type: pageType };
    },
  },
  {
    name: 'readability + linkedom',
    extract: (html) => fromHtml(new Readability(parseHTML(html).document).parse()?.content ?? ''),
  },
  {
    name: 'defuddle + linkedom',
    // Its other way in asks sites of some pages for more of them.
    extract: (html, url) => fromHtml(new DefuddleClass(parseHTML(html).document, { url }).parse().content),
  },
  { name: 'article-extractor', extract: async (html, url) => fromHtml((await extractFromHtml(html, url))?.content ?? '') },
];

function fromHtml(html: string): Extraction {
  return { text: () => blockText([parseTree(html, 'https://page.invalid/').body]) };
}

// Finds what a page is about.
import type { AnyNode, Element } from 'domhandler';
import { blockText } from '../html/text.ts';
import type { PageTree } from '../html/tree.ts';
import type { PageType } from './page-type.ts';

export interface MainContent {
  readonly pageType: PageType;
  readonly roots: readonly Element[];
  readonly excluded: ReadonlySet<AnyNode>;
  readonly text: string;
  readonly confidence: number;
}

export function findMainContent(tree: PageTree): MainContent {
  return { pageType: 'article', roots: [tree.body], excluded: new Set(), text: blockText([tree.body]), confidence: 0 };
}

// Tells what kind of page a page is, from nothing but the page and its address.
import type { PageTree } from '../html/tree.ts';
import { outlineOf } from './content/outline.ts';
import type { PageSignals } from './content/page-signals.ts';
import { pageSignalsOf } from './content/page-signals.ts';
import type { PageType, TypeScores } from './content/type-scores.ts';
import { compileTypes, likeliestType } from './content/type-scores.ts';
import { TYPE_WEIGHTS } from './content/generated/type-weights.ts';

export type { PageType } from './content/type-scores.ts';

let compiled: ((signals: PageSignals) => TypeScores) | undefined;

/** The likeliest type of the page; an empty page is an article. */
export function decidePageType(tree: PageTree): PageType {
  return likeliestType(scorePageTypes(pageSignalsOf(tree, outlineOf(tree))));
}

/** How likely each type is, by signals that were read already. */
export function scorePageTypes(signals: PageSignals): TypeScores {
  compiled ??= compileTypes(TYPE_WEIGHTS);
  return compiled(signals);
}

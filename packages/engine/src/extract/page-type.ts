// Tells what kind of page a page is, from nothing but the page and its address.
import type { Outline } from './content/outline.ts';
import type { PageSignals } from './content/features/page-signals.ts';
import type { TypeScores } from './content/features/type-scores.ts';
import { compileTypes } from './content/features/type-scores.ts';
import { TYPE_WEIGHTS } from './content/generated/type-weights.ts';

export type { PageType } from './content/features/type-scores.ts';

let compiled: ((signals: PageSignals) => TypeScores) | undefined;

/** How likely each type is, by what was read already; a page without text is an article. */
export function scorePageTypes(outline: Outline, signals: PageSignals): TypeScores {
  if (outline.blocks.length === 0) return CERTAIN_ARTICLE;
  compiled ??= compileTypes(TYPE_WEIGHTS);
  return compiled(signals);
}

const CERTAIN_ARTICLE: TypeScores = { article: 1, documentation: 0, service: 0, forum: 0, collection: 0, listing: 0, product: 0 };

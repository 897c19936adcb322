// Scores every page type by the signals of the page.
import type { CompiledModel, TreeModel } from '../trees.ts';
import { compileModel, scoreRow, sigmoid } from '../trees.ts';
import type { PageSignals } from './page-signals.ts';
import { PAGE_SIGNAL_NAMES } from './page-signals.ts';

/** What a page is for, as a reader would say. */
export type PageType = 'article' | 'documentation' | 'service' | 'forum' | 'collection' | 'listing' | 'product';

/** The page types in the order of the trained weights. */
export const PAGE_TYPES: readonly PageType[] = ['article', 'documentation', 'service', 'forum', 'collection', 'listing', 'product'];

/** From 0 to 1 each; they add up to 1. */
export type TypeScores = Readonly<Record<PageType, number>>;

/** A model per page type. */
export type TypeModels = Readonly<Record<PageType, TreeModel>>;

/** A scorer made of `models`. Throws RangeError when they were trained on other signals. */
export function compileTypes(models: TypeModels): (signals: PageSignals) => TypeScores {
  const compiled = PAGE_TYPES.map((type): [PageType, CompiledModel] => [type, compileModel(models[type], PAGE_SIGNAL_NAMES)]);
  return (signals) => {
    const row = Float32Array.from(signals.values);
    const scores = compiled.map(([type, model]): [PageType, number] => [type, sigmoid(scoreRow(model, row))]);
    const sum = scores.reduce((total, [, score]) => total + score, 0);
    return Object.fromEntries(scores.map(([type, score]) => [type, score / sum])) as Record<PageType, number>;
  };
}

/** The type with the highest score. */
export function likeliestType(scores: TypeScores): PageType {
  return PAGE_TYPES.reduce((best, type) => (scores[type] > scores[best] ? type : best));
}

// Ranks clusters by how much they look like the list of records a reader came for.
import type { Features } from './features.ts';
import { LIST_BASE, LIST_WEIGHTS } from '../generated/list-weights.ts';

const NAMES = Object.keys(LIST_WEIGHTS) as (keyof Features)[];

/** A real number, higher is better; only differences mean something. */
export function scoreOf(features: Features): number {
  return NAMES.reduce((score, name) => score + LIST_WEIGHTS[name] * features[name], LIST_BASE);
}

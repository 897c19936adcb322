// Ranks clusters by how much they look like the list of records a reader came for.
import type { Features } from './features.ts';
import { sum } from './shares.ts';

/** Fitted with a strong prior on half of the public result pages; the rest was only reported. The penalties of prose and pairs are set by hand. */
const WEIGHTS: Features = {
  logItems: 0.7,
  logMean: 0.41,
  long: -0.5,
  coverage: 1.6,
  slots: 0.61,
  spread: -0.86,
  linked: 0.81,
  linkShare: -0.65,
  distinct: 0.94,
  headed: 0.47,
  pictured: 0.45,
  controls: 0.15,
  priced: 0.6,
  numbered: 0.25,
  leaf: 0.47,
  menu: -0.7,
  plain: 0.05,
  prose: -1.8,
  grouping: -1.65,
  boilerplate: -1.4,
  away: -0.8,
  towards: 0.15,
  before: -0.4,
  pair: -1,
  runs: -0.38,
  cousins: -0.36,
};

const NAMES = Object.keys(WEIGHTS) as (keyof Features)[];

/** A real number, higher is better; only differences mean something. */
export function scoreOf(features: Features): number {
  return sum(NAMES, (name) => WEIGHTS[name] * features[name]);
}

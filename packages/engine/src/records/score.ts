// Ranks clusters by how much they look like the list of records a reader came for.
import type { Features } from './features.ts';

/** Log-linear weights. */
export const WEIGHTS: Features = {
  logItems: 0.5,
  logMean: 0.5,
  long: -0.3,
  coverage: 1.5,
  slots: 0.6,
  spread: -0.6,
  linked: 0.8,
  linkShare: -0.5,
  distinct: 1,
  headed: 0.4,
  pictured: 0.1,
  controls: -0.1,
  boilerplate: -1.2,
  away: -0.5,
  towards: 0.2,
  before: -0.3,
  pair: -0.5,
  runs: -0.3,
  cousins: 0,
};

/** A real number, higher is better; only differences mean something. */
export function scoreOf(features: Features): number {
  let score = 0;
  for (const name in WEIGHTS) score += (WEIGHTS[name] ?? 0) * (features[name] ?? 0);
  return score;
}

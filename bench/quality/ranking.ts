// Fits a linear ranking: weights under which the choice of the best candidate of each group is worth most, kept small by a ridge.

/** Candidates of one choice: standardised features, and what each is worth, 0 to 1. */
export interface Choice {
  readonly rows: readonly Float64Array[];
  readonly worth: Float64Array;
  /** How much the choice counts. */
  readonly weight: number;
}

/** How a ranking is fitted. */
export interface RankingOptions {
  /** How strongly weights are drawn to the prior, in choices. */
  readonly ridge: number;
  /** What is thought before anything is seen; 0 where it is not given. */
  readonly prior?: readonly number[];
  /** Weights that stay at their prior, because the choices can't tell. */
  readonly fixed?: readonly boolean[];
  readonly rounds: number;
  readonly rate: number;
}

/**
 * Weights that maximise the expected worth of a candidate drawn by softmax of its score (the listwise loss of Cao et al., ICML 2007,
 * with worth for relevance). Plain gradient steps with momentum: a few dozen weights, a few hundred choices.
 */
export function fitRanking(choices: readonly Choice[], width: number, options: RankingOptions): Float64Array {
  const prior = Float64Array.from({ length: width }, (_, i) => options.prior?.[i] ?? 0);
  const weights = prior.slice();
  const first = new Float64Array(width);
  const second = new Float64Array(width);
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  for (let round = 1; round <= options.rounds; round++) {
    const gradient = new Float64Array(width);
    for (const choice of choices) addGradient(choice, weights, gradient);
    for (let i = 0; i < width; i++) {
      if (options.fixed?.[i]) continue;
      const slope = ((gradient[i] as number) - options.ridge * ((weights[i] as number) - (prior[i] as number))) / total;
      first[i] = 0.9 * (first[i] as number) + 0.1 * slope;
      second[i] = 0.999 * (second[i] as number) + 0.001 * slope * slope;
      const step = (first[i] as number) / (1 - 0.9 ** round) / (Math.sqrt((second[i] as number) / (1 - 0.999 ** round)) + 1e-8);
      weights[i] = (weights[i] as number) + options.rate * step;
    }
  }
  return weights;
}

/** Log of the expected worth, and its slope: choices that are all but lost still pull. */
function addGradient({ rows, worth, weight }: Choice, weights: Float64Array, gradient: Float64Array): void {
  const scores = rows.map((row) => dot(row, weights));
  const top = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - top));
  const sum = chances.reduce((a, b) => a + b, 0);
  let expected = 0;
  chances.forEach((chance, i) => (expected += (chance / sum) * (worth[i] as number)));
  rows.forEach((row, i) => {
    const chance = (chances[i] as number) / sum;
    const pull = (weight * chance * ((worth[i] as number) - expected)) / (expected + WORTH_FLOOR);
    for (let at = 0; at < row.length; at++) gradient[at] = (gradient[at] as number) + pull * (row[at] as number);
  });
}

/** Keeps the pull of a hopeless choice finite. */
const WORTH_FLOOR = 0.05;

/** The sum of products. */
export function dot(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] as number) * (weights[i] as number);
  return sum;
}

/** Mean and standard deviation of every column; a constant column has deviation 1. */
export function standardsOf(
  rows: readonly Float64Array[],
  width: number,
): { readonly means: Float64Array; readonly deviations: Float64Array } {
  const means = new Float64Array(width);
  const deviations = new Float64Array(width);
  for (let i = 0; i < width; i++) {
    const mean = rows.reduce((sum, row) => sum + (row[i] as number), 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + ((row[i] as number) - mean) ** 2, 0) / rows.length;
    means[i] = mean;
    deviations[i] = Math.sqrt(variance) || 1;
  }
  return { means, deviations };
}

// Logistic regression for a few dozen weights and some ten thousand samples.

export interface Sample {
  readonly values: Float32Array;
  readonly isTrue: boolean;
  readonly weight: number;
}

export interface LogisticOptions {
  /** Values that are left out have the weight 0. */
  readonly isUsed: readonly boolean[];
  /** Whether no weight may be below 0: what is alike never speaks against being the same. */
  readonly isNonNegative: boolean;
}

const ROUNDS = 300;
const RATE = 0.05;
/** Draws weights to 0; small, since samples are many. */
const RIDGE = 0.002;

/** The weights of the values, and the constant behind them, that make the samples likeliest: Adam (Kingma and Ba, 2015), projected where weights have a sign. */
export function fitLogistic(samples: readonly Sample[], { isUsed, isNonNegative }: LogisticOptions): readonly number[] {
  const width = isUsed.length;
  const weights = new Float64Array(width + 1);
  const [first, second, slope] = [new Float64Array(width + 1), new Float64Array(width + 1), new Float64Array(width + 1)];
  const total = samples.reduce((sum, { weight }) => sum + weight, 0) || 1;
  for (let turn = 1; turn <= ROUNDS; turn++) {
    slope.fill(0);
    for (const { values, isTrue, weight } of samples) {
      let odds = weights[width] as number;
      for (let i = 0; i < width; i++) odds += (values[i] as number) * (weights[i] as number);
      const miss = weight * ((isTrue ? 1 : 0) - 1 / (1 + Math.exp(-odds)));
      for (let i = 0; i < width; i++) slope[i] = (slope[i] as number) + miss * (values[i] as number);
      slope[width] = (slope[width] as number) + miss;
    }
    for (let i = 0; i <= width; i++) {
      if (i < width && !isUsed[i]) continue;
      const pull = (slope[i] as number) / total - (i < width ? RIDGE * (weights[i] as number) : 0);
      first[i] = 0.9 * (first[i] as number) + 0.1 * pull;
      second[i] = 0.999 * (second[i] as number) + 0.001 * pull * pull;
      const step = (first[i] as number) / (1 - 0.9 ** turn) / (Math.sqrt((second[i] as number) / (1 - 0.999 ** turn)) + 1e-9);
      const moved = (weights[i] as number) + RATE * step;
      weights[i] = isNonNegative && i < width ? Math.max(0, moved) : moved;
    }
  }
  return [...weights];
}

// The numbers by which candidates are judged; bench/quality/heal/train.ts fits them.
import type { Property } from './likeness.ts';

/** A fitted judge of candidates. */
export interface Judge {
  /** None is below 0. */
  readonly weights: Readonly<Record<Property, number>>;
  readonly base: number;
  /** Makes the trust in the best candidate out of how like it is, how far off the next one is, and how unlike what stood beside the target. */
  readonly trust: { readonly base: number; readonly odds: number; readonly gap: number; readonly margin: number };
  /** A repair needs this trust and this margin. */
  readonly trustMin: number;
  readonly marginMin: number;
  /** From this score on a candidate may be the target, though it can't be told; below, the target is gone. */
  readonly nearMin: number;
}

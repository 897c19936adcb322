// Written by `node bench/quality/proof/fit.ts --write` from 252 lists of saved searches; not edited by hand.
/** The bounds of the rules of a proof. */
export const PROOF_BOUNDS = {
  /** A list has at least two rows. */
  rowsMin: 2,
  /** The same call is answered alike but for what changes by itself: as many rows may as may be missing of a field. */
  repeatMin: 0.72,
  /** Two pages are as far apart as two searches are. */
  pageOverlapMax: 0.8,
  /** The second page speaks of the word as the first one has to. */
  pageWordShareMin: 0.56,
  filledMin: 0.72,
  secondOverlapMax: 0.8,
  shapeMin: 0.57,
  wordShareMin: 0.56,
  wordTellsMin: -0.23,
  negativeOverlapMax: 0.8,
  negativeShareMax: 0.05,
} as const;

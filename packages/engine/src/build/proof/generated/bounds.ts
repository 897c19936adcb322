// Written by `node bench/quality/proof/fit.ts --write` from 145 sites; not edited by hand.
/** The bounds of the rules of a proof. */
export const PROOF_BOUNDS = {
  /** A list has at least two rows. */
  rowsMin: 2,
  repeatMin: 0.75,
  filledMin: 0.64,
  secondOverlapMax: 0.85,
  pageOverlapMax: 0.85,
  shapeMin: 0.53,
  wordShareMin: 0.55,
  pageWordShareMin: 0.55,
  wordTellsMin: -0.25,
  negativeOverlapMax: 0.2,
  negativeShareMax: 0.25,
} as const;

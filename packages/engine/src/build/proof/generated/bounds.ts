// The bounds of the rules of a proof. Written by hand until `npm run bench -- fit-proof` has written it.
export const PROOF_BOUNDS = {
  rowsMin: 2,
  filledMin: 0.8,
  repeatMin: 0.8,
  secondOverlapMax: 0.5,
  shapeMin: 0.4,
  wordShareMin: 0.5,
  wordTellsMin: 0.3,
  negativeOverlapMax: 0.3,
  pageOverlapMax: 0.5,
  pageWordShareMin: 0.3,
} as const;

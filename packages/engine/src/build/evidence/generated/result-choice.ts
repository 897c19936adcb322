// Written by `node bench/quality/proof/fit.ts --write`; not edited by hand.
/** How the list of the results is told from the others of its page. */
export const RESULT_CHOICE = {
  changeWeight: 4,
  changeMin: 0.3,
  framedMax: 0.5,
} as const;

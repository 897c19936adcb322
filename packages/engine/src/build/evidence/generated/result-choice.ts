// Written by `node bench/quality/proof/fit.ts --write` from 145 sites; not edited by hand.
/** How the list of the results is told from the others of its page. */
export const RESULT_CHOICE = {
  changeWeight: 0.5,
  changeMin: 0.47,
  framedMax: 0.2,
} as const;

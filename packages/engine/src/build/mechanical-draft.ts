// The draft that needs nobody: what fits the objective, as it is called on the site. Always there, and what every failure falls back to.
import { FUNCTIONS_MAX, acceptDraft, draftable } from './draft.ts';
import type { Draft } from './draft.ts';
import type { Candidate, Catalogue } from './evidence/catalogue.ts';

/** A candidate fits where the site uses at least one telling word of the objective for it. */
export const MATCH_MIN = 0.01;

/** The candidates that fit `objective`, in the order of the catalogue; all of them without an objective. */
export function matching(catalogue: Catalogue, objective: string): readonly Candidate[] {
  return draftable(catalogue).filter(({ match }) => objective.trim() === '' || match >= MATCH_MIN);
}

/** The draft of the best candidates: each listing once, all fields, inputs as the site names them. */
export function mechanicalDraft(catalogue: Catalogue, objective: string): Draft {
  const taken = new Set<string>();
  const chosen = matching(catalogue, objective).filter(({ way, kind }) => {
    const key = `${kind} ${JSON.stringify(way).replaceAll(/\{[PV]\d+\}/g, '{}')}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
  const given = { functions: chosen.slice(0, FUNCTIONS_MAX).map(({ id, name }) => ({ candidate_id: id, name })), none_match: false };
  return acceptDraft(given, catalogue).draft ?? { functions: [], none_match: false };
}

// Puts the catalogues of several rungs into one.
import type { Catalogue, EvidenceId } from './catalogue.ts';

/** All evidence of all catalogues, in their order; candidates by how well they fit. */
export function mergeCatalogues(...all: readonly Catalogue[]): Catalogue {
  return {
    forms: all.flatMap(({ forms }) => forms),
    requests: all.flatMap(({ requests }) => requests),
    listings: all.flatMap(({ listings }) => listings),
    states: all.flatMap(({ states }) => states),
    details: all.flatMap(({ details }) => details),
    endpoints: all.flatMap(({ endpoints }) => endpoints),
    paging: all.flatMap(({ paging }) => paging),
    tokens: all.flatMap(({ tokens }) => tokens),
    candidates: all.flatMap(({ candidates }) => candidates).toSorted((a, b) => b.match - a.match),
  };
}

/** Every id that a catalogue gives. */
export function idsIn(catalogue: Catalogue): readonly EvidenceId[] {
  const { candidates, ...evidence } = catalogue;
  const ofCandidates = candidates.flatMap(({ id, parameters, fields }) => [
    id,
    ...parameters.flatMap((parameter) => [parameter.id, ...parameter.examples.map((example) => example.id)]),
    ...fields.map((field) => field.id),
  ]);
  return [...Object.values(evidence).flatMap((each) => each.map(({ id }: { readonly id: EvidenceId }) => id)), ...ofCandidates];
}

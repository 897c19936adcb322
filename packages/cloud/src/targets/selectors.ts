// The selectors of a target as its row keeps them: what was sent, the ids that it was given, and what checks have found of it.
import type { NewTarget, SelectorSpec, TargetSelector } from '@weft/contract';
import { MISSING_AFTER, readingOfExtractor, selectorName, shownBaseline, shownProposal, targetOf } from '@weft/engine';
import type { ExtractorDefinition, KeptBaseline, KeptProposal, KnownTarget, SelectorDefinition, TargetToKeep } from '@weft/engine';

/** An extractor as it is kept. */
export interface KeptExtractor {
  readonly id: number;
  readonly active: boolean;
  readonly definition: ExtractorDefinition;
}

/** A selector as it is kept; plain JSON. */
export interface KeptSelector {
  readonly id: number;
  readonly active: boolean;
  readonly definition: SelectorDefinition;
  readonly extractors: readonly KeptExtractor[];
  readonly baseline?: KeptBaseline | undefined;
  readonly proposal?: KeptProposal | undefined;
}

/** What is known of selectors, by their ids. */
export type KnownTargets = Readonly<Record<string, KnownTarget>>;

/** Selectors with their ids, and the last id that was given. */
export interface Numbered {
  readonly selectors: readonly KeptSelector[];
  readonly parts: number;
}

/**
 * `specs` with ids: one that looks at the same as one of `before` has its id and its baseline, and of its extractors those that read the same;
 * all others are new.
 */
export function numbered(specs: NewTarget['selectors'] = [], before: Numbered): Numbered {
  const free = [...before.selectors];
  let parts = before.parts;
  const selectors = specs.map(({ extractors = [], active = true, ...definition }): KeptSelector => {
    const place = free.findIndex((one) => looksAt(one.definition) === looksAt(definition));
    const [same] = place === -1 ? [] : free.splice(place, 1);
    const id = same?.id ?? (parts += 1);
    const freeExtractors = [...(same?.extractors ?? [])];
    const kept = extractors.map(({ active: isActive = true, ...own }): KeptExtractor => {
      const at = freeExtractors.findIndex((one) => readingOfExtractor(one.definition) === readingOfExtractor(own));
      const [sameExtractor] = at === -1 ? [] : freeExtractors.splice(at, 1);
      return { id: sameExtractor?.id ?? (parts += 1), active: isActive, definition: own };
    });
    return { id, active, definition, extractors: kept, baseline: same?.baseline, proposal: same?.proposal };
  });
  return { selectors, parts };
}

/** What is sent to make them again. */
export function specsOf(selectors: readonly KeptSelector[]): SelectorSpec[] {
  return selectors.map(({ active, definition, extractors }) => ({
    ...definition,
    ...(active ? {} : { active }),
    ...(extractors.length === 0
      ? {}
      : { extractors: extractors.map((one) => ({ ...one.definition, ...(one.active ? {} : { active: false }) })) }),
  }));
}

/** What a check does with those that are active. */
export function plansOf(selectors: readonly KeptSelector[], known: KnownTargets): ReturnType<typeof targetOf>[] {
  return selectors
    .filter(({ active }) => active)
    .map(({ id, definition, baseline, extractors }) =>
      targetOf({ id, definition, baseline, known: known[id], extractors: extractors.filter((one) => one.active) }),
    );
}

/** Selectors after a check, and whether what the next one reads by is another: a baseline was recorded, a repair taken over. */
export function afterCheck(
  selectors: readonly KeptSelector[],
  kept: readonly TargetToKeep[],
): { readonly selectors: readonly KeptSelector[]; readonly isOther: boolean } {
  const changed = new Map(kept.map((one) => [one.id, one]));
  const after = selectors.map((selector): KeptSelector => {
    const found = changed.get(selector.id);
    if (!found) return selector;
    const { baseline, proposal, healed } = found;
    if (healed === undefined) return { ...selector, baseline: baseline ?? selector.baseline, proposal };
    return { ...selector, definition: { ...selector.definition, selector: healed }, baseline: undefined, proposal: undefined };
  });
  return { selectors: after, isOther: kept.some(({ baseline, healed }) => baseline !== undefined || healed !== undefined) };
}

/** As they are shown. */
export function shownSelectors(selectors: readonly KeptSelector[], known: KnownTargets, sinceMs: number): TargetSelector[] {
  return selectors.map(({ id, active, definition, extractors, baseline, proposal }) => {
    const { allow_missing = false, auto_heal = false, many = false, missing_after = MISSING_AFTER, selector } = definition;
    return {
      id,
      selector,
      name: selectorName(definition),
      active,
      many,
      allow_missing,
      missing_after,
      auto_heal,
      extractors: extractors.map((one) => ({
        ...one.definition,
        id: one.id,
        name: one.definition.name ?? one.definition.type,
        active: one.active,
      })),
      ...(baseline ? { baseline: shownBaseline(baseline) } : {}),
      ...(proposal ? { proposal: shownProposal(proposal, known[id], sinceMs) } : {}),
      missing: known[id]?.missing ?? 0,
    };
  });
}

function looksAt({ selector, many = false }: SelectorDefinition): string {
  return JSON.stringify([selector, many]);
}

// Selectors and extractors as they are kept.
import { targetOf } from '@weft/engine';
import type { KeptBaseline, KeptProposal, KnownTarget, SelectorDefinition } from '@weft/engine';
import { parseExtractorRow } from '../extractors/definition.ts';
import type { ExtractorRow } from '../extractors/definition.ts';
import type { SelectorRow } from './store.ts';

export type { SelectorRow, SelectorStore } from './store.ts';

export function parseSelectorRow({ definition }: Pick<SelectorRow, 'definition'>): SelectorDefinition {
  return JSON.parse(definition) as SelectorDefinition;
}

export function parseBaseline({ baseline }: Pick<SelectorRow, 'baseline'>): KeptBaseline | undefined {
  return baseline === null ? undefined : (JSON.parse(baseline) as KeptBaseline);
}

export function parseProposal({ proposal }: Pick<SelectorRow, 'proposal'>): KeptProposal | undefined {
  return proposal === null ? undefined : (JSON.parse(proposal) as KeptProposal);
}

export function parseKnown({ known }: Pick<SelectorRow, 'known'>): KnownTarget | undefined {
  return known === null ? undefined : (JSON.parse(known) as KnownTarget);
}

/** What a check does with a selector, and what it goes by. */
export function targetOfRow(row: SelectorRow, extractors: readonly ExtractorRow[]): ReturnType<typeof targetOf> {
  return targetOf({
    id: row.id,
    definition: parseSelectorRow(row),
    baseline: parseBaseline(row),
    known: parseKnown(row),
    extractors: extractors.filter(({ active }) => active === 1).map((one) => ({ id: one.id, definition: parseExtractorRow(one) })),
  });
}

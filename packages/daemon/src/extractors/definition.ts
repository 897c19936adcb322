// Extractors as they are kept.
import type { ExtractorSpec } from '@weft/contract';
import type { ExtractorRow } from './store.ts';

export type { ExtractorRow } from './store.ts';

/** What is kept of an extractor beside whether it is active. */
export type ExtractorDefinition = Omit<ExtractorSpec, 'active'>;

export function parseExtractorRow({ definition }: Pick<ExtractorRow, 'definition'>): ExtractorDefinition {
  return JSON.parse(definition) as ExtractorDefinition;
}

// Extractors as they are kept.
import type { ExtractorDefinition } from '@weft/engine';
import type { ExtractorRow } from './store.ts';

export type { ExtractorRow } from './store.ts';

export function parseExtractorRow({ definition }: Pick<ExtractorRow, 'definition'>): ExtractorDefinition {
  return JSON.parse(definition) as ExtractorDefinition;
}

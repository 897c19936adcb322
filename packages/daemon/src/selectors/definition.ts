// Selectors and extractors as they are kept, and what a check makes of them.
import type { SelectorSpec } from '@weft/contract';
import { MISSING_AFTER, valueKey } from '@weft/engine';
import type { ExtractorPlan, KnownTarget, SeenValue, TargetBaseline, TargetPlan, TargetSettings } from '@weft/engine';
import { parseExtractorRow } from '../extractors/definition.ts';
import type { ExtractorRow } from '../extractors/definition.ts';
import type { SelectorRow } from './store.ts';

export type { SelectorRow, SelectorStore } from './store.ts';

/** What is kept of a selector beside whether it is active. */
export type SelectorDefinition = Omit<SelectorSpec, 'extractors' | 'active'>;

/** A baseline with the values that were there. */
export interface KeptBaseline {
  /** Epoch milliseconds. */
  readonly capturedMs: number;
  readonly url: string;
  readonly target: TargetBaseline;
  /** By the key of the value. */
  readonly values: Readonly<Record<string, SeenValue & { readonly name: string }>>;
}

/** A repair that was proposed. */
export interface KeptProposal {
  readonly selector: string;
  readonly score: number;
  readonly gap: number;
  readonly evidence: readonly string[];
}

/** The extractor of a selector that has none: its text. */
const TEXT: ExtractorPlan = { id: undefined, name: 'text', spec: { type: 'text' } };
/** Checks without a difference after which the text of a target says that it is the same. */
const STEADY_CHECKS = 3;

export function parseSelectorRow({ definition }: Pick<SelectorRow, 'definition'>): SelectorDefinition {
  return JSON.parse(definition) as SelectorDefinition;
}

export function parseBaseline({ baseline }: Pick<SelectorRow, 'baseline'>): KeptBaseline | undefined {
  return baseline === null ? undefined : (JSON.parse(baseline) as KeptBaseline);
}

export function parseProposal({ proposal }: Pick<SelectorRow, 'proposal'>): KeptProposal | undefined {
  return proposal === null ? undefined : (JSON.parse(proposal) as KeptProposal);
}

/** What is told of a proposal. */
export function shownProposal({ selector, score, gap, evidence }: KeptProposal) {
  return { selector, score, gap, evidence: [...evidence] };
}

export function parseKnown({ known }: Pick<SelectorRow, 'known'>): KnownTarget | undefined {
  return known === null ? undefined : (JSON.parse(known) as KnownTarget);
}

/** What people call it. */
export function selectorName({ name, selector }: SelectorDefinition): string {
  return name ?? (typeof selector === 'string' ? selector : selector.join(' >> '));
}

/** What a check does with a selector, and what it goes by. */
export function targetOf(row: SelectorRow, extractors: readonly ExtractorRow[]): TargetPlan & { readonly settings: TargetSettings } {
  const definition = parseSelectorRow(row);
  const baseline = parseBaseline(row);
  const known = parseKnown(row);
  const active = extractors.filter((extractor) => extractor.active === 1).map(planOf);
  return {
    id: row.id,
    selector: definition.selector,
    many: definition.many ?? false,
    baseline: baseline?.target,
    isSteady: (known?.steady ?? 0) >= STEADY_CHECKS,
    extractors: active.length > 0 ? active : [TEXT],
    settings: {
      id: row.id,
      name: selectorName(definition),
      allowMissing: definition.allow_missing ?? false,
      missingAfter: definition.missing_after ?? MISSING_AFTER,
      autoHeal: definition.auto_heal ?? false,
      baseline: baseline?.values ?? {},
      alerts: Object.fromEntries(active.map(({ id, spec }) => [valueKey(row.id, id), spec.alert ?? {}])),
    },
  };
}

function planOf(row: ExtractorRow): ExtractorPlan {
  const spec = parseExtractorRow(row);
  return { id: row.id, name: spec.name ?? spec.type, spec };
}

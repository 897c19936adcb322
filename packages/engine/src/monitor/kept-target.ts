// A selector as it is kept between checks, with its baseline and what was proposed of it, and what a check makes of it.
import type { ExtractorSpec, SelectorSpec } from '@weft/contract';
import { valueKey } from './known.ts';
import type { KnownTarget, SeenValue } from './known.ts';
import type { ExtractorPlan, TargetPlan, ValueReading } from './plan.ts';
import { MISSING_AFTER } from './settings.ts';
import type { TargetSettings } from './settings.ts';
import type { TargetBaseline } from './target/baseline.ts';

/** What is kept of a selector beside whether it is active. */
export type SelectorDefinition = Omit<SelectorSpec, 'extractors' | 'active'>;
/** What is kept of an extractor beside whether it is active. */
export type ExtractorDefinition = Omit<ExtractorSpec, 'active'>;

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

/** A selector as it is kept. */
export interface KeptTarget {
  readonly id: number;
  readonly definition: SelectorDefinition;
  readonly baseline: KeptBaseline | undefined;
  /** Undefined before the first check. */
  readonly known: KnownTarget | undefined;
  /** Those that are active, in the order in which they were added. */
  readonly extractors: readonly { readonly id: number; readonly definition: ExtractorDefinition }[];
}

/** The extractor of a selector that has none: its text. */
const TEXT: ExtractorPlan = { id: undefined, name: 'text', spec: { type: 'text' } };
/** Checks without a difference after which the text of a target says that it is the same. */
const STEADY_CHECKS = 3;

/** What people call a selector. */
export function selectorName({ name, selector }: SelectorDefinition): string {
  return name ?? (typeof selector === 'string' ? selector : selector.join(' >> '));
}

/** What a check does with a selector, and what it goes by. */
export function targetOf({ id, definition, baseline, known, extractors }: KeptTarget): TargetPlan & { readonly settings: TargetSettings } {
  const plans = extractors.map((one): ExtractorPlan => ({
    id: one.id,
    name: one.definition.name ?? one.definition.type,
    spec: one.definition,
  }));
  return {
    id,
    selector: definition.selector,
    many: definition.many ?? false,
    baseline: baseline?.target,
    isSteady: (known?.steady ?? 0) >= STEADY_CHECKS,
    extractors: plans.length > 0 ? plans : [TEXT],
    settings: {
      id,
      name: selectorName(definition),
      allowMissing: definition.allow_missing ?? false,
      missingAfter: definition.missing_after ?? MISSING_AFTER,
      autoHeal: definition.auto_heal ?? false,
      baseline: baseline?.values ?? {},
      alerts: Object.fromEntries(plans.map((plan) => [valueKey(id, plan.id), plan.spec.alert ?? {}])),
    },
  };
}

/** Values as a baseline keeps them, by their keys. */
export function baselineValues(values: readonly ValueReading[]): KeptBaseline['values'] {
  const entries = values.flatMap(({ selectorId, extractorId, name, value, text, compared, digest, problem }) =>
    problem === undefined
      ? [[valueKey(selectorId, extractorId), { name, text, compared, digest, ...(value === undefined ? {} : { value }) }] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

/** All that decides what an extractor reads; how it is called and what of it is told may change. */
export function readingOfExtractor({ name: _name, alert: _alert, ...definition }: ExtractorDefinition): string {
  return JSON.stringify(Object.entries(definition).sort(([a], [b]) => (a < b ? -1 : 1)));
}

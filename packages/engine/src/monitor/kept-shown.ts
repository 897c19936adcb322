// How what is kept of a monitor is shown: its state, its values by the names that people gave them, and the baselines of its selectors.
import type { MonitorState, MonitorValue, SelectorBaseline, SelectorProposal } from '@weft/contract';
import type { KeptBaseline, KeptProposal } from './kept-target.ts';
import { valueKey } from './known.ts';
import type { KnownTarget, KnownTrouble } from './known.ts';

/** How it stands. */
export function shownState({ kind, sinceMs, checks, code, message, toldMs }: KnownTrouble): MonitorState {
  return {
    kind,
    since: instantOf(sinceMs),
    checks,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(toldMs === undefined ? {} : { told: true }),
  };
}

/** A selector with the names of its values. */
interface NamedSelector {
  readonly id: number;
  readonly extractors: readonly { readonly id: number; readonly name: string }[];
}

/** Values by the names that selectors and extractors have now, in their order; one of a selector that is gone is known no more. */
export function shownValues(
  selectors: readonly NamedSelector[],
  values: readonly { readonly key: string; readonly text: string; readonly sinceMs: number }[],
): MonitorValue[] {
  const names: readonly (readonly [key: string, ids: Partial<MonitorValue> & { readonly name: string }])[] = [
    ['page', { name: 'page' }],
    ...selectors.flatMap(({ id, extractors }) => [
      [valueKey(id, undefined), { selector_id: id, name: 'text' }] as const,
      ...extractors.map(
        ({ id: extractorId, name }) => [valueKey(id, extractorId), { selector_id: id, extractor_id: extractorId, name }] as const,
      ),
    ]),
  ];
  return names.flatMap(([key, ids]) => {
    const value = values.find((one) => one.key === key);
    return value ? [{ ...ids, text: value.text, since: instantOf(value.sinceMs) }] : [];
  });
}

/**
 * Why nothing is known of a value that was asked for by its ids: it is none of those that are read of `selectors` now; says which are.
 * Undefined where it is one of them.
 */
export function describeNoValue(
  selectors: readonly NamedSelector[],
  selectorId: number | undefined,
  extractorId: number | undefined,
): string | undefined {
  const read = selectors.flatMap(({ id, extractors }) =>
    extractors.length === 0
      ? [{ key: valueKey(id, undefined), says: `"text" (selector_id=${id})` }]
      : extractors.map((one) => ({ key: valueKey(id, one.id), says: `"${one.name}" (selector_id=${id}&extractor_id=${one.id})` })),
  );
  const all = read.length === 0 ? [{ key: valueKey(undefined, undefined), says: '"page" (neither)' }] : read;
  const asked = valueKey(selectorId, extractorId);
  if (all.some(({ key }) => key === asked)) return undefined;
  const given =
    selectorId === undefined ? 'the page' : `selector_id=${selectorId}${extractorId === undefined ? '' : `&extractor_id=${extractorId}`}`;
  return `Nothing was kept of ${given}; what is read here is ${all.map(({ says }) => says).join(', ')}.`;
}

/** What was there when the baseline was recorded. */
export function shownBaseline({ capturedMs, url, target, values }: KeptBaseline): SelectorBaseline {
  return {
    captured_at: instantOf(capturedMs),
    url,
    matches: target.count,
    values: Object.entries(values).map(([key, { name, value, text }]) => {
      const extractor = Number(key.split('/')[1]);
      return { ...(Number.isNaN(extractor) ? {} : { extractor_id: extractor }), name, value, text };
    }),
    alternates: [...target.alternates],
  };
}

/** A proposed repair, and for how long it has held; `sinceMs` where that is not known. */
export function shownProposal(
  { selector, score, gap, evidence }: KeptProposal,
  known: KnownTarget | undefined,
  sinceMs: number,
): SelectorProposal {
  const { held = 1, sinceMs: proposedMs = sinceMs } = known?.proposed ?? {};
  return { selector, score, gap, evidence: [...evidence], held, proposed_at: instantOf(proposedMs) };
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

// Values of monitors as automations compare them.
import { minorDigitsOf } from '../extract/price/currency.ts';
import type { JsonValue } from '../html/loose-json.ts';
import { valueKey } from '../monitor/known.ts';
import type { KnownMonitor } from '../monitor/known.ts';
import type { TargetPlan } from '../monitor/plan.ts';
import { isMembers } from '../run/value.ts';
import type { MonitorReading } from './cause.ts';

/** Longer texts are cut: they are compared, not kept. */
const TEXT_CHARACTERS_MAX = 10_000;

/** What a monitor calls its values: those of its active selectors, or `watch` where it looks at the whole. */
export function valueNames(targets: readonly TargetPlan[], watch: string): readonly string[] {
  return targets.length === 0 ? [watch] : targets.flatMap(({ extractors }) => extractors.map(({ name }) => name));
}

/** How a monitor stands, by the names of its values. Of two with one name the last counts. */
export function readingOf({ state, values }: KnownMonitor, targets: readonly TargetPlan[], watch: string): MonitorReading {
  const keys: readonly (readonly [name: string, key: string])[] =
    targets.length === 0
      ? [[watch, valueKey(undefined, undefined)]]
      : targets.flatMap(({ id, extractors }) => extractors.map((one) => [one.name, valueKey(id, one.id)] as const));
  const named = keys.flatMap(([name, key]) => {
    const value = Object.hasOwn(values, key) ? values[key]?.value : undefined;
    return value === undefined ? [] : [[name, plainValue(value)] as const];
  });
  return { state: state.kind, values: Object.fromEntries(named) };
}

/** A price as a number of its currency, stock as its state, everything else as it is. */
export function plainValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.slice(0, TEXT_CHARACTERS_MAX);
  if (!isMembers(value)) return value;
  const { amount_minor: minor, currency, state } = value;
  if (typeof minor === 'number') return minor / 10 ** minorDigitsOf(typeof currency === 'string' ? currency : undefined);
  return typeof state === 'string' ? state : value;
}

// A value as a check keeps, shows and compares it.
import type { ValueReading } from '../plan.ts';
import { capped } from './text-filter.ts';
import type { LineFilter } from './text-filter.ts';
import type { Outcome } from './values/outcome.ts';

/** Types whose text is compared line by line as the filter says; the others have one form. */
const FILTERED: ReadonlySet<string> = new Set(['text', 'html', 'regex', 'list']);

/** What `outcome` comes to under `filter`; a long text is capped, and says so. */
export function valueReading(
  of: Pick<ValueReading, 'selectorId' | 'extractorId' | 'name' | 'type'>,
  outcome: Outcome,
  filter: LineFilter,
): ValueReading {
  if ('problem' in outcome) return { ...of, value: undefined, text: '', compared: '', digest: '', problem: outcome.problem };
  const { value, text, compared = text } = outcome;
  const canonical = FILTERED.has(of.type) ? filter.canonical(compared) : capped(compared.toWellFormed());
  return {
    ...of,
    value: typeof value === 'string' ? capped(value.toWellFormed()) : value,
    text: capped(text.toWellFormed()),
    compared: canonical,
    digest: filter.digest(canonical),
    problem: undefined,
  };
}

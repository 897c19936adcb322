// A monitor as it is kept, with the settings of its tags; what is wrong with one that is to be saved is a refusal.
import { AppError } from '@weft/contract';
import type { ExtractorSpec, MonitorSpec, NewMonitor, TextFilter } from '@weft/contract';
import { faultOfExpression, faultOfExtractor, faultOfFilter, faultOfMonitor, faultOfSent, secretsNamedIn } from '@weft/engine';
import type { MonitorRow, MonitorStore } from './store.ts';

/** The body of a monitor without its selectors. Throws AppError `bad_request` for members that do not go together. */
export function specOf({ selectors: _selectors, ...spec }: NewMonitor): MonitorSpec {
  checkSpec(spec);
  return spec;
}

/** Throws AppError `bad_request` that names what does not go together. */
export function checkSpec(spec: MonitorSpec): void {
  refuse(faultOfMonitor(spec));
}

/** Keys of the secrets that are sent. */
export function secretsOf({ headers = {}, body = '' }: Pick<MonitorSpec, 'headers' | 'body'>): readonly string[] {
  return [...Object.values(headers), body].flatMap(secretsNamedIn);
}

/** Throws AppError `bad_request` for a reference that can't be read: it would be sent as it is. */
export function checkSecrets(sent: Pick<MonitorSpec, 'headers' | 'body'>): void {
  refuse(faultOfSent(sent));
}

/** Throws AppError `bad_request` with the place of an expression that can't be read. */
export function checkFilter(filter: TextFilter = {}): void {
  refuse(faultOfFilter(filter));
}

/** Throws AppError `bad_request` with the place in a selector that can't be read (D39). */
export function requireSelector(selector: string | readonly string[], where: string): void {
  refuse(faultOfExpression(selector, where));
}

/** Throws AppError `bad_request` for an extractor whose expressions can't be read. */
export function requireExtractor(spec: ExtractorSpec, where: string): void {
  refuse(faultOfExtractor(spec, where));
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new AppError('bad_request', fault);
}

/** What is kept of a monitor. */
export function parseSpec({ definition }: Pick<MonitorRow, 'definition'>): MonitorSpec {
  return JSON.parse(definition) as MonitorSpec;
}

/** A monitor with what its tags pass on: later tags over earlier ones, its own members over all. */
export function effectiveSpec(spec: MonitorSpec, store: Pick<MonitorStore, 'tag'>): MonitorSpec {
  const passed = (spec.tags ?? []).map((name) => JSON.parse(store.tag(name) ?? '{}') as Partial<MonitorSpec>);
  const defined = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
  return Object.assign({}, ...passed, defined) as MonitorSpec;
}

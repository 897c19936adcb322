// What is kept of an automation, and what it names.
import { AUTOMATION_RUNS_MAX, AppError } from '@weft/contract';
import type { NewAutomation } from '@weft/contract';
import { faultOfAutomation, namedBy } from '@weft/engine';
import type { NamedThing } from '@weft/engine';
import type { AutomationRow } from './store.ts';

/** All but its name and whether it is enabled. */
export type AutomationDefinition = Omit<NewAutomation, 'name' | 'enabled'>;

/** What automations may name. Each throws AppError `not_found`. */
export interface Nameable {
  requireMonitor(id: number): void;
  /** What the monitor calls its values. */
  valuesOf(id: number): readonly string[];
  requireWorkflow(id: number): void;
  /** Answers its id. */
  requireCrawl(ref: string): number;
  requireAutomation(id: number): void;
  requireChannel(id: number): void;
}

/**
 * The definition of a checked automation, in which saved crawls stand by their ids. Throws AppError `bad_request` and `not_found`, with the
 * place.
 */
export function definitionOf({ name: _name, enabled: _enabled, ...definition }: NewAutomation, nameable: Nameable): AutomationDefinition {
  const fault = faultOfAutomation(definition);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  for (const thing of namedBy(definition)) requireThing(thing, nameable);
  const byId = <Part extends object>(part: Part): Part =>
    'ref' in part && typeof part.ref === 'string' ? { ...part, ref: String(nameable.requireCrawl(part.ref)) } : part;
  return { ...definition, triggers: definition.triggers.map(byId), actions: definition.actions.map(byId) };
}

function requireThing({ kind, ref, at, value }: NamedThing, nameable: Nameable): void {
  try {
    if (kind === 'crawl') nameable.requireCrawl(String(ref));
    else if (kind === 'monitor') nameable.requireMonitor(Number(ref));
    else if (kind === 'workflow') nameable.requireWorkflow(Number(ref));
    else if (kind === 'automation') nameable.requireAutomation(Number(ref));
    else nameable.requireChannel(Number(ref));
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.code, `"${at}": ${error.message}`) : error;
  }
  if (value === undefined) return;
  const names = nameable.valuesOf(Number(ref));
  if (!names.includes(value))
    throw new AppError(
      'bad_request',
      `"${at}": monitor ${ref} has no value "${value}"; it has ${names.map((name) => `"${name}"`).join(', ')}.`,
    );
}

export function parseDefinition({ definition }: { readonly definition: string }): AutomationDefinition {
  // Written by `definitionOf` alone.
  return JSON.parse(definition) as AutomationDefinition;
}

/** Whether it names this monitor, workflow, saved crawl or automation. */
export function doesName(row: AutomationRow, kind: NamedThing['kind'], id: number): boolean {
  return namedBy(parseDefinition(row)).some((thing) => thing.kind === kind && Number(thing.ref) === id);
}

/** How many live runs it may have, and what becomes of others. */
export function modeOf({ mode = 'single', max = AUTOMATION_RUNS_MAX }: AutomationDefinition) {
  return { mode, max };
}

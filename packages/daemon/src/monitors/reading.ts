// How monitors stand and what is known of their values, by the names that people give them.
import { readingOf, valueNames } from '@weft/engine';
import type { KnownTrouble, KnownValue, MonitorReading } from '@weft/engine';
import type { ExtractorStore } from '../extractors/extractor.ts';
import { targetOfRow } from '../selectors/definition.ts';
import type { SelectorStore } from '../selectors/definition.ts';
import type { CheckRows } from './check-store.ts';
import { effectiveSpec, parseSpec } from './definition.ts';
import type { MonitorRow, MonitorStore } from './store.ts';

export interface MonitorReadings {
  /** As the last check left it; undefined for one that there is not. */
  readingOf(id: number): MonitorReading | undefined;
  /** What its values are called; empty for one that there is not. */
  namesOf(id: number): readonly string[];
}

export interface ReadingPorts {
  readonly monitors: Pick<MonitorStore, 'find' | 'tag'>;
  readonly selectors: Pick<SelectorStore, 'ofMonitor'>;
  readonly extractors: Pick<ExtractorStore, 'ofSelector'>;
  readonly rows: Pick<CheckRows, 'valuesOf'>;
}

export function createMonitorReadings({ monitors, selectors, extractors, rows }: ReadingPorts): MonitorReadings {
  const targetsOf = (id: number) =>
    selectors
      .ofMonitor(id)
      .filter(({ active }) => active === 1)
      .map((selector) => targetOfRow(selector, extractors.ofSelector(selector.id)));
  const watchOf = (row: MonitorRow): string => {
    const { workflow_id: workflow, watch = 'page' } = effectiveSpec(parseSpec(row), monitors);
    return workflow === undefined ? watch : 'rows';
  };
  return {
    readingOf(id) {
      const row = monitors.find(id);
      if (!row) return undefined;
      const values = rows.valuesOf(id).map(({ key, known }) => [key, JSON.parse(known) as KnownValue]);
      const known = { state: JSON.parse(row.state) as KnownTrouble, values: Object.fromEntries(values), targets: {} };
      return readingOf(known, targetsOf(id), watchOf(row));
    },
    namesOf(id) {
      const row = monitors.find(id);
      return row ? valueNames(targetsOf(id), watchOf(row)) : [];
    },
  };
}

// All monitors and tags as one document: the bodies that make them, oldest first.
import type { MonitorConfiguration, MonitorSpec } from '@weft/contract';
import { parseExtractorRow } from '../extractors/definition.ts';
import type { ExtractorStore } from '../extractors/extractor.ts';
import { parseSelectorRow } from '../selectors/definition.ts';
import type { SelectorStore } from '../selectors/definition.ts';
import { parseSpec } from './definition.ts';
import { askedOnce, namesOf } from './names.ts';
import type { NamePorts } from './names.ts';
import type { MonitorStore } from './store.ts';
import type { TagStore } from './tag-store.ts';

export interface ConfigurationPorts extends NamePorts {
  readonly monitorStore: MonitorStore;
  readonly tagStore: TagStore;
  readonly selectorStore: SelectorStore;
  readonly extractorStore: ExtractorStore;
}

/** Everything of one moment. */
export function configurationOf(given: ConfigurationPorts): MonitorConfiguration {
  const ports = { ...given, ...askedOnce(given) };
  const { monitorStore, tagStore } = ports;
  const tags = tagStore.list(-1, 0).map(({ name, settings }) => ({ name, ...named(JSON.parse(settings) as MonitorSpec, ports) }));
  const monitors = monitorStore.list({}, -1, 0).toReversed();
  return { weft: 1, tags, monitors: monitors.map((row) => monitorOf({ ...parseSpec(row), name: row.name }, row.id, ports)) };
}

function monitorOf({ name, active = true, ...spec }: MonitorSpec, id: number, ports: ConfigurationPorts): Record<string, unknown> {
  const selectors = selectorsOf(id, ports);
  return {
    name,
    ...named(spec, ports),
    ...(active ? {} : { active }),
    ...(selectors.length > 0 ? { selectors } : {}),
  };
}

function selectorsOf(monitorId: number, { selectorStore, extractorStore }: ConfigurationPorts): readonly object[] {
  return selectorStore.ofMonitor(monitorId).map((row) => {
    const extractors = extractorStore
      .ofSelector(row.id)
      .map((extractor) => ({ ...parseExtractorRow(extractor), ...(extractor.active === 1 ? {} : { active: false }) }));
    return {
      ...parseSelectorRow(row),
      ...(row.active === 1 ? {} : { active: false }),
      ...(extractors.length > 0 ? { extractors } : {}),
    };
  });
}

/** With names in place of ids. */
function named({ workflow_id, persona_id, channels, ...rest }: MonitorSpec, ports: NamePorts): Record<string, unknown> {
  return { ...rest, ...namesOf({ workflow_id, persona_id, channels }, ports) };
}

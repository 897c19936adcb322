// All monitors, tags, channels and automations as one document: the bodies that make them, oldest first.
import type { Automation, Channel, MonitorConfiguration, MonitorSpec } from '@weft/contract';
import { parseExtractorRow } from '../../extractors/definition.ts';
import type { ExtractorStore } from '../../extractors/extractor.ts';
import { parseSelectorRow } from '../../selectors/definition.ts';
import type { SelectorStore } from '../../selectors/definition.ts';
import { monitorsNamedIn, toDocument } from './automation-document.ts';
import type { Renaming } from './automation-document.ts';
import { parseSpec } from '../definition.ts';
import { askedOnce, nameOf, namesOf } from './names.ts';
import type { NamePorts } from './names.ts';
import type { MonitorStore } from '../store.ts';
import type { TagStore } from '../tag-store.ts';

export interface ConfigurationPorts extends NamePorts {
  readonly monitorStore: MonitorStore;
  readonly tagStore: TagStore;
  readonly selectorStore: SelectorStore;
  readonly extractorStore: ExtractorStore;
  /** Newest first. */
  readonly automations: () => readonly Automation[];
  /** Oldest first. */
  readonly channelsWhole: () => readonly Channel[];
  /** The slug of a saved crawl; undefined for one that is gone. */
  readonly crawlSlug: (id: number) => string | undefined;
}

/** Everything of one moment. */
export function configurationOf(given: ConfigurationPorts): MonitorConfiguration {
  const ports = { ...given, ...askedOnce(given) };
  const { monitorStore, tagStore } = ports;
  const tags = tagStore.list(-1, 0).map(({ name, settings }) => ({ name, ...named(JSON.parse(settings) as MonitorSpec, ports) }));
  const automations = ports.automations().toReversed().map(bodyOf);
  const referred = new Set(automations.flatMap(({ body }) => [...monitorsNamedIn(body)]));
  const rows = monitorStore.list({}, -1, 0).toReversed();
  const monitors = rows.map((row, place) => {
    const monitor = monitorOf({ ...parseSpec(row), name: row.name }, row.id, ports);
    return referred.has(row.id) ? { number: place + 1, ...monitor } : monitor;
  });
  const numberIn = (all: readonly { readonly id: number }[]) => {
    const numbers = new Map(all.map(({ id }, place) => [id, place + 1]));
    // What is gone has none: the automation is off for that reason, and does not come in.
    return (id: number) => numbers.get(id) ?? 0;
  };
  const renaming: Renaming = {
    monitor: numberIn(rows),
    automation: numberIn(automations),
    workflow: (id) => nameOf(Number(id), ports.workflows),
    persona: (id) => nameOf(Number(id), ports.personas),
    channel: (id) => nameOf(Number(id), ports.channels),
    crawl: (id) => ports.crawlSlug(Number(id)) ?? '0',
  };
  return {
    weft: 1,
    tags,
    channels: ports.channelsWhole().map(channelOf),
    monitors,
    automations: automations.map(({ body }, place) => ({ number: place + 1, ...toDocument(body, renaming) })),
  };
}

/** What makes an automation; `enabled` only where somebody switched it off. */
function bodyOf({ id, name, enabled, disabled_reason: reason, mode, max, triggers, conditions, actions }: Automation) {
  const body = {
    name,
    ...(enabled || reason !== undefined ? {} : { enabled }),
    ...(mode === 'single' ? {} : { mode }),
    ...(max === undefined ? {} : { max }),
    triggers,
    ...(conditions === undefined ? {} : { conditions }),
    actions,
  };
  return { id, body };
}

/** What makes a channel, but for the values that are sealed for it. */
export function channelOf({
  name,
  to,
  templates,
  default: isDefault,
  level_min: level,
  digest_minutes: digest,
  quiet,
}: Channel): Record<string, unknown> {
  return {
    name,
    to,
    ...(Object.keys(templates).length > 0 ? { templates } : {}),
    ...(isDefault ? {} : { default: isDefault }),
    ...(level === 'info' ? {} : { level_min: level }),
    ...(digest === 0 ? {} : { digest_minutes: digest }),
    ...(quiet ? { quiet } : {}),
  };
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

// Tags: settings that are passed on to the monitors that name them.
import { AppError, LIMITS, NewMonitorTag } from '@weft/contract';
import type { MonitorSpec, MonitorTag, MonitorTagPatch, NewMonitorTag as TagBody, TagSettings } from '@weft/contract';
import { FIRST_CADENCE, isDueElse, withoutReplaced } from '@weft/engine';
import type { Clock } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import { checkFilter, checkSecrets, effectiveSpec, parseSpec } from './definition.ts';
import type { MonitorSchedule, Slice } from './monitor.ts';
import type { MonitorRow, MonitorStore } from './store.ts';
import type { TagRow, TagStore } from './tag-store.ts';

export interface MonitorTags {
  /** In order of their names. */
  list(slice: Slice): { readonly data: MonitorTag[]; readonly total: number };
  /** Gives a tag these settings and no others; true for a new one. Throws AppError `bad_request`, `not_found`, `device_capacity`. */
  put(input: TagBody): boolean;
  /** Throws AppError `not_found`. */
  require(name: string): MonitorTag;
  /** Throws AppError `not_found`, `bad_request`, `device_capacity`. */
  update(name: string, patch: MonitorTagPatch): MonitorTag;
  /** Monitors that name it lose what it passed on, and are due anew where that was their schedule. Throws AppError `not_found`. */
  delete(name: string): void;
}

export interface MonitorTagPorts {
  readonly store: TagStore;
  readonly monitors: Pick<MonitorStore, 'list' | 'count' | 'tag'>;
  readonly schedule: Pick<MonitorSchedule, 'set' | 'requireSometime' | 'requireRoom'>;
  readonly clock: Clock;
  /** Throws AppError for a proxy or a channel that there is not. */
  readonly requireNamed: (settings: TagSettings) => void;
}

export function createMonitorTags(ports: MonitorTagPorts): MonitorTags {
  const { store, monitors, schedule, clock } = ports;
  const requireRow = (name: string): TagRow => {
    const row = store.find(name);
    if (!row) throw new AppError('not_found', `There is no tag "${name}" with settings.`);
    return row;
  };
  const show = ({ name, settings, updated_at: at }: TagRow): MonitorTag => ({
    name,
    ...parseSettings(settings),
    monitors: monitors.count({ tag: name }),
    updated_at: toInstant(at),
  });
  const put = ({ name, ...settings }: TagBody): void => {
    checkFilter(settings.filter);
    checkSecrets(settings);
    ports.requireNamed(settings);
    schedule.requireSometime(settings);
    const touched = touchedBy(name, settings, monitors);
    schedule.requireRoom(touched.filter(({ row }) => row.active === 1).map(({ row, after }) => ({ id: row.id, effective: after })));
    store.put({ name, settings: JSON.stringify(settings), updated_at: clock.now() }, () => renew(touched, ports));
  };
  return {
    list: ({ limit = LIMITS.listLimitDefault, offset = 0 }) => ({ data: store.list(limit, offset).map(show), total: store.count() }),
    put(input) {
      const isNew = store.find(input.name) === undefined;
      put(input);
      return isNew;
    },
    require: (name) => show(requireRow(name)),
    update(name, patch) {
      const current: TagBody = { name, ...parseSettings(requireRow(name).settings) };
      put(mergePatch(withoutReplaced(current, patch), patch, NewMonitorTag, 'tag'));
      return show(requireRow(name));
    },
    delete(name) {
      requireRow(name);
      const touched = touchedBy(name, {}, monitors);
      store.delete(name, () => renew(touched, ports));
    },
  };
}

/** A monitor that names the tag, as it is looked at before and after. */
interface Touched {
  readonly row: MonitorRow;
  readonly before: MonitorSpec;
  readonly after: MonitorSpec;
}

function touchedBy(name: string, settings: TagSettings, monitors: MonitorTagPorts['monitors']): readonly Touched[] {
  const json = JSON.stringify(settings);
  const tags = { tag: (each: string) => (each === name ? json : monitors.tag(each)) };
  return monitors.list({ tag: name }, -1, 0).map((row) => {
    const spec = parseSpec(row);
    return { row, before: effectiveSpec(spec, monitors), after: effectiveSpec(spec, tags) };
  });
}

/** Those that have another schedule by it forget the old one. */
function renew(touched: readonly Touched[], { store, schedule, clock }: MonitorTagPorts): void {
  for (const { row, before, after } of touched) {
    if (!isDueElse(before, after)) continue;
    store.reschedule(row.id, { cadence: JSON.stringify(FIRST_CADENCE), scheduled_at: clock.now() });
    schedule.set(row, false);
  }
}

function parseSettings(settings: string): TagSettings {
  return JSON.parse(settings) as TagSettings;
}

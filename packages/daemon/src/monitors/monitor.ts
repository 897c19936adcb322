// Monitors: what is watched, how it stands, and what it told.
import { AppError, LIMITS, NewMonitor } from '@weft/contract';
import type { Change, Check, Monitor, MonitorPatch, MonitorSpec, NewMonitor as MonitorBody } from '@weft/contract';
import {
  FIRST_CADENCE,
  isDueElse,
  knownAtFirst,
  monitorName,
  scheduleOf,
  shownState,
  shownValues,
  targetsNamedBy,
  withoutReplaced,
} from '@weft/engine';
import type { Clock, KnownTrouble } from '@weft/engine';
import { mergePatch, toInstant } from '@weft/serve';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { NewRun, Runs } from '../runs/run.ts';
import type { Selectors } from '../selectors/selector.ts';
import type { WantedMonitor } from './demand.ts';
import { checkSpec, effectiveSpec, parseSpec, specOf } from './definition.ts';
import { toChange } from './change.ts';
import type { Snapshots } from './history/snapshot.ts';
import { MONITOR_SOURCE } from './store.ts';
import type { ChangeFilter, MonitorFilter, MonitorRow, MonitorStore } from './store.ts';

/** How many, and how many to pass over first. */
export interface Slice {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface Monitors {
  /** Newest first; all unless `limit` is given. */
  list(query: MonitorFilter & Slice): { readonly data: Monitor[]; readonly total: number };
  /** Throws AppError `bad_request`, `not_found` for what it names, `device_capacity`. */
  create(input: MonitorBody): Monitor;
  /** Checks the body of a monitor, and what it names. Throws AppError `bad_request`, `not_found`. */
  prepare(input: MonitorBody): PreparedMonitor;
  /** Makes all of them in one transaction, which `also` begins, or none; their ids, in order. Throws AppError `bad_request`, `device_capacity`. */
  createAll(prepared: readonly PreparedMonitor[], also: () => void): number[];
  /** Throws AppError `bad_request`, `device_capacity` as `createAll` would where tags had these settings. */
  requireRoom(prepared: readonly PreparedMonitor[], tags: Pick<MonitorStore, 'tag'>): void;
  /** Throws AppError `not_found`. */
  require(id: number): Monitor;
  requireRow(id: number): MonitorRow;
  /** Throws AppError `vault_locked` where looking at it needs the vault. */
  requireOpen(id: number): void;
  /** Throws AppError `not_found`, `bad_request`, `device_capacity`. */
  update(id: number, patch: MonitorPatch): Monitor;
  /** Flips whether it is checked by itself. */
  toggle(id: number): Monitor;
  /** Deletes it with all that hangs on it; the ids of its live checks, which are cancelled. */
  delete(id: number): readonly number[];
  /** Makes a check of it; the id of its run. Throws AppError `not_found`, `device_capacity`, `vault_locked`. */
  check(id: number, ownerId: string, made?: Pick<NewRun, 'trigger' | 'parent_id'>): number;
  /** Newest first. */
  changes(filter: ChangeFilter, slice: Slice, isWhole: boolean): { readonly data: Change[]; readonly total: number };
  checks(id: number, verdict: Check['verdict'] | undefined, slice: Slice): { readonly data: Check[]; readonly total: number };
  /** What a check came to; undefined while it goes on. */
  checkOfRun(runId: number): Check | undefined;
}

/** A monitor that was checked, and is not made yet. */
export interface PreparedMonitor {
  readonly spec: MonitorSpec;
  /** Each adds a selector to the monitor. */
  readonly selectors: readonly ((monitorId: number) => number)[];
}

export interface MonitorNounPorts {
  readonly store: MonitorStore;
  readonly selectors: Selectors;
  readonly datasets: DatasetWriter;
  readonly runs: Runs;
  readonly clock: Clock;
  /** Throws AppError `not_found` for a workflow, persona or channel that there is not. */
  readonly requireNamed: (spec: MonitorSpec) => void;
  /** Throws AppError `vault_locked` where a persona is named and the vault is. */
  readonly requireOpen: (spec: MonitorSpec) => void;
  readonly schedule: MonitorSchedule;
  readonly snapshots: Pick<Snapshots, 'deleteWith'>;
  /** Part of the transaction that deletes one. */
  readonly deleted: (id: number) => void;
}

/** When monitors are due. */
export interface MonitorSchedule {
  /** Sets when the next check of an active monitor is due, or that none is; belongs into a transaction of the caller. */
  set(row: Pick<MonitorRow, 'id' | 'active'>, isNew: boolean): void;
  clear(id: number): void;
  /** Epoch milliseconds; undefined where none is due by itself. */
  nextOf(id: number): number | undefined;
  /** Throws AppError `bad_request` for a schedule that never comes due. */
  requireSometime(settings: Pick<MonitorSpec, 'schedule'>): void;
  /** The same of each, and AppError `device_capacity` where these ask for more than before, and for more than the machine can do. */
  requireRoom(wanted: readonly WantedMonitor[]): void;
}

const NOUN = 'monitor';

export function createMonitors(ports: MonitorNounPorts): Monitors {
  const { store, runs, clock, schedule } = ports;
  const requireRow = (id: number): MonitorRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no monitor ${id}.`);
    return row;
  };
  const sourceOf = (id: number) => ({ source_kind: MONITOR_SOURCE, source_id: id });
  const show = (row: MonitorRow): Monitor => shown(row, ports);
  const save = (row: MonitorRow, spec: MonitorSpec): Monitor => {
    checkSpec(spec);
    ports.requireNamed(spec);
    const effective = effectiveSpec(spec, store);
    const before = effectiveSpec(parseSpec(row), store);
    const renews = spec.active !== (row.active === 1) || isDueElse(before, effective);
    const edit = editOf(spec, row.name, clock.now());
    if (edit.active === 1) schedule.requireRoom([{ id: row.id, effective }]);
    // A changed schedule forgets the old one.
    const { cadence, scheduled_at } = renews ? edit : row;
    store.update(row.id, { ...edit, cadence, scheduled_at }, () => renews && schedule.set({ id: row.id, active: edit.active }, false));
    return show(requireRow(row.id));
  };
  return {
    list: ({ limit, offset = 0, ...filter }) => ({ data: store.list(filter, limit ?? -1, offset).map(show), total: store.count(filter) }),
    create(input) {
      const [id = 0] = createAll([prepare(input, ports)], () => {}, ports);
      return show(requireRow(id));
    },
    prepare: (input) => prepare(input, ports),
    createAll: (prepared, also) => createAll(prepared, also, ports),
    requireRoom: (prepared, tags) => schedule.requireRoom(wantedOf(prepared, tags)),
    require: (id) => show(requireRow(id)),
    requireRow,
    requireOpen: (id) => ports.requireOpen(effectiveSpec(parseSpec(requireRow(id)), store)),
    update(id, patch) {
      const row = requireRow(id);
      const current: MonitorBody = { ...parseSpec(row), name: row.name };
      return save(row, specOf({ active: true, ...mergePatch(withoutReplaced(current, patch), patch, NewMonitor, NOUN) }));
    },
    toggle(id) {
      const row = requireRow(id);
      return save(row, { ...parseSpec(row), active: row.active === 0 });
    },
    delete(id) {
      requireRow(id);
      let live: readonly number[] = [];
      ports.snapshots.deleteWith(id, () =>
        store.delete(id, () => {
          live = runs.cancelOf(sourceOf(id));
          runs.forgetUnchanged(sourceOf(id));
          schedule.clear(id);
          ports.deleted(id);
        }),
      );
      return live;
    },
    check(id, ownerId, made = {}) {
      const row = requireRow(id);
      const spec = effectiveSpec(parseSpec(row), store);
      // What comes by itself is told as a failed check (D33).
      if (made.trigger !== 'schedule') ports.requireOpen(spec);
      const run = {
        kind: 'monitor',
        ...sourceOf(id),
        source_name: row.name,
        owner_id: ownerId,
        persona_id: spec.persona_id ?? null,
        ...made,
      } as const;
      return runs.create(run, () => row.dataset_id).id;
    },
    changes: (filter, { limit, offset = 0 }, isWhole) => ({
      data: store.changes(filter, limit ?? (isWhole ? -1 : LIMITS.listLimitDefault), offset).map(toChange),
      total: store.countChanges(filter),
    }),
    checks(id, verdict, { limit = LIMITS.listLimitDefault, offset = 0 }) {
      requireRow(id);
      const data = store.checks(id, verdict, limit, offset).map((body) => JSON.parse(body) as Check);
      return { data, total: store.countChecks(id, verdict) };
    },
    checkOfRun(runId) {
      const body = store.checkOfRun(runId);
      return body === undefined ? undefined : (JSON.parse(body) as Check);
    },
  };
}

function prepare(input: MonitorBody, { selectors, requireNamed }: MonitorNounPorts): PreparedMonitor {
  const spec = specOf(input);
  requireNamed(spec);
  return { spec, selectors: (input.selectors ?? []).map((selector) => selectors.prepare(selector)) };
}

/** Makes monitors that were checked, if there is room for all of them. */
function createAll(prepared: readonly PreparedMonitor[], also: () => void, ports: MonitorNounPorts): number[] {
  const { store, schedule } = ports;
  return store.inTransaction(() => {
    also();
    schedule.requireRoom(wantedOf(prepared, store));
    return prepared.map((one) => insert(one, ports));
  });
}

function wantedOf(prepared: readonly PreparedMonitor[], tags: Pick<MonitorStore, 'tag'>): readonly WantedMonitor[] {
  const active = prepared.filter(({ spec }) => spec.active !== false);
  return active.map(({ spec }) => ({ id: undefined, effective: effectiveSpec(spec, tags) }));
}

/** Makes the monitor with its dataset and its selectors, due at once. Belongs into a transaction of the caller. */
function insert({ spec, selectors }: PreparedMonitor, { store, datasets, clock, schedule }: MonitorNounPorts): number {
  const nowMs = clock.now();
  const edit = editOf(spec, monitorName(spec), nowMs);
  const row = { ...edit, state: JSON.stringify(knownAtFirst(nowMs).state), created_at: nowMs };
  const dataset = (id: number) => datasets.ensure({ kind: MONITOR_SOURCE, id, replacedBy: 'key' }, edit.name, nowMs);
  return store.insert(row, dataset, (id) => {
    for (const add of selectors) add(id);
    schedule.set({ id, active: edit.active }, true);
  });
}

function editOf({ active = true, name, ...spec }: MonitorSpec, nameUnlessSaid: string, nowMs: number) {
  return {
    name: name ?? nameUnlessSaid,
    url: spec.url ?? null,
    definition: JSON.stringify({ ...spec, active }),
    active: active ? 1 : 0,
    // What is saved was given by somebody who may name private addresses (D31).
    private_targets: JSON.stringify(spec.url === undefined ? [] : targetsNamedBy(spec.url)),
    cadence: JSON.stringify(FIRST_CADENCE),
    scheduled_at: nowMs,
    updated_at: nowMs,
  } as const;
}

function shown(row: MonitorRow, { store, selectors, schedule }: MonitorNounPorts): Monitor {
  const spec = parseSpec(row);
  const effective = effectiveSpec(spec, store);
  const state = JSON.parse(row.state) as KnownTrouble;
  const next = row.active === 1 ? schedule.nextOf(row.id) : undefined;
  const shownSelectors = selectors.ofMonitor(row.id);
  const instants = { last_checked_at: row.last_checked_at, last_changed_at: row.last_changed_at, next_check_at: next };
  return {
    ...spec,
    id: row.id,
    name: row.name,
    active: row.active === 1,
    lane: effective.lane ?? 'auto',
    respect_robots: effective.respect_robots ?? true,
    schedule: scheduleOf(effective),
    tags: spec.tags ?? [],
    selectors: shownSelectors,
    values: shownValues(
      shownSelectors,
      store.values(row.id).map(({ key, text, since_ms: sinceMs }) => ({ key, text, sinceMs })),
    ),
    state: shownState(state),
    flapping: row.flapping === 1,
    dataset_id: row.dataset_id,
    checks: row.checks,
    changes: row.changes,
    ...Object.fromEntries(
      Object.entries(instants).flatMap(([name, ms]) => (ms === null || ms === undefined ? [] : [[name, toInstant(ms)]])),
    ),
    ...(row.last_run_id === null ? {} : { last_run_id: row.last_run_id }),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}

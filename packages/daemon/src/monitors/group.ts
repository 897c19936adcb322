// What monitors add to the agent: what is watched, how checks go, and when they are due.
import { AppError } from '@weft/contract';
import type { MonitorSpec } from '@weft/contract';
import { NetworkWatch } from '@weft/engine';
import { freeBytesOf } from '../blobs/blob.ts';
import type { Group, Nouns } from '../group.ts';
import { createCapacityGauge, placeMs } from './capacity.ts';
import type { CapacityGauge } from './capacity.ts';
import { createCheckStore } from './checks.ts';
import type { AgentCheckStore } from './checks.ts';
import { createCheckRows } from './check-store.ts';
import type { CheckRows } from './check-store.ts';
import { createMonitorExchange } from './exchange/exchange.ts';
import type { MonitorExchange } from './exchange/exchange.ts';
import { extraMonitorHandlers, monitorHandlers, monitorTagHandlers } from './handlers.ts';
import { LoopMeter } from './loop-meter.ts';
import { createMonitors } from './monitor.ts';
import type { MonitorSchedule, Monitors } from './monitor.ts';
import { createMonitorReadings } from './reading.ts';
import type { MonitorReadings } from './reading.ts';
import { createMonitorSchedule, dueChecks, planAfter } from './schedule.ts';
import { createDiffs } from './history/diffs.ts';
import type { Diffs } from './history/diffs.ts';
import { createHistoryStore } from './history/history-store.ts';
import type { History } from './history/history.ts';
import { createHistory } from './history/history.ts';
import type { Secrets } from '../secrets/secret.ts';
import { createSnapshotStore } from './history/snapshot-store.ts';
import type { Snapshots } from './history/snapshot.ts';
import { createSnapshots } from './history/snapshot.ts';
import { createMonitorStore } from './store.ts';
import { tellChanges, tellNetwork } from './tell.ts';
import { secretsOf } from './definition.ts';
import type { MonitorStore } from './store.ts';
import { createMonitorTags } from './tag.ts';
import type { MonitorTags } from './tag.ts';
import { createTagStore } from './tag-store.ts';
import type { TagStore } from './tag-store.ts';
import { checkWork } from './work.ts';
import type { CheckWorkPorts } from './work.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly monitorStore: MonitorStore;
    readonly monitors: Monitors;
    readonly monitorSchedule: MonitorSchedule;
    readonly monitorTagStore: TagStore;
    readonly monitorTags: MonitorTags;
    readonly snapshots: Snapshots;
    readonly monitorDiffs: Diffs;
    readonly monitorHistory: History;
    readonly monitorExchange: MonitorExchange;
    readonly monitorCapacity: CapacityGauge;
    readonly checkRows: CheckRows;
    readonly checkStore: AgentCheckStore;
    readonly checkWorkPorts: CheckWorkPorts;
    readonly monitorReadings: MonitorReadings;
    readonly network: NetworkWatch;
    readonly checkLoop: LoopMeter;
  }
}

/** Sessions that a browser holds at once (D40). */
const BROWSER_SLOTS = 2;

export const group: Group = {
  nouns: {
    monitorStore: ({ database }) => createMonitorStore(database),
    checkLoop: () => new LoopMeter(),
    network: (nouns) => new NetworkWatch((isOffline) => tellNetwork(isOffline, nouns.notices)),
    monitorCapacity: ({ database, monitorStore: store, settings, schedules, home }) =>
      createCapacityGauge({
        database,
        store,
        slots: { http: settings.runs_max.monitor, browser: Math.min(BROWSER_SLOTS, settings.runs_max.monitor) },
        lateness: () => schedules.state(),
        freeBytes: () => freeBytesOf(home.path),
      }),
    snapshots: ({ database, blobs, settings }) =>
      createSnapshots({ store: createSnapshotStore(database), blobs, kept: settings.retention.snapshots_per_monitor }),
    monitorDiffs: ({ monitorStore: store, snapshots, views }) => createDiffs({ store, snapshots, views }),
    monitorHistory: ({ database, monitorStore: monitors, selectors, monitorDiffs: diffs, reader, clock }) =>
      createHistory({ store: createHistoryStore(database), monitors, selectors, tables: reader.tables, diffs, clock }),
    monitors: (nouns) =>
      createMonitors({
        store: nouns.monitorStore,
        selectors: nouns.selectors,
        datasets: nouns.records,
        runs: nouns.runs,
        clock: nouns.clock,
        snapshots: nouns.snapshots,
        requireNamed: (spec) => requireNamed(spec, nouns),
        requireOpen: (spec) => {
          if (spec.persona_id !== undefined || secretsOf(spec).length > 0) nouns.vault.require();
          if (spec.workflow_id !== undefined) nouns.workflows.requireOpen(String(spec.workflow_id));
        },
        schedule: nouns.monitorSchedule,
        deleted: (id) => nouns.automations.disableNaming('monitor', id),
      }),
    monitorSchedule: ({ schedules, monitorCapacity: capacity, clock }) => createMonitorSchedule({ schedules, capacity, clock }),
    monitorTagStore: ({ database }) => createTagStore(database),
    monitorTags: (nouns) => {
      const { monitorTagStore: store, monitorStore: monitors, monitorSchedule: schedule, clock } = nouns;
      return createMonitorTags({ store, monitors, schedule, clock, requireNamed: (settings) => requireNamed(settings, nouns) });
    },
    monitorExchange: (nouns) => {
      const { monitors, monitorTags: tags, files, views, monitorStore, monitorTagStore: tagStore, selectorStore, extractorStore } = nouns;
      const names = {
        workflows: () => nouns.workflows.list({ limit: -1 }).data.map(({ id, slug }) => ({ id, name: slug })),
        personas: () => nouns.personas.list({ limit: -1 }).data,
        channels: () => nouns.channels.list({ limit: -1 }).data,
      };
      const definitions = () => nouns.crawlNouns.definitions;
      return createMonitorExchange({
        ...names,
        monitors,
        tags,
        files,
        views,
        monitorStore,
        tagStore,
        selectorStore,
        extractorStore,
        automations: () => nouns.automations.list({ limit: -1 }).data,
        channelsWhole: names.channels,
        crawlSlug: (id) =>
          definitions()
            .list({ limit: -1 })
            .data.find((one) => one.id === id)?.slug,
        channelNoun: { createWithoutSecrets: (body) => nouns.channels.createWithoutSecrets(body) },
        making: { create: (body) => nouns.automations.create(body), requireCrawl: (ref) => void definitions().require(ref) },
      });
    },
    checkRows: ({ database }) => createCheckRows(database),
    checkStore: (nouns) =>
      createCheckStore({
        database: nouns.database,
        rows: nouns.checkRows,
        runs: nouns.runs,
        monitors: nouns.monitorStore,
        selectors: nouns.selectorStore,
        extractors: nouns.extractorStore,
        records: nouns.records,
        snapshots: nouns.snapshots,
        clock: nouns.clock,
        costMs: (outcome) => placeMs(outcome, nouns.checkLoop.read(), nouns.settings.runs_max.monitor),
        afterCheck(kept) {
          planAfter(kept, { schedules: nouns.schedules, rows: nouns.checkRows, clock: nouns.clock });
          tellChanges(kept, nouns.notices);
          nouns.automationCauses.noteCheck(kept);
        },
      }),
    monitorReadings: ({ monitorStore: monitors, selectorStore: selectors, extractorStore: extractors, checkRows: rows }) =>
      createMonitorReadings({ monitors, selectors, extractors, rows }),
    checkWorkPorts: (nouns) => {
      const { crawlPorts: asking, checkStore: store, views, network, runs, records, personas, profiles, secrets, vault } = nouns;
      const acting = { personas, profiles, secrets, vault };
      const running = { workflows: nouns.workflows, lastPages: nouns.lastPages, executor: () => nouns.executor };
      return { ...acting, ...running, asking, store, views, network, loop: nouns.checkLoop, runs, records };
    },
  },
  specified: ({ monitors, monitorCapacity: capacity, runs, executor, clock }) => ({
    monitors: monitorHandlers({ monitors, capacity, runs, executor, now: () => clock.now() }),
  }),
  extra: ({ monitors, monitorTags, snapshots, monitorDiffs: diffs, monitorHistory: history, monitorExchange: exchange }) => ({
    monitors: extraMonitorHandlers({ monitors, snapshots, diffs, history, exchange }),
    monitorTags: monitorTagHandlers(monitorTags),
  }),
  kinds: (nouns) => ({
    monitor: {
      work: checkWork(nouns.checkWorkPorts),
      resumes: false,
      queues: ['monitor'],
      results: ({ id }) => {
        const output = nouns.monitors.checkOfRun(id);
        return output ? { output } : {};
      },
    },
  }),
  prune: ({ snapshots }) => snapshots.prune(),
  due: (nouns) => ({ monitor: dueChecks(nouns) }),
};

/** Throws AppError `not_found` for a workflow or persona that there is not, `bad_request` for a proxy that the settings do not name. */
function requireNamed(spec: MonitorSpec, { workflows, personas, channels, secrets, settings }: Nouns): void {
  const { workflow_id: workflow, persona_id: persona, proxy } = spec;
  if (workflow !== undefined) workflows.require(String(workflow));
  if (persona !== undefined) personas.require(persona);
  for (const channel of spec.channels ?? []) channels.require(channel);
  for (const key of secretsOf(spec)) requireSecret(key, spec, secrets);
  if (proxy !== undefined && !Object.hasOwn(settings.proxies, proxy))
    throw new AppError(
      'bad_request',
      `The settings name no proxy "${proxy}"; they name ${Object.keys(settings.proxies).join(', ') || 'none'}.`,
    );
}

/** Throws AppError `not_found`, `bad_request` for one that is not for where the monitor would send it. */
function requireSecret(key: string, { url }: MonitorSpec, secrets: Pick<Secrets, 'require'>): void {
  const { origins } = secrets.require(key);
  const origin = url === undefined ? undefined : URL.parse(url)?.origin;
  if (origin === undefined || origins.includes(origin)) return;
  throw new AppError('bad_request', `The secret "${key}" is not for ${origin}; it is for ${origins.join(', ') || 'no origin yet'}.`);
}

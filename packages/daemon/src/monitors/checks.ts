// Checks on the rows of the agent: what is to be checked, and what came of it, kept in one transaction.
import { AppError } from '@weft/contract';
import type { Change, Check, MonitorSpec } from '@weft/contract';
import { checkBody, lastPageAfter, recordsOf, settingsOf, sourceOf, targetsToKeep, valuesToKeep, watchOf } from '@weft/engine';
import type {
  CheckOutcome,
  CheckStore,
  CheckSubject,
  Clock,
  KnownMonitor,
  KnownTarget,
  KnownValue,
  LastPage,
  NewChange,
} from '@weft/engine';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { ExtractorStore } from '../extractors/extractor.ts';
import type { Runs } from '../runs/run.ts';
import { parseSelectorRow, targetOfRow } from '../selectors/definition.ts';
import type { SelectorRow, SelectorStore } from '../selectors/definition.ts';
import { effectiveSpec, parseSpec } from './definition.ts';
import { SECONDS_ASSUMED } from './capacity.ts';
import type { CheckRows } from './check-store.ts';
import { toChange } from './change.ts';
import type { SnapshotDraft, Snapshots } from './history/snapshot.ts';
import type { MonitorRow, MonitorStore } from './store.ts';

/** What checks are kept on. */
export interface CheckStorePorts {
  readonly database: Database;
  readonly rows: CheckRows;
  readonly runs: Pick<Runs, 'addRows' | 'append' | 'markUnchanged' | 'setLane'>;
  readonly monitors: MonitorStore;
  readonly selectors: SelectorStore;
  readonly extractors: ExtractorStore;
  readonly records: DatasetWriter;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  /** Milliseconds of a place that a check took; asked once for each. */
  readonly costMs: (outcome: CheckOutcome) => number;
  /** Part of the transaction: tells changes, sets the next check. */
  readonly afterCheck: (kept: KeptCheck) => void;
}

/** A check that is being kept. */
export interface KeptCheck {
  readonly monitor: MonitorRow;
  /** With what its tags pass on. */
  readonly effective: MonitorSpec;
  readonly check: Check;
  /** Of the check, as they were judged, in the order of its changes. */
  readonly changes: readonly NewChange[];
  readonly outcome: Pick<CheckOutcome, 'refusedStatus' | 'retryAtMs'>;
}

/** The same, for a look that is no check. */
export interface AgentCheckStore extends CheckStore {
  /** What a check would look at, with this selector alone, whether it is active or not. */
  subjectFor(monitorId: number, selectorId: number): CheckSubject | undefined;
}

/** Checks of monitors in SQLite. */
export function createCheckStore(ports: CheckStorePorts): AgentCheckStore {
  const { database, monitors } = ports;
  return {
    async load(id) {
      const row = monitors.find(id);
      const active = ports.selectors.ofMonitor(id).filter((selector) => selector.active === 1);
      return row && subjectOf(row, active, ports);
    },
    subjectFor(id, selectorId) {
      const row = monitors.find(id);
      const only = ports.selectors.ofMonitor(id).filter((selector) => selector.id === selectorId);
      return row && subjectOf(row, only, ports);
    },
    async save(runId, outcome) {
      const draft = await prepareSnapshot(runId, outcome, ports);
      // From here on without an `await`: what is found of the monitor holds until the check is kept.
      const { monitorId, version } = outcome.subject;
      const row = monitors.find(monitorId);
      if (row?.version === version) {
        const keepCheck = () => transaction(database.fast, () => keep(runId, outcome, row, ports));
        if (draft) ports.snapshots.keep(draft, { monitor_id: monitorId, run_id: runId, created_at: ports.clock.now() }, keepCheck);
        else keepCheck();
        return 'kept';
      }
      if (draft) ports.snapshots.discard(draft);
      return row ? 'stale' : 'gone';
    },
  };
}

/** A disk that is full is no reason not to tell what has changed. */
async function prepareSnapshot(
  runId: number,
  outcome: CheckOutcome,
  { snapshots, runs }: CheckStorePorts,
): Promise<SnapshotDraft | undefined> {
  try {
    return await snapshots.prepare(outcome);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'device_capacity') throw error;
    runs.append(runId, { type: 'log', level: 'warn', message: `No snapshot is kept of what was seen: ${error.message}` });
    return undefined;
  }
}

function subjectOf(
  row: MonitorRow,
  rows: readonly SelectorRow[],
  { monitors, selectors, extractors, rows: checkRows }: CheckStorePorts,
): CheckSubject {
  const spec = effectiveSpec(parseSpec(row), monitors);
  const watch = watchOf(spec, selectors.ofMonitor(row.id).length > 0);
  const targets = rows.map((selector) => targetOfRow(selector, extractors.ofSelector(selector.id)));
  const values = checkRows.valuesOf(row.id).map(({ key, known }) => [key, JSON.parse(known) as KnownValue]);
  const known: KnownMonitor = {
    state: JSON.parse(row.state) as KnownMonitor['state'],
    values: Object.fromEntries(values),
    targets: Object.fromEntries(rows.flatMap(({ id, known: kept }) => (kept === null ? [] : [[id, JSON.parse(kept) as KnownTarget]]))),
  };
  return {
    monitorId: row.id,
    version: row.version,
    source: sourceOf(spec, watch, JSON.parse(row.private_targets) as string[]),
    watch,
    settings: settingsOf(spec),
    targets,
    known,
    lastPage: row.page === null ? undefined : (JSON.parse(row.page) as LastPage),
  };
}

function keep(runId: number, outcome: CheckOutcome, row: MonitorRow, ports: CheckStorePorts): void {
  const { judgement, page } = outcome;
  const { known, recorded } = judgement;
  const nowMs = ports.clock.now();
  const changes = judgement.changes.map((change) => addChange(change, runId, row, page?.url, nowMs, ports.rows));
  for (const [key, value] of valuesToKeep(outcome)) ports.rows.setValue(row.id, { key, known: JSON.stringify(value) });
  keepTargets(outcome, nowMs, ports);
  const records = recordsOf(outcome, row.url, nowMs).map(({ key, body }) => ({
    run_id: runId,
    key: `${key}@${runId}`,
    created_at: nowMs,
    body,
  }));
  if (records.length > 0) ports.records.addRecords(row.dataset_id, records);
  const lastPage = lastPageAfter(outcome);
  const changedAt = judgement.changedSinceLast ? nowMs : null;
  const kept = lastPage === undefined ? null : JSON.stringify(lastPage);
  const flapping = judgement.flapping ? 1 : 0;
  const state = JSON.stringify(known.state);
  ports.rows.settle(row.id, { state, page: kept, flapping, at: nowMs, changed_at: changedAt, run_id: runId });
  ports.runs.addRows(runId, recorded.length);
  const costMs = ports.costMs(outcome);
  if (page) {
    ports.runs.setLane(runId, page.lane);
    ports.rows.addCost(page.lane, costMs / 1000, SECONDS_ASSUMED[page.lane]);
  }
  const check: Check = { run_id: runId, monitor_id: row.id, ...checkBody(outcome, nowMs), changes };
  if (check.verdict === 'unchanged' && !check.changed_since_last && recorded.length === 0) ports.runs.markUnchanged(runId);
  ports.rows.addCheck(runId, row.id, check.verdict, JSON.stringify(check));
  ports.afterCheck({
    monitor: row,
    effective: effectiveSpec(parseSpec(row), ports.monitors),
    check,
    changes: judgement.changes,
    outcome,
  });
}

function keepTargets(outcome: CheckOutcome, nowMs: number, { selectors }: CheckStorePorts): void {
  for (const { id, known, proposal, baseline, healed } of targetsToKeep(outcome, nowMs)) {
    selectors.keepCheck(id, {
      ...(known ? { known: JSON.stringify(known) } : {}),
      proposal: proposal ? JSON.stringify(proposal) : null,
      ...(baseline ? { baseline: JSON.stringify(baseline) } : {}),
    });
    const row = healed === undefined ? undefined : selectors.find(id);
    if (row && healed !== undefined) selectors.heal(id, JSON.stringify({ ...parseSelectorRow(row), selector: healed }));
  }
}

function addChange(change: NewChange, runId: number, row: MonitorRow, url: string | undefined, nowMs: number, rows: CheckRows): Change {
  const { selectorId = null, extractorId = null, name = null, kind, old, new: now, difference = null, summary, percent = null } = change;
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const kept = {
    monitor_id: row.id,
    selector_id: selectorId,
    extractor_id: extractorId,
    name,
    kind,
    old: json(old),
    new: json(now),
    difference,
    summary,
    percent,
    url: url ?? row.url,
    run_id: runId,
    created_at: nowMs,
  };
  return toChange({ ...kept, id: rows.addChange(kept), monitor_name: row.name });
}

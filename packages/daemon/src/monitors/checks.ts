// Checks on the rows of the agent: what is to be checked, and what came of it, kept in one transaction.
import { AppError, FAILURE_CODES } from '@weft/contract';
import type { Change, Check, MonitorSpec } from '@weft/contract';
import { valueKey } from '@weft/engine';
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
import { toInstant } from '@weft/serve';
import type { DatasetWriter } from '../datasets/writer.ts';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import type { ExtractorStore } from '../extractors/extractor.ts';
import type { Runs } from '../runs/run.ts';
import { parseSelectorRow, targetOf } from '../selectors/definition.ts';
import type { KeptBaseline } from '../selectors/definition.ts';
import type { SelectorRow, SelectorStore } from '../selectors/definition.ts';
import { effectiveSpec, parseSpec, settingsOf, watchOf } from './definition.ts';
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
  /** Of an answer that is no page. */
  readonly refusedStatus: number | undefined;
  readonly retryAtMs: number | undefined;
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
  const targets = rows.map((selector) => targetOf(selector, extractors.ofSelector(selector.id)));
  const values = checkRows.valuesOf(row.id).map(({ key, known }) => [key, JSON.parse(known) as KnownValue]);
  const known: KnownMonitor = {
    state: JSON.parse(row.state) as KnownMonitor['state'],
    values: Object.fromEntries(values),
    targets: Object.fromEntries(rows.flatMap(({ id, known: kept }) => (kept === null ? [] : [[id, JSON.parse(kept) as KnownTarget]]))),
  };
  return {
    monitorId: row.id,
    version: row.version,
    source: sourceOf(spec, row, watch),
    watch,
    settings: settingsOf(spec),
    targets,
    known,
    lastPage: row.page === null ? undefined : (JSON.parse(row.page) as LastPage),
  };
}

function sourceOf(spec: MonitorSpec, row: MonitorRow, watch: CheckSubject['watch']): CheckSubject['source'] {
  const { workflow_id: workflowId, inputs = {} } = spec;
  if (workflowId !== undefined) return { kind: 'workflow', gives: watch === 'rows' ? 'rows' : 'page', workflowId, inputs };
  const { method = 'GET', headers, body, lane = 'auto', proxy, wait_for_selector: waitForSelector, wait_ms: waitMs, screenshot } = spec;
  const browser = {
    ...(waitForSelector === undefined ? {} : { waitForSelector }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
  };
  return {
    kind: 'page',
    request: {
      // Checked when it was made: one without a workflow has an address.
      url: spec.url ?? '',
      lane: method === 'GET' ? lane : 'http',
      method,
      privateTargets: JSON.parse(row.private_targets) as string[],
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      ...(proxy === undefined ? {} : { proxy }),
      ...(Object.keys(browser).length > 0 ? { browser } : {}),
    },
    respectRobots: spec.respect_robots ?? true,
    acceptStatuses: spec.accept_statuses ?? [],
    personaId: spec.persona_id,
  };
}

function keep(runId: number, outcome: CheckOutcome, row: MonitorRow, ports: CheckStorePorts): void {
  const { subject, judgement, page } = outcome;
  const { known, recorded } = judgement;
  const nowMs = ports.clock.now();
  const changes = judgement.changes.map((change) => addChange(change, runId, row, page?.url, nowMs, ports.rows));
  for (const [key, value] of Object.entries(known.values))
    if (value !== subject.known.values[key]) ports.rows.setValue(row.id, { key, known: JSON.stringify(value) });
  keepTargets(outcome, nowMs, ports);
  addRecords(outcome, runId, row, nowMs, ports);
  const wasRead = page ?? subject.lastPage;
  const { fromCache: _fromCache, ...lastPage } = { fromCache: false, ...wasRead };
  const changedAt = judgement.changedSinceLast ? nowMs : null;
  const kept = wasRead === undefined ? null : JSON.stringify(lastPage);
  const flapping = judgement.flapping ? 1 : 0;
  const state = JSON.stringify(known.state);
  ports.rows.settle(row.id, { state, page: kept, flapping, at: nowMs, changed_at: changedAt, run_id: runId });
  ports.runs.addRows(runId, recorded.length);
  const costMs = ports.costMs(outcome);
  if (page) {
    ports.runs.setLane(runId, page.lane);
    ports.rows.addCost(page.lane, costMs / 1000, SECONDS_ASSUMED[page.lane]);
  }
  const check = checkOf(runId, outcome, row, changes, nowMs);
  if (check.verdict === 'unchanged' && !check.changed_since_last && recorded.length === 0) ports.runs.markUnchanged(runId);
  ports.rows.addCheck(runId, row.id, check.verdict, JSON.stringify(check));
  const effective = effectiveSpec(parseSpec(row), ports.monitors);
  ports.afterCheck({
    monitor: row,
    effective,
    check,
    changes: judgement.changes,
    refusedStatus: outcome.refusedStatus,
    retryAtMs: outcome.retryAtMs,
  });
}

function keepTargets(
  { subject, judgement, baselines, proposals, page }: CheckOutcome,
  nowMs: number,
  { selectors }: CheckStorePorts,
): void {
  for (const [id, target] of Object.entries(judgement.known.targets)) selectors.keepCheck(Number(id), { known: JSON.stringify(target) });
  for (const { id } of subject.targets) {
    const proposal = proposals.find((one) => one.id === id)?.proposal;
    // One that a person refused is not known as proposed.
    const isProposed = proposal !== undefined && judgement.known.targets[id]?.proposed?.selector === proposal.selector;
    selectors.keepCheck(id, { proposal: isProposed ? JSON.stringify(proposal) : null });
  }
  for (const { id, baseline, values } of baselines) {
    if (!baseline) continue;
    const kept: KeptBaseline = { capturedMs: nowMs, url: page?.url ?? '', target: baseline, values: baselineValues(values) };
    selectors.keepCheck(id, { baseline: JSON.stringify(kept) });
  }
  for (const { id, selector } of judgement.heals) {
    const healed = selectors.find(id);
    if (healed) selectors.heal(id, JSON.stringify({ ...parseSelectorRow(healed), selector }));
  }
}

/** Values as a baseline keeps them, by their keys. */
export function baselineValues(values: CheckOutcome['baselines'][number]['values']): KeptBaseline['values'] {
  const entries = values.flatMap(({ selectorId, extractorId, name, value, text, compared, digest, problem }) =>
    problem === undefined
      ? [[valueKey(selectorId, extractorId), { name, text, compared, digest, ...(value === undefined ? {} : { value }) }] as const]
      : [],
  );
  return Object.fromEntries(entries);
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

/** A record for each value that is another than before; none for an equal one. */
function addRecords({ judgement, page }: CheckOutcome, runId: number, row: MonitorRow, nowMs: number, { records }: CheckStorePorts): void {
  const added = judgement.recorded.flatMap((key) => {
    const value = judgement.known.values[key];
    const shown = judgement.values.find(({ selector_id: selector, extractor_id: extractor }) => valueKey(selector, extractor) === key);
    if (!value || !shown) return [];
    const { name, type, selector_id, extractor_id } = shown;
    const ids = { ...(selector_id === undefined ? {} : { selector_id }), ...(extractor_id === undefined ? {} : { extractor_id }) };
    const body = {
      name,
      type,
      ...ids,
      ...(value.value === undefined ? {} : { value: value.value }),
      text: value.text,
      url: page?.url ?? row.url,
      observed_at: toInstant(nowMs),
    };
    return [{ run_id: runId, key: `${key}@${runId}`, created_at: nowMs, body }];
  });
  if (added.length > 0) records.addRecords(row.dataset_id, added);
}

function checkOf(runId: number, outcome: CheckOutcome, row: MonitorRow, changes: readonly Change[], nowMs: number): Check {
  const { judgement, page, fetched, durationMs } = outcome;
  const { verdict, changedSinceLast, differsFromBaseline, state, trouble, values, trace, flapping } = judgement;
  const { outcome: came, reasons, durationMs: fetchMs } = fetched;
  return {
    run_id: runId,
    monitor_id: row.id,
    checked_at: toInstant(nowMs),
    verdict,
    changed_since_last: changedSinceLast,
    ...(differsFromBaseline === undefined ? {} : { differs_from_baseline: differsFromBaseline }),
    state,
    ...(trouble ? { failure: FAILURE_CODES.find((code) => code === trouble.code) ?? 'bad_response' } : {}),
    ...(page
      ? {
          page: {
            url: page.url,
            status: page.status,
            lane: page.lane,
            from_cache: page.fromCache,
            bytes: page.bytes,
            ...(page.title === undefined ? {} : { title: page.title }),
          },
        }
      : {}),
    trace: [{ gate: 'fetch', outcome: came, reasons: [...reasons], duration_ms: fetchMs }, ...trace],
    values: [...values],
    changes: [...changes],
    ...(flapping ? { flapping } : {}),
    duration_ms: durationMs,
  };
}

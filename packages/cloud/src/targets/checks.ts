// Checks on the rows of an account: what is to be checked, and what came of it, kept in one transaction of a few statements.
import { createHash, randomBytes } from 'node:crypto';
import {
  checkBody,
  codeOfTrouble,
  lastPageAfter,
  recordsOf,
  settingsOf,
  snapshotOf,
  sourceOf,
  targetsToKeep,
  valuesToKeep,
  watchOf,
} from '@weft/engine';
import type { Cadence, CheckBody, CheckOutcome, CheckStore, CheckSubject, KeptChange, KnownValue } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import { unnest } from '../db/sets.ts';
import type { TargetRow, Trigger } from './row.ts';
import { nextDueOf } from './row.ts';
import { afterCheck, plansOf } from './selectors.ts';

/** A check that is being kept. */
export interface KeptCheck {
  readonly target: TargetRow;
  readonly runId: string;
  readonly body: CheckBody;
  readonly changes: readonly KeptChange[];
  readonly outcome: CheckOutcome;
}

/** What a check costs, and what follows of it. */
export interface CheckEnd {
  readonly credits: number;
  readonly isLaneLimited: boolean;
  readonly cadence: Cadence;
  /** When it is due whatever its schedule says; undefined where that decides. */
  readonly dueAt: Date | undefined;
}

/** Whose checks are kept, and how. */
export interface CheckStorePorts {
  readonly database: Database;
  readonly accountId: string;
  /** Whether whoever keeps a check has the target still; asked while its row is held. */
  readonly isHeld: (row: TargetRow, run: number) => boolean;
  /** The id and the trigger of a run. */
  readonly runOf: (run: number) => { readonly id: string; readonly trigger: Trigger };
  /** Part of the transaction: pays, tells. */
  readonly finish: (kept: KeptCheck) => Promise<CheckEnd>;
}

/** Newest snapshots that are kept of each target. */
export const SNAPSHOTS_KEPT = 30;
/** Of a value, where its target is shown. */
const SHOWN_CHARS = 200;
/** Checks that found nothing new are kept as so many of the newest (D23). */
const UNCHANGED_KEPT = 20;

/** Checks of the targets of an account. */
export function createTargetCheckStore(ports: CheckStorePorts): CheckStore {
  const { rows, find, transaction } = ports.database;
  const { accountId } = ports;
  return {
    async load(number) {
      const row = await find<TargetRow>('SELECT * FROM target WHERE number = $1 AND account_id = $2', [number, accountId]);
      if (!row) return undefined;
      const values = await rows<{ key: string; known: KnownValue }>(
        'SELECT key, known FROM target_value WHERE target = $1 AND account_id = $2',
        [number, accountId],
      );
      return subjectOf(row, Object.fromEntries(values.map(({ key, known }) => [key, known])));
    },
    save: (run, outcome) =>
      transaction(async () => {
        const { monitorId: number, version } = outcome.subject;
        const row = await find<TargetRow & { readonly now: Date }>(
          'SELECT *, now() AS now FROM target WHERE number = $1 AND account_id = $2 FOR UPDATE',
          [number, accountId],
        );
        if (!row || !ports.isHeld(row, run)) return 'gone';
        if (row.version !== version) return 'stale';
        await keep(run, outcome, row, row.now.getTime(), ports);
        return 'kept';
      }),
  };
}

function subjectOf(row: TargetRow, values: Readonly<Record<string, KnownValue>>): CheckSubject {
  const spec = row.definition;
  const watch = watchOf(spec, row.selectors.length > 0);
  return {
    monitorId: row.number,
    version: row.version,
    // Nobody's body names a private address here: the gate goes by the operator's list alone.
    source: sourceOf(spec, watch, []),
    watch,
    settings: settingsOf(spec),
    targets: plansOf(row.selectors, row.known),
    known: { state: row.state, values, targets: row.known },
    lastPage: row.page ?? undefined,
  };
}

async function keep(run: number, outcome: CheckOutcome, row: TargetRow, nowMs: number, ports: CheckStorePorts): Promise<void> {
  const { id: runId, trigger } = ports.runOf(run);
  const own = { target: row.number, accountId: row.account_id, runId };
  const body = checkBody(outcome, nowMs);
  await keepValues(outcome, own, ports.database);
  await keepRecords(outcome, row.url, nowMs, own, ports.database);
  const changes = await keepChanges(outcome, row.url, own, ports.database);
  await keepSnapshot(outcome, own, ports.database);
  const end = await ports.finish({ target: row, runId, body, changes, outcome });
  await keepRun({ number: run, id: runId, trigger }, { outcome, body, end }, row, ports.database);
  await keepTarget({ outcome, end, trigger, runId }, row, nowMs, ports.database);
}

/** Whose rows they are. */
interface Own {
  readonly target: number;
  readonly accountId: string;
  readonly runId: string;
}

async function keepValues(outcome: CheckOutcome, { target, accountId }: Own, { rows }: Database): Promise<void> {
  const kept = valuesToKeep(outcome);
  if (kept.length === 0) return;
  const { from, values } = unnest(
    kept,
    [
      ['key', 'text', ([key]) => key],
      ['known', 'text', ([, known]) => JSON.stringify(known)],
      ['shown', 'text', ([, { digest, text }]) => (digest === '' ? undefined : text.slice(0, SHOWN_CHARS).toWellFormed())],
      ['since_ms', 'bigint', ([, { sinceMs }]) => sinceMs],
    ],
    3,
  );
  await rows(
    `INSERT INTO target_value (target, account_id, key, known, shown, since_ms) SELECT $1, $2, key, known::json, shown, since_ms FROM ${from}
     ON CONFLICT (target, key) DO UPDATE SET known = excluded.known, shown = excluded.shown, since_ms = excluded.since_ms`,
    [target, accountId, ...values],
  );
}

async function keepRecords(outcome: CheckOutcome, url: string, nowMs: number, own: Own, { rows }: Database): Promise<void> {
  const records = recordsOf(outcome, url, nowMs);
  if (records.length === 0) return;
  const { from, values } = unnest(
    records,
    [
      ['key', 'text', ({ key }) => key],
      ['body', 'text', ({ body }) => JSON.stringify(body)],
    ],
    4,
  );
  await rows(
    `INSERT INTO target_record (target, account_id, run_id, key, body) SELECT $1, $2, $3, key, body::json FROM ${from} ORDER BY place`,
    [own.target, own.accountId, own.runId, ...values],
  );
}

/** The changes with their ids. */
async function keepChanges({ judgement, page }: CheckOutcome, url: string, own: Own, { rows }: Database): Promise<readonly KeptChange[]> {
  const changes = judgement.changes.map((change) => ({
    ...change,
    id: `chg_${randomBytes(16).toString('base64url')}`,
    url: page?.url ?? url,
  }));
  if (changes.length === 0) return [];
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  const { from, values } = unnest(
    changes,
    [
      ['id', 'text', ({ id }) => id],
      ['kind', 'text', ({ kind }) => kind],
      ['selector_id', 'int', ({ selectorId }) => selectorId],
      ['extractor_id', 'int', ({ extractorId }) => extractorId],
      ['name', 'text', ({ name }) => name],
      ['old', 'text', ({ old }) => json(old)],
      ['fresh', 'text', ({ new: fresh }) => json(fresh)],
      ['difference', 'text', ({ difference }) => difference],
      ['summary', 'text', ({ summary }) => summary],
      ['percent', 'float8', ({ percent }) => percent],
      ['url', 'text', ({ url: at }) => at],
    ],
    4,
  );
  await rows(
    `INSERT INTO target_change (target, account_id, run_id, id, kind, selector_id, extractor_id, name, old, new, difference, summary, percent, url)
     SELECT $1, $2, $3, id, kind, selector_id, extractor_id, name, old::json, fresh::json, difference, summary, percent, url FROM ${from} ORDER BY place`,
    [own.target, own.accountId, own.runId, ...values],
  );
  return changes;
}

async function keepSnapshot(outcome: CheckOutcome, own: Own, { rows }: Database): Promise<void> {
  const seen = snapshotOf(outcome);
  if (!seen) return;
  const { from, values } = unnest(
    seen.parts,
    [
      ['part', 'text', ({ part }) => part],
      ['content_type', 'text', ({ contentType }) => contentType],
      ['sha256', 'text', ({ bytes }) => createHash('sha256').update(bytes).digest('hex')],
      ['content', 'bytea', ({ bytes }) => Buffer.from(bytes)],
    ],
    6,
  );
  await rows(
    `WITH made AS (INSERT INTO target_snapshot (id, account_id, target, run_id, url) VALUES ($1, $2, $3, $4, $5) RETURNING number)
     INSERT INTO target_snapshot_part (snapshot, account_id, part, content_type, sha256, bytes, content)
     SELECT made.number, $2, part, content_type, sha256, length(content), content FROM made, ${from}`,
    [`snp_${randomBytes(16).toString('base64url')}`, own.accountId, own.target, own.runId, seen.url, ...values],
  );
  await rows(
    `DELETE FROM target_snapshot WHERE target = $1 AND account_id = $2 AND number <=
       (SELECT number FROM target_snapshot WHERE target = $1 AND account_id = $2 ORDER BY number DESC LIMIT 1 OFFSET $3)`,
    [own.target, own.accountId, SNAPSHOTS_KEPT],
  );
}

async function keepRun(
  run: { readonly number: number; readonly id: string; readonly trigger: Trigger },
  { outcome, body, end }: { readonly outcome: CheckOutcome; readonly body: CheckBody; readonly end: CheckEnd },
  { number: target, account_id: accountId }: TargetRow,
  { rows }: Database,
): Promise<void> {
  const { trouble, recorded } = outcome.judgement;
  const isUnchanged = body.verdict === 'unchanged' && !body.changed_since_last && recorded.length === 0;
  const failure = trouble ? JSON.stringify({ code: codeOfTrouble(trouble.code), message: trouble.message }) : null;
  await rows(
    `INSERT INTO target_run (number, id, account_id, target, trigger, status, verdict, is_unchanged, failure, credits, is_lane_limited, body, finished_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now())
     ON CONFLICT (number) DO UPDATE SET status = excluded.status, verdict = excluded.verdict, is_unchanged = excluded.is_unchanged,
       failure = excluded.failure, credits = excluded.credits, is_lane_limited = excluded.is_lane_limited, body = excluded.body,
       finished_at = excluded.finished_at, hold_id = NULL`,
    [
      run.number,
      run.id,
      accountId,
      target,
      run.trigger,
      trouble ? 'failed' : 'succeeded',
      body.verdict,
      isUnchanged,
      failure,
      end.credits,
      end.isLaneLimited,
      JSON.stringify(body),
    ],
  );
  if (isUnchanged)
    await rows(
      `DELETE FROM target_run WHERE target = $1 AND account_id = $2 AND is_unchanged AND number <=
         (SELECT number FROM target_run WHERE target = $1 AND account_id = $2 AND is_unchanged ORDER BY number DESC LIMIT 1 OFFSET $3)`,
      [target, accountId, UNCHANGED_KEPT],
    );
}

async function keepTarget(
  {
    outcome,
    end,
    trigger,
    runId,
  }: { readonly outcome: CheckOutcome; readonly end: CheckEnd; readonly trigger: Trigger; readonly runId: string },
  row: TargetRow,
  nowMs: number,
  { rows }: Database,
): Promise<void> {
  const { judgement } = outcome;
  const { selectors, isOther } = afterCheck(row.selectors, targetsToKeep(outcome, nowMs));
  const lastPage = lastPageAfter(outcome);
  const lastDueAt = trigger === 'schedule' ? row.begun_for : row.last_due_at;
  const next = row.active ? (end.dueAt ?? nextDueOf({ ...row, cadence: end.cadence, last_due_at: lastDueAt }, nowMs)) : undefined;
  await rows(
    `UPDATE target SET selectors = CASE WHEN $3::text IS NULL THEN selectors ELSE $3::json END, version = version + $4, state = $5, is_trouble = $6,
       known = $7, page = $8, cadence = $9, flapping = $10, checks = checks + 1, left_out = NULL, last_checked_at = now(),
       last_changed_at = CASE WHEN $11 THEN now() ELSE last_changed_at END, last_run_id = $12, last_due_at = $13,
       due_at = CASE WHEN asked IS NULL THEN $14 ELSE now() END, rank = CASE WHEN asked IS NULL THEN 1 ELSE 0 END,
       claim = NULL, run = NULL, begun_for = NULL, losses = 0 WHERE number = $1 AND account_id = $2`,
    [
      row.number,
      row.account_id,
      JSON.stringify(selectors) === JSON.stringify(row.selectors) ? null : JSON.stringify(selectors),
      isOther ? 1 : 0,
      JSON.stringify(judgement.known.state),
      judgement.trouble !== undefined,
      JSON.stringify({ ...row.known, ...judgement.known.targets }),
      lastPage === undefined ? null : JSON.stringify(lastPage),
      JSON.stringify(end.cadence),
      judgement.flapping,
      judgement.changedSinceLast,
      runId,
      lastDueAt ?? null,
      next ?? null,
    ],
  );
}

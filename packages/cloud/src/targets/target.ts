// Targets of accounts: what is watched, how it stands, when it is looked at next.
import { randomBytes } from 'node:crypto';
import { AppError, NewTarget } from '@weft/contract';
import type { CloudTable, Input, NewTarget as TargetBody, Target, TargetChange, TargetPatch } from '@weft/contract';
import {
  FIRST_CADENCE,
  faultOfMonitor,
  faultOfTarget,
  isDueElse,
  knownAtFirst,
  monitorName,
  nextDue,
  scheduleOf,
  secretsNamedIn,
  shownState,
  shownValues,
  withoutReplaced,
} from '@weft/engine';
import { mergePatch } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { plainText } from '../db/sets.ts';
import { changesOf } from './changes.ts';
import { nextDueOf } from './row.ts';
import type { TargetDefinition, TargetRow } from './row.ts';
import { numbered, shownSelectors, specsOf } from './selectors.ts';
import type { Numbered } from './selectors.ts';

type ListQuery = Input<CloudTable['targets']['list']>['query'];
type ChangesQuery = Input<CloudTable['targets']['changes']>['query'];

export interface Targets {
  /** Newest first; all unless `limit` is given. */
  list(accountId: string, query: ListQuery): Promise<{ readonly data: Target[]; readonly total: number }>;
  /** The id of a new one, whose first check is due at once. Throws AppError `bad_request`. */
  create(accountId: string, body: TargetBody): Promise<string>;
  /** All methods that take an id throw AppError `not_found`. */
  read(accountId: string, id: string): Promise<Target>;
  /** The number by which its rows name it. */
  numberOf(accountId: string, id: string): Promise<number>;
  /** Throws AppError `bad_request`. */
  update(accountId: string, id: string, patch: TargetPatch): Promise<Target>;
  toggle(accountId: string, id: string): Promise<Target>;
  delete(accountId: string, id: string): Promise<void>;
  /** Newest first. */
  changes(accountId: string, id: string, query: ChangesQuery): Promise<{ readonly data: TargetChange[]; readonly total: number }>;
  /** Of all targets: of the last 30 days unless `since` is given. */
  recentChanges(accountId: string, query: ChangesQuery): Promise<{ readonly data: TargetChange[]; readonly total: number }>;
}

type ShownRow = TargetRow & { readonly changes: number; readonly shown_values: readonly { key: string; text: string; sinceMs: number }[] };

const RECENT_MS = 30 * 86_400_000;
const NOUN = 'target';
const NONE: Numbered = { selectors: [], parts: 0 };
/** With the first characters of its values. */
const SHOWN = `SELECT target.*, (SELECT count(*) FROM target_change c WHERE c.target = target.number) AS changes,
  (SELECT coalesce(json_agg(json_build_object('key', key, 'text', shown, 'sinceMs', since_ms)), '[]')
   FROM target_value v WHERE v.target = target.number AND shown IS NOT NULL) AS shown_values FROM target`;

export function createTargets(database: Database): Targets {
  const { rows, find, transaction } = database;
  const changes = changesOf(database);

  const requireRow = async (accountId: string, id: string, lock = ''): Promise<TargetRow> => {
    const row = await find<TargetRow>(`SELECT * FROM target WHERE id = $1 AND account_id = $2 ${lock}`, [id, accountId]);
    if (!row) throw new AppError('not_found', `There is no target "${id}".`);
    return row;
  };
  const read = async (accountId: string, id: string): Promise<Target> => {
    const row = await find<ShownRow>(`${SHOWN} WHERE id = $1 AND account_id = $2`, [id, accountId]);
    if (!row) throw new AppError('not_found', `There is no target "${id}".`);
    return toTarget(row);
  };
  /** Saves a target as it is to be from now on; what is no longer looked at is forgotten. */
  const save = (accountId: string, id: string, change: (row: TargetRow) => TargetBody) =>
    transaction(async () => {
      const row = await requireRow(accountId, id, 'FOR UPDATE');
      const { selectors: specs, name = row.name, active = true, ...definition } = checked(change(row));
      const { selectors, parts } = numbered(specs, row);
      const renews = active !== row.active || isDueElse(row.definition, definition);
      const anew = { cadence: FIRST_CADENCE, scheduled_at: new Date(), last_due_at: null };
      const planned = { ...row, definition, active, ...(renews ? anew : {}) };
      const kept = new Set(selectors.flatMap((one) => keysOf(one)));
      await rows(
        `UPDATE target SET name = $3, url = $4, definition = $5, selectors = $6, parts = $7, active = $8, version = version + 1, cadence = $9,
           scheduled_at = $10, last_due_at = $11, known = $14, updated_at = now(), due_at = CASE WHEN claim IS NOT NULL OR asked IS NOT NULL OR NOT $12 THEN due_at ELSE $13 END
         WHERE id = $1 AND account_id = $2`,
        [
          id,
          accountId,
          plainText(name),
          definition.url,
          JSON.stringify(definition),
          JSON.stringify(selectors),
          parts,
          active,
          JSON.stringify(planned.cadence),
          planned.scheduled_at,
          planned.last_due_at,
          renews,
          nextDueOf(planned, Date.now()) ?? null,
          JSON.stringify(Object.fromEntries(Object.entries(row.known).filter(([key]) => selectors.some((one) => String(one.id) === key)))),
        ],
      );
      await rows(`DELETE FROM target_value WHERE target = $1 AND account_id = $2 AND key <> 'page' AND key <> ALL($3)`, [
        row.number,
        accountId,
        [...kept],
      ]);
      return await read(accountId, id);
    });

  return {
    async list(accountId, { limit, offset = 0, q, active, trouble }) {
      const wanted = `WHERE account_id = $1 AND ($2::text IS NULL OR name ILIKE $2 OR url ILIKE $2) AND ($3::boolean IS NULL OR active = $3)
        AND ($4::boolean IS NULL OR is_trouble = $4)`;
      const values = [accountId, q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`, active ?? null, trouble ?? null];
      const data = await rows<ShownRow>(`${SHOWN} ${wanted} ORDER BY number DESC LIMIT $5 OFFSET $6`, [...values, limit ?? null, offset]);
      const all = await find<{ total: number }>(`SELECT count(*) AS total FROM target ${wanted}`, values);
      return { data: data.map(toTarget), total: all?.total ?? 0 };
    },
    async create(accountId, body) {
      const { selectors: specs, name = monitorName(body), active = true, ...definition } = checked(body);
      const { selectors, parts } = numbered(specs, NONE);
      const id = `tgt_${randomBytes(16).toString('base64url')}`;
      await rows(
        `INSERT INTO target (id, account_id, name, url, definition, selectors, parts, active, state, cadence, scheduled_at, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $8 THEN now() END)`,
        [
          id,
          accountId,
          plainText(name),
          definition.url,
          JSON.stringify(definition),
          JSON.stringify(selectors),
          parts,
          active,
          JSON.stringify(knownAtFirst(Date.now()).state),
          JSON.stringify(FIRST_CADENCE),
          new Date(),
        ],
      );
      return id;
    },
    read,
    numberOf: async (accountId, id) => (await requireRow(accountId, id)).number,
    update: (accountId, id, patch) => save(accountId, id, (row) => mergePatch(withoutReplaced(bodyOf(row), patch), patch, NewTarget, NOUN)),
    toggle: (accountId, id) => save(accountId, id, (row) => ({ ...bodyOf(row), active: !row.active })),
    async delete(accountId, id) {
      const gone = await rows('DELETE FROM target WHERE id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
      if (gone.length === 0) throw new AppError('not_found', `There is no target "${id}".`);
    },
    async changes(accountId, id, { kind, since, ...slice }) {
      const { number } = await requireRow(accountId, id);
      return await changes.list(accountId, { target: number, kind, since: since === undefined ? undefined : new Date(since) }, slice);
    },
    recentChanges: (accountId, { kind, since, ...slice }) =>
      changes.list(accountId, { target: undefined, kind, since: new Date(since ?? Date.now() - RECENT_MS) }, slice),
  };
}

/** `body`, where nothing of it is wrong. Throws AppError `bad_request` that names what is. */
function checked(body: TargetBody): TargetBody {
  const { selectors = [], ...spec } = body;
  const faults = [
    faultOfMonitor(spec),
    ...selectors.map((one, i) => faultOfTarget(one, `selectors[${i}].`)),
    faultOfSecretsIn(spec),
    faultOfSchedule(spec),
  ];
  const fault = faults.find((one) => one !== undefined);
  if (fault !== undefined) throw new AppError('bad_request', fault);
  return body;
}

function faultOfSecretsIn({ headers = {}, body = '' }: Pick<TargetBody, 'headers' | 'body'>): string | undefined {
  const [named] = [...Object.values(headers), body].flatMap(secretsNamedIn);
  return named === undefined ? undefined : `"{{secret:${named}}}" stands for a secret of the agent; the cloud keeps none.`;
}

function faultOfSchedule(spec: Pick<TargetBody, 'schedule'>): string | undefined {
  const nowMs = Date.now();
  const isDue = nextDue(scheduleOf(spec), { seed: NOUN, startedMs: nowMs, cadence: FIRST_CADENCE }, nowMs) !== undefined;
  return isDue ? undefined : '"schedule" never comes due: none of its times lies in one of its windows.';
}

function bodyOf({ name, active, definition, selectors }: TargetRow): TargetBody {
  return { ...definition, name, active, ...(selectors.length > 0 ? { selectors: specsOf(selectors) } : {}) };
}

function keysOf({ id, extractors }: TargetRow['selectors'][number]): readonly string[] {
  return [`${id}/text`, ...extractors.map((one) => `${id}/${one.id}`)];
}

function toTarget(row: ShownRow): Target {
  const definition: TargetDefinition = row.definition;
  const selectors = shownSelectors(row.selectors, row.known, row.updated_at.getTime());
  const next = row.active && row.claim === null ? row.due_at : null;
  const instants = { last_checked_at: row.last_checked_at, last_changed_at: row.last_changed_at, next_check_at: next };
  return {
    ...definition,
    id: row.id,
    name: row.name,
    active: row.active,
    lane: definition.lane ?? 'auto',
    respect_robots: definition.respect_robots ?? true,
    schedule: scheduleOf(definition),
    selectors,
    values: shownValues(selectors, row.shown_values),
    state: shownState(row.state),
    flapping: row.flapping,
    checks: row.checks,
    changes: row.changes,
    ...(row.left_out ? { left_out: row.left_out } : {}),
    ...Object.fromEntries(Object.entries(instants).flatMap(([name, at]) => (at === null ? [] : [[name, at.toISOString()]]))),
    ...(row.last_run_id === null ? {} : { last_run_id: row.last_run_id }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

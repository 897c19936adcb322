// Targets as their owners say them: checked, numbered and written.
import { randomBytes } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { NewTarget as TargetBody, Target } from '@weft/contract';
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
} from '@weft/engine';
import type { Database, Queries } from '../db/queries.ts';
import { nextDueOf } from './row.ts';
import type { TargetRow } from './row.ts';
import { numbered } from './selectors.ts';
import type { Numbered } from './selectors.ts';
import { readTarget, requireTarget } from './reading.ts';

const NOUN = 'target';
const NONE: Numbered = { selectors: [], parts: 0 };

/** Writes a new target, whose first check is due at once; its id. Throws AppError `bad_request`. */
export async function insertTarget({ rows }: Queries, accountId: string, body: TargetBody): Promise<string> {
  const { selectors: specs, name = monitorName(body), active = true, ...definition } = checked(body);
  const { selectors, parts } = numbered(specs, NONE);
  const id = `tgt_${randomBytes(16).toString('base64url')}`;
  await rows(
    `INSERT INTO target (id, account_id, name, url, definition, selectors, parts, active, state, cadence, scheduled_at, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $8 THEN now() END)`,
    [
      id,
      accountId,
      name,
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
}

/** Saves a target as `change` says it is to be from now on; what is no longer looked at is forgotten. Throws AppError `bad_request` and `not_found`. */
export async function changeTarget(
  database: Database,
  accountId: string,
  id: string,
  change: (row: TargetRow) => TargetBody,
): Promise<Target> {
  const { rows, transaction } = database;
  return await transaction(async () => {
    const row = await requireTarget(database, accountId, id, 'FOR UPDATE');
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
        name,
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
    return await readTarget(database, accountId, id);
  });
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

function keysOf({ id, extractors }: TargetRow['selectors'][number]): readonly string[] {
  return [`${id}/text`, ...extractors.map((one) => `${id}/${one.id}`)];
}

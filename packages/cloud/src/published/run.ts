// Calls of functions: reserved, executed, charged and kept (D43, D46); and what their owner sees of them.
import { randomBytes } from 'node:crypto';
import { AppError, LIMITS } from '@weft/contract';
import type { AccountTable, Input, PublishedAnswer, ReplyOf, RunFailure } from '@weft/contract';
import { goesByHttp, settleInputs } from '@weft/engine';
import type { Hold } from '../credits/books.ts';
import type { Credits } from '../credits/credits.ts';
import { PAGE_PRICE } from '../credits/prices.ts';
import type { Database } from '../db/queries.ts';
import type { AccountNotice, Tell } from '../webhooks/outbox.ts';
import type { ConsumerKeys } from './consumer-key.ts';
import { executeFunction } from './execute.ts';
import type { Executed, ExecutionPorts } from './execute.ts';
import type { CallableFunction, Functions, Place } from './function.ts';

type Run = ReplyOf<AccountTable['publishedRuns']['list']>['body']['data'][number];
type WholeRun = ReplyOf<AccountTable['publishedRuns']['read']>['body'];
type Page = Input<AccountTable['publishedRuns']['list']>['query'];

/** Who calls what, with what. */
export interface FunctionCall {
  readonly accountId: string;
  /** Absent where a model calls by a key of the account. */
  readonly keyId?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** A run that has ended, before anything is charged. */
export interface EndedRun {
  readonly id: string;
  readonly hold: Hold;
  readonly executed: Executed;
}

export interface PublishedRuns {
  /**
   * Reserves the price and runs the function. Throws AppError: `forbidden` for a key of something else, `not_found`, `bad_request` for inputs
   * that do not fit, `too_many_requests`, `insufficient_credits`; nothing is held then.
   */
  callAt(call: FunctionCall, place: Place, signal: AbortSignal): Promise<EndedRun>;
  call(call: FunctionCall, callee: CallableFunction, signal: AbortSignal): Promise<EndedRun>;
  /** Charges for the run and keeps what it answers, in one transaction; its id. */
  keep(ended: EndedRun): Promise<string>;
  /** Gives back what was reserved, and forgets the run: another of the same call had its effect. */
  discard(ended: EndedRun): void;
  /** Throws AppError `not_found` for one that is no longer kept. */
  answer(accountId: string, id: string): Promise<PublishedAnswer>;
  list(accountId: string, page: Page): Promise<{ readonly data: Run[]; readonly total: number }>;
  /** Throws AppError `not_found`. */
  read(accountId: string, id: string): Promise<WholeRun>;
  /** Ends what died with its process, and deletes what is past its time. */
  prune(): Promise<void>;
}

export interface PublishedRunPorts extends ExecutionPorts {
  readonly tell: Tell;
  readonly database: Database;
  readonly credits: Credits;
  readonly functions: Functions;
  readonly consumerKeys: ConsumerKeys;
}

interface RunRow {
  readonly id: string;
  readonly slug: string;
  readonly path: string;
  readonly revision: number;
  readonly key_id: string | null;
  readonly status: Run['status'];
  readonly failure: RunFailure | null;
  readonly lane: 'http' | 'browser' | null;
  readonly credits: number;
  readonly row_count: number;
  readonly answer: { readonly data: unknown } | null;
  readonly warnings: string[];
  readonly steps: Record<string, unknown>[];
  readonly started_at: Date;
  readonly finished_at: Date | null;
}

/** What a published call is reserved for. */
export const CALL_OPERATION = 'published.call';
const SUMMARY = 'id, slug, path, revision, key_id, status, failure, lane, credits, row_count, started_at, finished_at';

/** What is reserved for a call before it begins: a browser is paid for when it is used, where none may be needed. */
export function leastPriceOf({ definition }: Pick<CallableFunction, 'definition'>): number {
  return goesByHttp(definition) ? PAGE_PRICE.http : PAGE_PRICE.browser;
}

export function createPublishedRuns(ports: PublishedRunPorts): PublishedRuns {
  const { database, credits, functions, consumerKeys, tell } = ports;
  const { rows, find, transaction } = database;

  const begin = async ({ accountId, keyId }: FunctionCall, callee: CallableFunction): Promise<Pick<EndedRun, 'id' | 'hold'>> =>
    await transaction(async () => {
      const { slug, path, revision } = callee;
      // A call that is refused for its credits is not counted: the transaction ends with it.
      if (keyId !== undefined) await consumerKeys.takeCall(accountId, keyId);
      const hold = await credits.reserve({ accountId, operation: CALL_OPERATION, about: `${slug}/${path}` }, leastPriceOf(callee));
      const id = `run_${randomBytes(16).toString('base64url')}`;
      await rows('INSERT INTO published_run (id, account_id, slug, path, revision, key_id) VALUES ($1, $2, $3, $4, $5, $6)', [
        id,
        accountId,
        slug,
        path,
        revision,
        keyId ?? null,
      ]);
      return { id, hold };
    });
  const forget = async ({ id, hold }: Pick<EndedRun, 'id' | 'hold'>) =>
    await transaction(async () => {
      await credits.settle(hold, 0);
      await rows('DELETE FROM published_run WHERE id = $1 AND account_id = $2', [id, hold.accountId]);
    });

  const call: PublishedRuns['call'] = async (asked, callee, signal) => {
    const { accountId } = asked;
    const { definition } = callee;
    const inputs = settleInputs(definition, asked.inputs);
    if ('fault' in inputs) throw new AppError('bad_request', inputs.fault);
    const begun = await begin(asked, callee);
    let isPaid = !goesByHttp(definition);
    const mayUseBrowser = async () => (isPaid ||= await credits.topUp(begun.hold, PAGE_PRICE.browser - PAGE_PRICE.http));
    try {
      return { ...begun, executed: await executeFunction({ definition, inputs: inputs.settled, accountId, mayUseBrowser }, ports, signal) };
    } catch (error) {
      await forget(begun);
      throw error;
    }
  };

  return {
    async callAt(asked, place, signal) {
      const { accountId, keyId } = asked;
      if (keyId !== undefined) await consumerKeys.requireFor(accountId, keyId, place);
      const callee = await functions.find(accountId, place);
      if (!callee) throw new AppError('not_found', `There is no function "${place.path}" of "${place.slug}".`);
      return await call(asked, callee, signal);
    },
    call,
    keep: ({ id, hold, executed }) =>
      transaction(async () => {
        const { failure, data, rows: count, lane, warnings, steps } = executed;
        const charged = await credits.settle(hold, failure ? 0 : PAGE_PRICE[lane]);
        await rows(
          `UPDATE published_run SET status = $3, failure = $4, lane = $5, credits = $6, row_count = $7, answer = $8, warnings = $9,
             steps = $10, finished_at = now() WHERE id = $1 AND account_id = $2`,
          [
            id,
            hold.accountId,
            failure ? 'failed' : 'succeeded',
            failure ? JSON.stringify(failure) : null,
            lane,
            charged,
            count,
            JSON.stringify({ data }),
            JSON.stringify(warnings),
            JSON.stringify(steps),
          ],
        );
        await tell(hold.accountId, noticeOf(id, hold.about, failure));
        return id;
      }),
    // Where this fails, the hold ends with its time.
    discard: (ended) => void forget(ended).catch(() => undefined),
    async answer(accountId, id) {
      const row = await find<RunRow>('SELECT * FROM published_run WHERE id = $1 AND account_id = $2', [id, accountId]);
      if (!row || row.status === 'running')
        throw new AppError('not_found', 'The answer of this call is no longer kept; call again under another Idempotency-Key.');
      const { status, failure, answer } = row;
      return { data: answer?.data ?? null, status, run_id: id, ...(failure ? { failure } : {}) };
    },
    ...createRunReports(database, tell),
  };
}

/** What is seen of the runs that there were, and their end. */
function createRunReports({ rows, find, transaction }: Database, tell: Tell): Pick<PublishedRuns, 'list' | 'read' | 'prune'> {
  return {
    async list(accountId, { limit = LIMITS.listLimitDefault, offset = 0, slug }) {
      const of = 'FROM published_run WHERE account_id = $1 AND ($2::text IS NULL OR slug = $2)';
      const data = await rows<RunRow>(`SELECT ${SUMMARY} ${of} ORDER BY started_at DESC, id LIMIT $3 OFFSET $4`, [
        accountId,
        slug ?? null,
        limit,
        offset,
      ]);
      const all = await find<{ total: number }>(`SELECT count(*) AS total ${of}`, [accountId, slug ?? null]);
      return { data: data.map(toRun), total: all?.total ?? 0 };
    },
    async read(accountId, id) {
      const row = await find<RunRow>('SELECT * FROM published_run WHERE id = $1 AND account_id = $2', [id, accountId]);
      if (!row) throw new AppError('not_found', `There is no run "${id}".`);
      const { answer, warnings, steps } = row;
      return { ...toRun(row), ...(answer ? { data: answer.data } : {}), warnings, steps };
    },
    async prune() {
      const dead: RunFailure = { code: 'interrupted', message: 'Its process ended before it.' };
      await transaction(async () => {
        const ended = await rows<Pick<RunRow, 'id' | 'slug' | 'path'> & { account_id: string }>(
          `UPDATE published_run SET status = 'failed', failure = $1, finished_at = now()
           WHERE status = 'running' AND started_at < now() - interval '15 minutes' RETURNING id, account_id, slug, path`,
          [JSON.stringify(dead)],
        );
        for (const { id, account_id: accountId, slug, path } of ended) await tell(accountId, noticeOf(id, `${slug}/${path}`, dead));
      });
      await rows(
        `DELETE FROM published_run r USING account a WHERE a.id = r.account_id AND r.started_at < now() - a.retention_days * interval '1 day'`,
      );
      await rows(`DELETE FROM consumer_use WHERE day < now() - interval '2 days'`);
    },
  };
}

/** What is told of a call that has ended; `about` is its slug and path. */
function noticeOf(id: string, about: string, failure: RunFailure | undefined): AccountNotice {
  const status = failure ? 'failed' : 'succeeded';
  const [slug = '', path = ''] = about.split('/');
  const message = failure ? `The call of ${about} failed: ${failure.message}` : `The call of ${about} succeeded.`;
  const data = { message, run: { id }, function: { slug, path }, ...(failure ? { failure } : {}) };
  return { event: `run.${status}`, subject: { kind: 'run', id, name: about }, data, dedupeKey: id };
}

function toRun({ id, slug, path, revision, key_id, status, failure, lane, credits, row_count, started_at, finished_at }: RunRow): Run {
  return {
    id,
    slug,
    path,
    revision,
    ...(key_id === null ? {} : { key_id }),
    status,
    ...(failure ? { failure } : {}),
    ...(lane === null ? {} : { lane }),
    credits,
    rows: row_count,
    started_at: started_at.toISOString(),
    ...(finished_at ? { finished_at: finished_at.toISOString() } : {}),
  };
}

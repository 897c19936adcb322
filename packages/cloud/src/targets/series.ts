// How a value of a target went: its records, one by one or in buckets.
import { AppError, BUCKETS } from '@weft/contract';
import type { AccountTable, Input, SeriesBucket, TargetPoint } from '@weft/contract';
import { describeNoValue, valueKey } from '@weft/engine';
import { BucketedSeries, bucketStart, shownBucket, shownRecord } from '@weft/engine/history';
import type { ValueBucket } from '@weft/engine/history';
import type { Queries } from '../db/queries.ts';
import type { TargetRow } from './row.ts';
import { shownSelectors } from './selectors.ts';

export type SeriesAsked = Input<AccountTable['targetHistory']['values']>['query'];

/** Points or buckets, and where they go on. */
export interface TargetSeries {
  readonly data: (TargetPoint | SeriesBucket)[];
  readonly nextCursor: string | undefined;
}

interface RecordRow {
  readonly number: number;
  readonly run_id: string;
  readonly created_at: Date;
  readonly body: { readonly value?: ValueBucket['last']; readonly text?: string };
}

/** Which records are meant. */
interface Wanted {
  readonly accountId: string;
  readonly target: number;
  readonly key: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly afterNumber: number;
}

const POINTS_DEFAULT = 500;
const READ_AT_ONCE = 500;
/** Characters of the records of one answer: whoever reads on asks again. */
const ANSWER_CHARS_MAX = 8_000_000;

/**
 * The series of a value of the target, oldest first. Throws AppError `bad_request` for an extractor without its selector, and where nothing was
 * kept of a value that is none of the target's.
 */
export async function seriesOf(queries: Queries, accountId: string, target: TargetRow, asked: SeriesAsked): Promise<TargetSeries> {
  const { selector_id: selectorId, extractor_id: extractorId, bucket, limit = POINTS_DEFAULT, since, until, cursor = 0 } = asked;
  if (selectorId === undefined && extractorId !== undefined)
    throw new AppError('bad_request', '"extractor_id" goes with the "selector_id" that it belongs to.');
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const bucketMs = bucket === undefined ? undefined : BUCKETS[bucket] * 1000;
  const wanted: Wanted = {
    accountId,
    target: target.number,
    key: valueKey(selectorId, extractorId),
    sinceMs: bucketMs === undefined ? sinceMs : bucketStart(sinceMs, bucketMs),
    // Nobody knows what is yet to come.
    untilMs: Math.min(Date.now(), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)),
    afterNumber: cursor,
  };
  const series = await (bucketMs === undefined ? readPoints(queries, wanted, limit) : readBuckets(queries, wanted, limit, bucketMs));
  if (series.data.length > 0 || cursor > 0) return series;
  const why = describeNoValue(shownSelectors(target.selectors, target.known, target.updated_at.getTime()), selectorId, extractorId);
  if (why === undefined) return series;
  throw new AppError('bad_request', why);
}

async function readPoints(queries: Queries, wanted: Wanted, limit: number): Promise<TargetSeries> {
  const data: TargetPoint[] = [];
  let last = wanted.afterNumber;
  let chars = 0;
  for await (const { number, run_id: runId, created_at: at, body } of recordsOf(queries, wanted)) {
    if (data.length >= limit || chars > ANSWER_CHARS_MAX) return { data, nextCursor: String(last) };
    const point = { at: at.toISOString(), run_id: runId, ...shownRecord(body) };
    chars += JSON.stringify(point).length;
    data.push(point);
    last = number;
  }
  return { data, nextCursor: undefined };
}

async function readBuckets(queries: Queries, wanted: Wanted, limit: number, bucketMs: number): Promise<TargetSeries> {
  const before = await lastBefore(queries, wanted);
  const series = new BucketedSeries(bucketMs, before && { atMs: before.created_at.getTime(), value: before.body.value });
  const data: SeriesBucket[] = [];
  let last = wanted.afterNumber;
  for await (const { number, created_at: at, body } of recordsOf(queries, wanted)) {
    const ended = series.take({ atMs: at.getTime(), value: body.value });
    if (ended) data.push(shownBucket(ended));
    if (data.length >= limit) return { data, nextCursor: String(last) };
    last = number;
  }
  const open = series.close(wanted.untilMs);
  return { data: open ? [...data, shownBucket(open)] : data, nextCursor: undefined };
}

const COLUMNS = 'SELECT number, run_id, created_at, body FROM target_record WHERE target = $1 AND account_id = $2 AND key = $3';

/** As it is shown: whoever asks for what they were shown finds it. */
const AT = `date_trunc('milliseconds', created_at)`;

async function* recordsOf({ rows }: Queries, { target, accountId, key, sinceMs, untilMs, afterNumber }: Wanted): AsyncGenerator<RecordRow> {
  for (let after = afterNumber; ;) {
    const slice = await rows<RecordRow>(
      `${COLUMNS} AND number > $4 AND ${AT} >= $5 AND ${AT} <= $6 ORDER BY number LIMIT ${READ_AT_ONCE}`,
      [target, accountId, key, after, new Date(sinceMs), new Date(untilMs)],
    );
    yield* slice;
    if (slice.length < READ_AT_ONCE) return;
    after = slice.at(-1)?.number ?? after;
  }
}

/** The record that says what the value was before the first that is meant. */
async function lastBefore({ find }: Queries, { target, accountId, key, sinceMs, afterNumber }: Wanted): Promise<RecordRow | undefined> {
  const [bound, value] = afterNumber > 0 ? ['number <= $4', afterNumber] : [`${AT} < $4`, new Date(sinceMs)];
  return await find<RecordRow>(`${COLUMNS} AND ${bound} ORDER BY number DESC LIMIT 1`, [target, accountId, key, value]);
}

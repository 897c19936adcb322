// How a value went that has a record for each time at which it became another. Read one by one, so that memory does not grow with them.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { AppError } from '@weft/contract';
import { BucketedSeries, TooManyBuckets, addUpStates, bucketStart } from '@weft/engine/history';
import type { RecordedState, StateDurations, ValueBucket } from '@weft/engine/history';

/** Which records are those of the value, and which of them are meant. */
interface ValueRecords {
  readonly datasetId: number;
  /** What the keys of its records begin with. */
  readonly keyStart: string;
  /** Epoch milliseconds: recorded from `sinceMs` to `untilMs`, both included; until then the last one holds. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface SeriesRequest extends ValueRecords {
  /** Milliseconds that are counted together; single points unless said, and then `sinceMs` is taken down to where a bucket begins. */
  readonly bucketMs: number | undefined;
  /** The last record of the answer before. */
  readonly afterId: number;
  readonly limit: number;
}

/** One record of the value. */
export interface ValuePoint {
  readonly id: number;
  readonly run_id: number;
  readonly created_at: number;
  /** JSON of an object with `value`, absent where there was none, and `text`. */
  readonly body: string;
}

/** Points or buckets, oldest first. */
export type SeriesResult = {
  /** Where the next answer goes on; undefined at the end. */
  readonly nextAfterId: number | undefined;
} & ({ readonly points: readonly ValuePoint[] } | { readonly buckets: readonly ValueBucket[] });

export interface StatesRequest extends Omit<ValueRecords, 'sinceMs'> {
  readonly sinceMs: number | undefined;
  readonly bucketMs: number | undefined;
}

/** Characters of the records of one answer: whoever reads on asks again. */
const ANSWER_CHARS_MAX = 8_000_000;
const FOREVER = Number.MIN_SAFE_INTEGER;

/** Up to `limit` points or buckets behind `afterId`. */
export function readSeries(database: DatabaseSync, request: SeriesRequest): SeriesResult {
  const { bucketMs } = request;
  if (bucketMs === undefined) return readPoints(database, request);
  return readBuckets(database, { ...request, sinceMs: bucketStart(request.sinceMs, bucketMs) }, bucketMs);
}

function readPoints(database: DatabaseSync, request: SeriesRequest): SeriesResult {
  const points: ValuePoint[] = [];
  let chars = 0;
  for (const point of pointsOf(database, request)) {
    if (points.length >= request.limit || chars > ANSWER_CHARS_MAX) return { points, nextAfterId: points.at(-1)?.id };
    chars += point.body.length;
    points.push(point);
  }
  return { points, nextAfterId: undefined };
}

function readBuckets(database: DatabaseSync, request: SeriesRequest, bucketMs: number): SeriesResult {
  const before = lastBefore(database, request);
  const series = new BucketedSeries(bucketMs, before && { atMs: before.created_at, value: valueOf(before) });
  const buckets: ValueBucket[] = [];
  let lastId = request.afterId;
  for (const point of pointsOf(database, request)) {
    const ended = series.take({ atMs: point.created_at, value: valueOf(point) });
    if (ended) buckets.push(ended);
    if (buckets.length >= request.limit) return { buckets, nextAfterId: lastId };
    lastId = point.id;
  }
  const open = series.close(request.untilMs);
  return { buckets: open ? [...buckets, open] : buckets, nextAfterId: undefined };
}

/** For how long the value was in each state: its member `state`. Throws AppError `bad_request` for values without any, and for more buckets than are counted. */
export function addUpSeriesStates(database: DatabaseSync, request: StatesRequest): StateDurations {
  const { sinceMs, untilMs, bucketMs } = request;
  const all = pointsOf(database, { ...request, sinceMs: FOREVER, afterId: 0 });
  try {
    return addUpStates(statesOf(all), { sinceMs, untilMs, bucketMs });
  } catch (error) {
    throw error instanceof TooManyBuckets ? new AppError('bad_request', error.message) : error;
  }
}

function* statesOf(points: Iterable<ValuePoint>): Generator<RecordedState> {
  for (const point of points) {
    const value = valueOf(point);
    const state = typeof value === 'object' && value !== null && 'state' in value ? value['state'] : undefined;
    if (value !== undefined && typeof state !== 'string')
      throw new AppError(
        'bad_request',
        'The value has no states; send the "extractor_id" of an availability, or no "selector_id" for the monitor itself.',
      );
    yield { atMs: point.created_at, state: typeof state === 'string' ? state : undefined };
  }
}

type Recorded = ValueBucket['last'];

function valueOf({ body }: ValuePoint): Recorded {
  return (JSON.parse(body) as { readonly value?: Recorded }).value;
}

const COLUMNS = 'SELECT id, run_id, created_at, body FROM record';
/** Numbers of records grow with time; by their keys they would have to be sorted first. */
const OF_VALUE = 'WHERE dataset_id = $datasetId AND substr(key, 1, length($keyStart)) = $keyStart';

function* pointsOf(
  database: DatabaseSync,
  { datasetId, keyStart, sinceMs, untilMs, afterId }: ValueRecords & Pick<SeriesRequest, 'afterId'>,
): Generator<ValuePoint> {
  const statement = database.prepare(
    `${COLUMNS} ${OF_VALUE} AND id > $afterId AND created_at >= $sinceMs AND created_at <= $untilMs ORDER BY id`,
  );
  const values: Record<string, SQLInputValue> = { datasetId, keyStart, sinceMs, untilMs, afterId };
  // The statement names the columns of a ValuePoint.
  for (const row of statement.iterate(values)) yield row as unknown as ValuePoint;
}

/** The record that says what the value was before the first that is meant. */
function lastBefore(database: DatabaseSync, { datasetId, keyStart, sinceMs, afterId }: SeriesRequest): ValuePoint | undefined {
  const isBefore = afterId > 0 ? 'id <= $bound' : 'created_at < $bound';
  const statement = database.prepare(`${COLUMNS} ${OF_VALUE} AND ${isBefore} ORDER BY id DESC LIMIT 1`);
  return statement.get({ datasetId, keyStart, bound: afterId > 0 ? afterId : sinceMs }) as ValuePoint | undefined;
}

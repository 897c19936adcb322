// How what a monitor watches went: values, states, hours, and feeds of what changed.
import { AppError, BUCKETS, LIMITS } from '@weft/contract';
import type { BucketName, Durations, MonitorHour, SeriesBucket, SeriesPoint } from '@weft/contract';
import { describeNoValue, valueKey } from '@weft/engine';
import type { Clock } from '@weft/engine';
import { TooManyBuckets, addUpStates, shownBucket, shownRecord } from '@weft/engine/history';
import type { RecordedState, StateDurations } from '@weft/engine/history';
import { atomFeed, toInstant } from '@weft/serve';
import type { DatasetReader } from '../../datasets/reader/reader.ts';
import type { ValuePoint } from '../../datasets/table/series.ts';
import type { Selectors } from '../../selectors/selector.ts';
import type { ChangeRow, MonitorStore } from '../store.ts';
import type { Asker, Diffs } from './diffs.ts';
import type { HistoryStore } from './history-store.ts';

/** Which value, of which time. */
export interface ValueAsked {
  readonly selector_id?: number | undefined;
  readonly extractor_id?: number | undefined;
  /** Instants. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly bucket?: BucketName | undefined;
}

export interface SeriesAsked extends ValueAsked {
  readonly limit?: number | undefined;
  readonly cursor?: number | undefined;
}

/** Points or buckets, and where they go on. */
export interface Series {
  readonly data: (SeriesPoint | SeriesBucket)[];
  readonly nextCursor: string | undefined;
}

/** Each throws AppError `not_found` for a monitor that there is not. */
export interface History {
  /** Throws AppError `bad_request` where nothing was kept of a value that is none of the monitor's. */
  values(monitorId: number, asked: SeriesAsked): Promise<Series>;
  /** Throws AppError `bad_request` for more buckets than are counted. */
  durations(monitorId: number, asked: ValueAsked): Promise<Durations>;
  /** Newest first. */
  hours(
    monitorId: number,
    asked: { readonly since?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): { readonly data: MonitorHour[]; readonly total: number };
  /** The feed of one monitor. */
  feedOf(monitorId: number, limit: number | undefined, origin: string, asker: Asker): Promise<string>;
  /** The feed of all, or of those with a tag. */
  feed(asked: { readonly tag?: string | undefined; readonly limit?: number | undefined }, origin: string, asker: Asker): Promise<string>;
}

export interface HistoryPorts {
  readonly store: HistoryStore;
  readonly monitors: Pick<MonitorStore, 'find' | 'changes'>;
  readonly selectors: Pick<Selectors, 'ofMonitor'>;
  readonly tables: Pick<DatasetReader['tables'], 'series' | 'states'>;
  readonly diffs: Diffs;
  readonly clock: Clock;
}

const SERIES_DEFAULT = 500;
const ENTRIES_DEFAULT = 20;

export function createHistory(ports: HistoryPorts): History {
  const { store, monitors, selectors, tables, diffs, clock } = ports;
  const requireRow = (id: number) => {
    const row = monitors.find(id);
    if (!row) throw new AppError('not_found', `There is no monitor ${id}.`);
    return row;
  };
  // Nobody knows what is yet to come.
  const untilOf = ({ until }: ValueAsked) => Math.min(clock.now(), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until));
  const feed = async (
    filter: { readonly monitorId?: number; readonly tag?: string | undefined },
    limit: number,
    { path, ...of }: { readonly title: string; readonly path: string; readonly page: string | undefined; readonly updatedMs: number },
    origin: string,
    asker: Asker,
  ) => {
    const { name } = store.feed();
    const entryOf = async (change: ChangeRow) => ({
      name: `${name}/x/monitors/changes/${change.id}`,
      of: change.monitor_name,
      kind: change.kind,
      summary: change.summary,
      atMs: change.created_at,
      page: change.url ?? undefined,
      difference: change.old === null && change.new === null ? undefined : `${origin}/x/monitors/changes/${change.id}/diff`,
      html: await diffs.inHtml(change, asker),
    });
    const entries = await Promise.all(monitors.changes(filter, limit, 0).map(entryOf));
    return atomFeed({ ...of, name: `${name}${path.replace(/\?.*$/s, tagged)}`, self: `${origin}${path}` }, entries);
  };
  return {
    async values(id, { limit = SERIES_DEFAULT, cursor = 0, ...asked }) {
      const { dataset_id: datasetId } = requireRow(id);
      const result = await tables.series({
        datasetId,
        keyStart: keyStartOf(asked),
        sinceMs: asked.since === undefined ? 0 : Date.parse(asked.since),
        untilMs: untilOf(asked),
        bucketMs: bucketMsOf(asked),
        afterId: cursor,
        limit,
      });
      const data = 'points' in result ? result.points.map(toPoint) : result.buckets.map(shownBucket);
      const why =
        data.length === 0 && cursor === 0 ? describeNoValue(selectors.ofMonitor(id), asked.selector_id, asked.extractor_id) : undefined;
      if (why !== undefined) throw new AppError('bad_request', why);
      return { data, nextCursor: result.nextAfterId === undefined ? undefined : String(result.nextAfterId) };
    },
    async durations(id, asked) {
      const { dataset_id: datasetId, created_at: createdMs } = requireRow(id);
      const bounds = {
        sinceMs: asked.since === undefined ? undefined : Date.parse(asked.since),
        untilMs: untilOf(asked),
        bucketMs: bucketMsOf(asked),
      };
      const isOfValue = asked.selector_id !== undefined || asked.extractor_id !== undefined;
      const found = isOfValue
        ? await tables.states({ datasetId, keyStart: keyStartOf(asked), ...bounds })
        : addUp(standingsOf(createdMs, store.standings(id)), bounds);
      return toDurations(found, isOfValue ? 'availability' : 'monitor', bounds.untilMs, bounds.bucketMs !== undefined);
    },
    hours(id, { since, limit = LIMITS.listLimitDefault, offset = 0 }) {
      requireRow(id);
      const sinceMs = since === undefined ? 0 : Math.floor(Date.parse(since) / 3_600_000) * 3_600_000;
      const data = store.hours(id, sinceMs, limit, offset).map(({ hour_at, checks, unchanged, trouble, duration_ms }) => ({
        hour: toInstant(hour_at),
        checks,
        unchanged,
        trouble,
        mean_ms: Math.round(duration_ms / checks),
      }));
      return { data, total: store.countHours(id, sinceMs) };
    },
    async feedOf(id, limit = ENTRIES_DEFAULT, origin, asker) {
      const { name, url, created_at: updatedMs } = requireRow(id);
      const of = { title: `Changes of ${name}`, path: `/x/monitors/${id}/atom`, page: url ?? undefined, updatedMs };
      return await feed({ monitorId: id }, limit, of, origin, asker);
    },
    async feed({ tag, limit = ENTRIES_DEFAULT }, origin, asker) {
      const title = tag === undefined ? 'Changes of all monitors' : `Changes of monitors with the tag ${tag}`;
      const path = `/x/monitors/atom${tag === undefined ? '' : `?${new URLSearchParams({ tag })}`}`;
      return await feed({ tag }, limit, { title, path, page: undefined, updatedMs: store.feed().created_at }, origin, asker);
    },
  };
}

/** A tag URI has no part for a query (RFC 4151, section 2.1): what narrows the feed is part of its path. */
function tagged(query: string): string {
  return [...new URLSearchParams(query)].flatMap(([name, value]) => (name === 'tag' ? [`/tag/${encodeURIComponent(value)}`] : [])).join('');
}

/** What the keys of the records of a value begin with. Throws AppError `bad_request` for an extractor without its selector. */
function keyStartOf({ selector_id: selectorId, extractor_id: extractorId }: ValueAsked): string {
  if (selectorId === undefined && extractorId !== undefined)
    throw new AppError('bad_request', '"extractor_id" goes with the "selector_id" that it belongs to.');
  return `${valueKey(selectorId, extractorId)}@`;
}

function bucketMsOf({ bucket }: ValueAsked): number | undefined {
  return bucket === undefined ? undefined : BUCKETS[bucket] * 1000;
}

function toPoint({ run_id, created_at, body }: ValuePoint): SeriesPoint {
  return { at: toInstant(created_at), run_id, ...shownRecord(JSON.parse(body) as Parameters<typeof shownRecord>[0]) };
}

function* standingsOf(createdMs: number, told: ReturnType<HistoryStore['standings']>): Generator<RecordedState> {
  yield { atMs: createdMs, state: 'ok' };
  for (const { kind, created_at: atMs } of told) yield { atMs, state: kind === 'recovered' ? 'ok' : kind };
}

function addUp(...[states, bounds]: Parameters<typeof addUpStates>): StateDurations {
  try {
    return addUpStates(states, bounds);
  } catch (error) {
    throw error instanceof TooManyBuckets ? new AppError('bad_request', error.message) : error;
  }
}

function toDurations(
  { fromMs, total, spans, spansLeftOut, buckets }: StateDurations,
  of: Durations['of'],
  untilMs: number,
  hasBuckets: boolean,
): Durations {
  const all = [...total.values()].reduce((sum, ms) => sum + ms, 0);
  return {
    of,
    from: toInstant(fromMs ?? untilMs),
    until: toInstant(untilMs),
    total: [...total].toSorted(([, a], [, b]) => b - a).map(([state, ms]) => ({ state, seconds: ms / 1000, share: ms / all })),
    spans: spans.map(({ state, fromMs: from, toMs: to }) => ({ state, from: toInstant(from), to: toInstant(to) })),
    spans_left_out: spansLeftOut,
    ...(hasBuckets
      ? {
          buckets: [...buckets].map(([atMs, states]) => ({
            at: toInstant(atMs),
            states: Object.fromEntries([...states].map(([state, ms]) => [state, ms / 1000])),
          })),
        }
      : {}),
  };
}

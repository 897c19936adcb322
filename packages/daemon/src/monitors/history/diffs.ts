// Differences of two snapshots, and of what a change tells.
import { AppError } from '@weft/contract';
import type { DiffForm, DiffRender, HistoryDiff, SnapshotValue } from '@weft/contract';
import { PageError, feedComparison, sideOf, valueKey } from '@weft/engine';
import type { Comparison, DiffResult, RenderForm, Side, ViewReader } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { ChangeRow, MonitorStore } from '../store.ts';
import { compareBodies, compareValues } from './comparison.ts';
import type { Body } from './comparison.ts';
import type { SnapshotRow } from './snapshot-store.ts';
import { bytesOf } from './snapshot.ts';
import type { Snapshots } from './snapshot.ts';

/** How a difference is wanted. */
export interface DiffWish {
  readonly as?: DiffForm | undefined;
  readonly render?: DiffRender | undefined;
}

/** Which snapshots are compared, and what of them. */
export interface SnapshotsToCompare extends DiffWish {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly part?: 'values' | 'body' | undefined;
  readonly selector_id?: number | undefined;
  readonly extractor_id?: number | undefined;
}

/** A difference, and as it is written where that was asked for. */
export interface WrittenDiff {
  readonly diff: HistoryDiff;
  readonly text: string | undefined;
  readonly picture: Uint8Array | undefined;
}

/** Whoever asks, who has its turn among others. */
export interface Asker {
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Each throws AppError: `not_found` for what is not kept, `bad_request` for what can't be compared so. */
export interface Diffs {
  ofSnapshots(monitorId: number, asked: SnapshotsToCompare, asker: Asker): Promise<WrittenDiff>;
  ofChange(id: number, wish: DiffWish, asker: Asker): Promise<WrittenDiff>;
  /** What a change tells beyond its summary, as HTML; undefined where that is nothing, or too much for a feed. */
  inHtml(change: ChangeRow, asker: Asker): Promise<string | undefined>;
}

export interface DiffPorts {
  readonly store: Pick<MonitorStore, 'change'>;
  readonly snapshots: Snapshots;
  readonly views: ViewReader;
}

export function createDiffs({ store, snapshots, views }: DiffPorts): Diffs {
  const run = async (comparison: Comparison, render: DiffRender | undefined, { id, signal }: Asker): Promise<DiffResult> => {
    const forms = render === undefined || render === 'png' ? [] : [render];
    try {
      return (await views.run('diff', { comparison, render: forms }, signal, id)).result;
    } catch (error) {
      if (error instanceof PageError && error.code !== 'aborted' && error.code !== 'internal')
        throw new AppError('bad_request', error.message);
      throw error;
    }
  };
  const write = async (
    of: Omit<HistoryDiff, 'difference'>,
    comparison: Comparison,
    { as, render }: DiffWish,
    asker: Asker,
  ): Promise<WrittenDiff> => {
    if (render === 'png' && as !== 'picture') throw new AppError('bad_request', '"render": "png" is for "as": "picture".');
    const { difference, rendered, picture } = await run(comparison, render, asker);
    return { diff: { ...of, difference }, text: rendered[render as RenderForm], picture: render === 'png' ? picture : undefined };
  };
  return {
    async ofSnapshots(monitorId, asked, asker) {
      const [old, fresh] = pairOf(monitorId, asked, snapshots);
      const comparison = await compareSnapshots(old, fresh, asked, snapshots);
      return await write({ monitor_id: monitorId, old: toSide(old), new: toSide(fresh) }, comparison, asked, asker);
    },
    async ofChange(id, wish, asker) {
      const change = store.change(id);
      if (!change) throw new AppError('not_found', `There is no change ${id}.`);
      const fresh = snapshots.ofRun(change.run_id);
      const old = fresh && snapshots.newest(change.monitor_id, fresh.id);
      const comparison = await compareChange(change, [old, fresh], wish.as, snapshots);
      const { monitor_id, run_id } = change;
      const of = {
        monitor_id,
        change_id: id,
        old: old ? toSide(old) : {},
        new: fresh ? toSide(fresh) : { run_id, at: toInstant(change.created_at) },
      };
      return await write(of, comparison, wish, asker);
    },
    async inHtml(change, asker) {
      const comparison = feedComparison(change.kind, change.old, change.new);
      return comparison && (await run(comparison, 'html', asker)).rendered.html;
    },
  };
}

function toSide({ id, run_id, created_at }: SnapshotRow): HistoryDiff['old'] {
  return { snapshot_id: id, run_id, at: toInstant(created_at) };
}

function pairOf(monitorId: number, { from, to }: SnapshotsToCompare, snapshots: Snapshots): readonly [SnapshotRow, SnapshotRow] {
  const fresh = to === undefined ? snapshots.newest(monitorId) : snapshots.requireRow(monitorId, to);
  if (!fresh) throw new AppError('not_found', `No snapshot of monitor ${monitorId} is kept.`);
  const old = from === undefined ? snapshots.newest(monitorId, fresh.id) : snapshots.requireRow(monitorId, from);
  if (!old) throw new AppError('not_found', `No snapshot of monitor ${monitorId} is kept from before ${fresh.id}.`);
  return [old, fresh];
}

async function compareSnapshots(
  old: SnapshotRow,
  fresh: SnapshotRow,
  { as, part, selector_id: selectorId, extractor_id: extractorId }: SnapshotsToCompare,
  snapshots: Snapshots,
): Promise<Comparison> {
  if (as === 'picture') return await comparePictures(old, fresh, snapshots);
  const key = selectorId === undefined && extractorId !== undefined ? undefined : valueKey(selectorId, extractorId);
  if (key === undefined) throw new AppError('bad_request', '"extractor_id" goes with the "selector_id" that it belongs to.');
  if (part === 'body') {
    const [was, is] = await Promise.all([old, fresh].map(({ id }) => bodyOf(id, snapshots)));
    return compareBodies(was as Body, is as Body, as);
  }
  const [was, is] = await Promise.all([old, fresh].map(({ id }) => valueIn(id, key, snapshots)));
  if (!was && !is)
    throw new AppError('not_found', `Neither snapshot has the value "${key}"; GET a snapshot to see which it has, and send "selector_id".`);
  return compareValues(shownSide(was), shownSide(is), as);
}

/** A snapshot has the text of a value; of one that is no more the change itself has the value. */
async function compareChange(
  { id, kind, monitor_id, selector_id, extractor_id, old, new: fresh }: ChangeRow,
  [before, after]: readonly [SnapshotRow | undefined, SnapshotRow | undefined],
  as: DiffForm | undefined,
  snapshots: Snapshots,
): Promise<Comparison> {
  if (as === 'picture') {
    if (before && after) return await comparePictures(before, after, snapshots);
    throw new AppError('not_found', `The snapshots of change ${id} of monitor ${monitor_id} are kept no more.`);
  }
  if (old === null && fresh === null) throw new AppError('not_found', `Change ${id} is of the kind "${kind}" and compares no value.`);
  const key = valueKey(selector_id ?? undefined, extractor_id ?? undefined);
  const side = async (snapshot: SnapshotRow | undefined, json: string | null): Promise<Side> => {
    const kept = snapshot && (await valueIn(snapshot.id, key, snapshots));
    const isSame = kept && (kept.value === undefined ? null : JSON.stringify(kept.value)) === json;
    return isSame ? shownSide(kept) : sideOf(parsed(json));
  };
  return compareValues(await side(before, old), await side(after, fresh), as);
}

async function comparePictures(old: SnapshotRow, fresh: SnapshotRow, snapshots: Snapshots): Promise<Comparison> {
  const [was, is] = await Promise.all([old, fresh].map(({ id }) => pictureOf(id, snapshots)));
  return { kind: 'pictures', old: was as Uint8Array, new: is as Uint8Array };
}

/** The picture of the page, or the page itself where it is one. */
async function pictureOf(id: number, snapshots: Snapshots): Promise<Uint8Array> {
  const body = snapshots.content(id, 'body');
  const found = snapshots.content(id, 'picture') ?? (body?.content_type.startsWith('image/') === true ? body : undefined);
  if (!found) throw new AppError('not_found', `Snapshot ${id} has no picture; set "screenshot" of the monitor for those to come.`);
  return await bytesOf(found);
}

async function bodyOf(id: number, snapshots: Snapshots): Promise<Body> {
  const found = snapshots.content(id, 'body');
  if (!found) throw new AppError('not_found', `Snapshot ${id} has no body.`);
  return { bytes: await bytesOf(found), contentType: found.content_type };
}

async function valueIn(id: number, key: string, snapshots: Snapshots): Promise<SnapshotValue | undefined> {
  return (await snapshots.valuesOf(id)).find(({ selector_id, extractor_id }) => valueKey(selector_id, extractor_id) === key);
}

function shownSide(value: SnapshotValue | undefined): Side {
  // What was kept is JSON.
  return value ? { value: value.value as Side['value'], text: value.compared } : sideOf(undefined);
}

function parsed(json: string | null): Side['value'] {
  return json === null ? undefined : (JSON.parse(json) as Side['value']);
}

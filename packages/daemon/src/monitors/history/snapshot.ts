// Snapshots: what a check saw that found something new, kept by content for as long as it is among the newest of its monitor.
import { AppError, LIMITS } from '@weft/contract';
import type { Snapshot, SnapshotPartName, SnapshotValue, SnapshotWithValues } from '@weft/contract';
import { snapshotOf } from '@weft/engine';
import type { CheckOutcome } from '@weft/engine';
import { toInstant } from '@weft/serve';
import type { BlobDraft, Blobs } from '../../blobs/blob.ts';
import type { PartRow, SnapshotRow, SnapshotStore } from './snapshot-store.ts';

/** What a check saw, safely on disk, before it is known whether the check is kept. */
export interface SnapshotDraft {
  readonly url: string;
  readonly parts: readonly { readonly part: SnapshotPartName; readonly contentType: string; readonly content: BlobDraft }[];
}

/** A content of a snapshot. */
export interface SnapshotContent extends PartRow {
  /** Its bytes from the first to the last. Throws DamagedContent. */
  read(): AsyncGenerator<Uint8Array>;
}

export interface Snapshots {
  /** Undefined where the check found nothing new. Throws AppError `device_capacity`. */
  prepare(outcome: CheckOutcome): Promise<SnapshotDraft | undefined>;
  /** Keeps a snapshot in one transaction with what `also` writes, then lets older ones of the monitor go. */
  keep<T>(draft: SnapshotDraft, of: Pick<SnapshotRow, 'monitor_id' | 'run_id' | 'created_at'>, also: () => T): T;
  discard(draft: SnapshotDraft): void;
  /** Runs `also`, which deletes the monitor, and deletes the contents of its snapshots. */
  deleteWith<T>(monitorId: number, also: () => T): T;
  /** Deletes all that are beyond what is kept. */
  prune(): void;
  /** Newest first. */
  list(
    monitorId: number,
    slice: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  ): { readonly data: Snapshot[]; readonly total: number };
  /** Throws AppError `not_found`, also for one of another monitor. */
  requireRow(monitorId: number, id: number): SnapshotRow;
  /** Throws AppError `not_found`. */
  require(monitorId: number, id: number): Promise<SnapshotWithValues>;
  /** The newest of a monitor, or the one before another. */
  newest(monitorId: number, beforeId?: number): SnapshotRow | undefined;
  ofRun(runId: number): SnapshotRow | undefined;
  /** Undefined where the snapshot has no such part. Throws AppError `not_found` where its bytes are gone. */
  content(id: number, part: SnapshotPartName): SnapshotContent | undefined;
  /** Throws AppError `not_found`. */
  requireContent(monitorId: number, id: number, part: SnapshotPartName): SnapshotContent;
  valuesOf(id: number): Promise<readonly SnapshotValue[]>;
}

export interface SnapshotPorts {
  readonly store: SnapshotStore;
  readonly blobs: Blobs;
  /** Newest snapshots that are kept of each monitor. */
  readonly kept: number;
}

export function createSnapshots({ store, blobs, kept }: SnapshotPorts): Snapshots {
  const requireRow = (monitorId: number, id: number): SnapshotRow => {
    const row = store.find(id);
    if (row?.monitor_id !== monitorId) throw new AppError('not_found', `Monitor ${monitorId} has no snapshot ${id}.`);
    return row;
  };
  const show = (row: SnapshotRow): Snapshot => shown(row, store.parts(row.id));
  const remove = (id: number) => blobs.release(store.blobsOf(id), () => store.delete(id));
  const trim = (monitorId: number) => {
    for (const id of store.beyond(monitorId, kept)) remove(id);
  };
  const content: Snapshots['content'] = (id, part) => {
    const row = store.parts(id).find((one) => one.part === part);
    if (!row) return undefined;
    const blob = blobs.find(row.blob_hash);
    if (!blob || !blobs.exists(row.blob_hash))
      throw new AppError('not_found', `The bytes of the ${part} of snapshot ${id} are gone from the disk.`);
    return { ...row, read: () => blobs.read(blob, { start: 0, end: blob.bytes - 1 }) };
  };
  const valuesOf = async (id: number) => {
    const found = content(id, 'values');
    return found ? (JSON.parse(new TextDecoder().decode(await bytesOf(found))) as readonly SnapshotValue[]) : [];
  };
  return {
    prepare: (outcome) => prepare(outcome, blobs),
    keep(draft, of, also) {
      const result = keepAll(draft.parts, blobs, (parts) => {
        store.insert({ ...of, url: draft.url }, parts);
        return also();
      });
      trim(of.monitor_id);
      return result;
    },
    discard({ parts }) {
      for (const part of parts) blobs.discard(part.content);
    },
    deleteWith: (monitorId, also) => blobs.release(store.blobsOfMonitor(monitorId), also),
    prune() {
      for (const id of store.monitorsWithMore(kept)) trim(id);
    },
    list: (monitorId, { limit = LIMITS.listLimitDefault, offset = 0 }) => ({
      data: store.list(monitorId, limit, offset).map(show),
      total: store.count(monitorId),
    }),
    requireRow,
    require: async (monitorId, id) => ({ ...show(requireRow(monitorId, id)), values: [...(await valuesOf(id))] }),
    newest: (monitorId, beforeId) => store.newest(monitorId, beforeId),
    ofRun: (runId) => store.ofRun(runId),
    content,
    requireContent(monitorId, id, part) {
      const found = content(requireRow(monitorId, id).id, part);
      if (!found) throw new AppError('not_found', `Snapshot ${id} has no ${part}.`);
      return found;
    },
    valuesOf,
  };
}

/** All bytes of a content. Throws DamagedContent. */
export async function bytesOf(content: SnapshotContent): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(content.read()));
}

async function prepare(outcome: CheckOutcome, blobs: Blobs): Promise<SnapshotDraft | undefined> {
  const seen = snapshotOf(outcome);
  if (!seen) return undefined;
  const parts: SnapshotDraft['parts'][number][] = [];
  try {
    for (const { part, contentType, bytes } of seen.parts) parts.push({ part, contentType, content: await blobs.write(inOnePiece(bytes)) });
  } catch (error) {
    for (const { content } of parts) blobs.discard(content);
    throw error;
  }
  return { url: seen.url, parts };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Moves each content to its place, all in the one transaction in which `also` writes what uses them. */
function keepAll<T>(
  [first, ...rest]: SnapshotDraft['parts'],
  blobs: Blobs,
  also: (parts: readonly Omit<PartRow, 'bytes'>[]) => T,
  kept: readonly Omit<PartRow, 'bytes'>[] = [],
): T {
  if (!first) return also(kept);
  return blobs.keep(first.content, (hash) =>
    keepAll(rest, blobs, also, [...kept, { part: first.part, content_type: first.contentType, blob_hash: hash }]),
  );
}

function shown({ id, monitor_id, run_id, url, created_at }: SnapshotRow, parts: readonly PartRow[]): Snapshot {
  return {
    id,
    monitor_id,
    run_id,
    url,
    parts: parts.map(({ part, content_type, bytes, blob_hash: sha256 }) => ({ part, content_type, bytes, sha256 })),
    created_at: toInstant(created_at),
  };
}

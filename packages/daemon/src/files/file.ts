// Files: bytes that were uploaded or written from data, kept once however often they come.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError, LIMITS } from '@weft/contract';
import type { FileDescriptor, FileFormat, FileFromData } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { BlobDraft, Blobs } from '../blobs/blob.ts';
import type { ByteRange } from '../blobs/contents.ts';
import type { Datasets } from '../datasets/dataset.ts';
import { toInstant } from '@weft/serve';
import { FILE_FORMS } from './form.ts';
import { dataFileName, safeContentType, safeFileName } from './name.ts';
import { writeParquet } from './parquet.ts';
import type { FileRow, FileStore } from './store.ts';
import { receiveUpload } from './upload.ts';

export interface Files {
  list(page: { readonly limit?: number | undefined; readonly offset?: number | undefined }): {
    readonly data: FileDescriptor[];
    readonly total: number;
  };
  /** Throws AppError `not_found`. */
  require(id: string): FileDescriptor;
  /** Takes the first file of a form; nothing stays of one that fails. Throws AppError `bad_request`, TransportError 413. */
  receive(body: AsyncIterable<Uint8Array>, contentType: string): Promise<FileDraft>;
  /** Writes the records of a dataset or of a workflow. Throws AppError `not_found`, `bad_request`. */
  write(input: FileFromData, signal?: AbortSignal): Promise<FileDraft>;
  /** Makes a file of what was received or written. Throws AppError `device_capacity`. */
  keep(draft: FileDraft): FileDescriptor;
  discard(draft: FileDraft): void;
  /** Keeps bytes that a run brought. Throws AppError `device_capacity`. */
  keepOfRun(
    file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array },
    runId: number,
  ): Promise<FileDescriptor>;
  /** Keeps a picture of what a selector of a monitor finds, instead of the one before. Throws AppError `device_capacity`. */
  keepOfSelector(
    file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array },
    selectorId: number,
  ): Promise<FileDescriptor>;
  /** Ids of pictures of selectors that are gone, and of those from before `beforeMs`. */
  ofNoSelector(beforeMs: number): readonly string[];
  /** What a run brought, oldest first. */
  ofRun(runId: number): readonly FileDescriptor[];
  /** Ids of files that runs brought which are gone. */
  ofNoRun(): readonly string[];
  /** Throws AppError `not_found`. */
  delete(id: string): void;
  /** Throws AppError `not_found`, also where the bytes are gone. */
  requireContent(id: string): FileContent;
  /** Reads all bytes; the files whose bytes are damaged or gone. */
  verify(signal: AbortSignal): Promise<{ readonly contents: number; readonly bytes: number; readonly damaged: FileDescriptor[] }>;
}

/** What is on disk already, and how it will be called. */
export interface FileDraft extends Pick<FileRow, 'name' | 'content_type' | 'source_kind' | 'source_id'> {
  readonly content: BlobDraft;
}

export interface FileContent {
  readonly file: FileDescriptor;
  read(range: ByteRange): AsyncGenerator<Uint8Array>;
}

export interface FilePorts {
  readonly store: FileStore;
  readonly blobs: Blobs;
  readonly datasets: Datasets;
  /** Where the rows of a workflow are. Throws AppError `not_found`. */
  datasetOfWorkflow(id: number): number;
  readonly clock: Clock;
  /** Where programs may put what they need for a moment. */
  readonly scratch: string;
}

export function createFiles({ store, blobs, datasets, datasetOfWorkflow, clock, scratch }: FilePorts): Files {
  const requireRow = (id: string): FileRow => {
    const row = store.find(id);
    if (!row) throw new AppError('not_found', `There is no file "${id.slice(0, 60)}".`);
    return row;
  };
  const keep = ({ content, ...file }: FileDraft): FileDescriptor => {
    const row = { ...file, id: `file_${randomBytes(12).toString('hex')}`, created_at: clock.now() };
    blobs.keep(content, (hash) => store.insert({ ...row, blob_hash: hash }));
    return toDescriptor(requireRow(row.id));
  };
  const keepOf = async (
    { name, contentType, bytes }: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array },
    source_kind: 'run' | 'selector',
    source_id: number,
  ): Promise<FileDescriptor> => {
    const content = await blobs.write(Readable.from([bytes]));
    return keep({ content, name: safeFileName(name), content_type: contentType, source_kind, source_id });
  };
  const remove = ({ id, blob_hash }: FileRow) => blobs.release([blob_hash], () => store.delete(id));
  return {
    list(page) {
      return { data: store.list(page.limit ?? LIMITS.listLimitDefault, page.offset ?? 0).map(toDescriptor), total: store.count() };
    },
    require: (id) => toDescriptor(requireRow(id)),
    async receive(body, contentType) {
      const take = async (part: Parameters<Parameters<typeof receiveUpload>[2]>[0]) => ({
        content: await blobs.write(part.content),
        name: safeFileName(part.name),
        content_type: safeContentType(part.contentType),
      });
      const taken = await receiveUpload(body, contentType, take, ({ content }) => blobs.discard(content));
      return { ...taken, source_kind: 'upload', source_id: null };
    },
    keep,
    discard: ({ content }) => blobs.discard(content),
    async write(input, signal) {
      const { workflow_id, format } = input;
      // Exactly one of the two is there.
      const id = input.dataset_id ?? datasetOfWorkflow(workflow_id ?? 0);
      const { extension, type } = FILE_FORMS[format];
      const { name: dataset } = datasets.require(id);
      const name = input.name === undefined ? dataFileName(dataset, extension) : safeFileName(input.name);
      const rows = (as: Exclude<FileFormat, 'parquet'>) => datasets.export(id, { ...input, format: as }, signal);
      const content = await blobs.write(format === 'parquet' ? writeParquet(rows('jsonl'), scratch) : rows(format));
      const source =
        workflow_id === undefined
          ? ({ source_kind: 'dataset', source_id: id } as const)
          : ({ source_kind: 'workflow', source_id: workflow_id } as const);
      return { content, name, content_type: type, ...source };
    },
    keepOfRun: (file, runId) => keepOf(file, 'run', runId),
    async keepOfSelector(file, selectorId) {
      const before = store.ofSource('selector', selectorId);
      const kept = await keepOf(file, 'selector', selectorId);
      for (const row of before) remove(row);
      return kept;
    },
    ofNoSelector: (beforeMs) => store.ofNoSelector(beforeMs),
    ofRun: (runId) => store.ofSource('run', runId).map(toDescriptor),
    ofNoRun: () => store.ofNoRun(),
    delete: (id) => remove(requireRow(id)),
    requireContent(id) {
      const row = requireRow(id);
      const blob = blobs.find(row.blob_hash);
      if (!blob || !blobs.exists(row.blob_hash))
        throw new AppError('not_found', `The bytes of file "${id}" are gone from the disk; delete it, and upload or export it again.`);
      return { file: toDescriptor(row), read: (range) => blobs.read(blob, range) };
    },
    async verify(signal) {
      const { damaged, ...read } = await blobs.verify(signal);
      return { ...read, damaged: damaged.flatMap((hash) => store.withContent(hash).map(toDescriptor)) };
    },
  };
}

function toDescriptor(row: FileRow): FileDescriptor {
  return {
    id: row.id,
    name: row.name,
    content_type: row.content_type,
    bytes: row.bytes,
    sha256: row.blob_hash,
    source: { kind: row.source_kind, ...(row.source_id === null ? {} : { id: row.source_id }) },
    created_at: toInstant(row.created_at),
  };
}

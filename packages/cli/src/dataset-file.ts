// Brings the records of a dataset to a file or to standard output.
import type { FileDescriptor, FileFormat } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from './context.ts';
import { download } from './download.ts';

/** The formats that the agent streams; the others come from a file that it writes first. */
const STREAMED = new Set<FileFormat>(['json', 'csv', 'markdown', 'html']);

/** Which records, and how they are written. */
export interface DatasetExport {
  readonly format: FileFormat;
  readonly run_id?: number;
  readonly snapshot?: 'all';
  /** The columns, in this order. */
  readonly fields?: readonly string[] | undefined;
  /** Of pages, a row for each item of the best list of each. */
  readonly rows?: 'items';
  readonly spreadsheet_safe?: boolean;
  readonly bom?: boolean;
}

/** Writes dataset `id` to `file`; the number of bytes. */
export async function exportDataset(
  client: AgentClient,
  context: CommandContext,
  id: number,
  { fields, ...input }: DatasetExport,
  file: string | undefined,
): Promise<number> {
  const { signal } = context;
  const path = `/v1/datasets/${id}/export`;
  if (STREAMED.has(input.format)) {
    const query = { ...input, ...(fields ? { fields: fields.join(',') } : {}) };
    return await download(context, await client.transport.send({ method: 'GET', path, query, signal }), file);
  }
  // The agent's file is only the way here, so it does not stay.
  const body = { dataset_id: id, ...input, ...(fields ? { fields: [...fields] } : {}) };
  const written: FileDescriptor = await client.files.fromData(body, { signal });
  try {
    return await download(context, await client.transport.send({ method: 'GET', path: `/v1/files/${written.id}/content`, signal }), file);
  } finally {
    await client.files.delete({ id: written.id });
  }
}

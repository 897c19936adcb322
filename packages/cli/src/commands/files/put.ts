// weft file put <path>: uploads a file.
import { constants, openAsBlob } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { FileDescriptor } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

/** What a name says of the content (https://www.iana.org/assignments/media-types). */
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.jsonl': 'application/x-ndjson',
  '.md': 'text/markdown',
  '.parquet': 'application/vnd.apache.parquet',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};
const UNKNOWN_TYPE = 'application/octet-stream';

export const run: CommandRun = async (context, [path = ''], options) => {
  const type = typeof options['type'] === 'string' ? options['type'] : (TYPES[extname(path).toLowerCase()] ?? UNKNOWN_TYPE);
  const blob = await openFile(path, type);
  const form = new FormData();
  form.set('file', blob, basename(path));
  const client = await context.client();
  const response = await client.transport.send({ method: 'POST', path: '/v1/files', body: form, signal: context.signal });
  // What the operation declares; the agent has checked it.
  const file = (await response.json()) as FileDescriptor;
  const { source: _source, ...facts } = file;
  context.show(file, pairs(Object.entries(facts)));
};

async function openFile(path: string, type: string): Promise<Blob> {
  try {
    await access(path, constants.R_OK);
    if (!(await stat(path)).isDirectory()) return await openAsBlob(path, { type });
  } catch (error) {
    throw unreadable(path, REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message);
  }
  throw unreadable(path, 'it is a folder');
}

/** What the system's codes mean to whoever named the file. */
const REASONS: Readonly<Record<string, string>> = { EACCES: 'you may not read it', ENOENT: 'there is no such file' };

function unreadable(path: string, reason: string): CommandError {
  return new CommandError(`${path} can't be read: ${reason}.`, { exitCode: EXIT.usage, code: 'bad_request' });
}

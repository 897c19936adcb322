// weft monitor import <file>
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MONITOR_FORMATS } from '../../import-formats.ts';
import type { FileDescriptor, ImportMonitors, ImportedMonitors } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import { lineText } from '../../cell.ts';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

const LINE_MAX = 300;
/** Of what is left out so many lines are shown; all of them with --json. */
const SHOWN_MAX = 50;

export const run: CommandRun = async (context, [path = ''], options) => {
  const format = MONITOR_FORMATS.find((each) => each === options['format']);
  const isDry = options['dryRun'] === true;
  const bytes = await bytesOf(path);
  const client = await context.client();
  const order = { ...(format === undefined ? {} : { format }), ...(isDry ? { dry_run: true } : {}) };
  const made = isArchive(bytes)
    ? await importArchive(bytes, basename(path), order, client, context)
    : await client.monitors.import({ ...order, content: bytes.toString() }, { signal: context.signal });
  context.show(made, wordsOf(made, isDry));
};

async function bytesOf(path: string): Promise<Buffer> {
  const reading = path === '-' ? buffer(process.stdin) : readFile(path);
  const bytes = await reading.catch((error: NodeJS.ErrnoException) => {
    throw refusal(error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} can't be read: ${error.message}.`);
  });
  if (bytes.length === 0) throw refusal(`${path} is empty.`);
  return bytes;
}

function refusal(sentence: string): CommandError {
  return new CommandError(sentence, { exitCode: EXIT.usage, code: 'bad_request' });
}

/** As a ZIP archive begins. */
function isArchive(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));
}

/** A backup holds a history and may be large: it goes to the agent as a file, which is deleted after. */
async function importArchive(
  bytes: Buffer<ArrayBufferLike>,
  name: string,
  order: Omit<ImportMonitors, 'content' | 'file_id'>,
  client: AgentClient,
  { signal }: CommandContext,
): Promise<ImportedMonitors> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), name);
  const response = await client.transport.send({ method: 'POST', path: '/v1/files', body: form, signal });
  // What the operation declares; the agent has checked it.
  const { id } = (await response.json()) as FileDescriptor;
  try {
    return await client.monitors.import({ ...order, file_id: id }, { signal });
  } finally {
    await client.files.delete({ id });
  }
}

function wordsOf({ format, monitors, tags, channels, automations, left_out: leftOut }: ImportedMonitors, isDry: boolean): string {
  const paused = monitors.filter(({ monitor }) => monitor.active === false).length;
  const counts = `${monitors.length} ${monitors.length === 1 ? 'monitor' : 'monitors'}${paused > 0 ? `, ${paused} of them paused` : ''}`;
  const named = tags.length > 0 ? `, with the tags ${tags.map(({ name }) => name).join(', ')}` : '';
  const others = [countOf(channels, 'channel'), countOf(automations, 'automation')].join('');
  const head = `${isDry ? 'Would make' : 'Made'} ${counts}${others} from ${format}${named}.`;
  const lines = leftOut.slice(0, SHOWN_MAX).map(({ path, message }) => `left out: ${lineText(`${path}: ${message}`, LINE_MAX)}`);
  const more = leftOut.length > SHOWN_MAX ? [`and ${leftOut.length - SHOWN_MAX} more: --json lists them all`] : [];
  const next = isDry || monitors.length === 0 ? [] : ['weft monitor list'];
  return [head, ...lines, ...more, ...next].join('\n');
}

function countOf(all: readonly unknown[], noun: string): string {
  return all.length === 0 ? '' : `, ${all.length} ${noun}${all.length === 1 ? '' : 's'}`;
}

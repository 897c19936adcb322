// Where exported data may go: what a terminal and one JSON document can take.
import type { FileFormat } from '@weft/contract';
import type { CommandContext } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { namesOf } from './names.ts';
import type { OptionSpec } from './words.ts';

/** The forms of exported data. */
export const EXPORT_FORMATS = namesOf<FileFormat>({
  json: true,
  csv: true,
  jsonl: true,
  xlsx: true,
  markdown: true,
  html: true,
  parquet: true,
});

/** Endings of files that say how they are written. */
const ENDINGS: Readonly<Record<string, FileFormat | 'text'>> = {
  csv: 'csv',
  htm: 'html',
  html: 'html',
  json: 'json',
  jsonl: 'jsonl',
  md: 'markdown',
  ndjson: 'jsonl',
  parquet: 'parquet',
  txt: 'text',
  xlsx: 'xlsx',
};

/**
 * How data is written, one of `formats`: as --format says, else as the ending of `file` does, undefined where neither does.
 * Throws CommandError for an ending of another one.
 */
export function formatOf<Format extends string>(
  { format }: Readonly<Record<string, string | boolean | undefined>>,
  file: string | undefined,
  formats: readonly Format[],
): Format | undefined {
  const named = formats.find((known) => known === format);
  if (named !== undefined) return named;
  const ending = ENDINGS[/\.(\w+)$/.exec(file ?? '')?.[1]?.toLowerCase() ?? ''];
  const meant = formats.find((known) => known === ending);
  if (meant !== undefined || ending === undefined || ending === 'text') return meant;
  throw new CommandError(`${file} is named as if it were ${ending}; ${ending} is not written here; take one of ${formats.join(', ')}.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

export const BOM: OptionSpec = { flags: '--bom', summary: 'CSV: begin with a byte order mark, by which Excel knows UTF-8' };

/** What `--bom` asks for. Throws CommandError for another format. */
export function bomOf(
  { bom }: Readonly<Record<string, string | boolean | undefined>>,
  format: string | undefined,
): { readonly bom?: true } {
  if (bom !== true) return {};
  if (format === 'csv') return { bom };
  throw new CommandError('--bom is about CSV; add -f csv.', { exitCode: EXIT.usage, code: 'bad_request' });
}

const BINARY = new Set<string>(['xlsx', 'parquet']);

/** Standard output takes one document under --json, and a terminal takes text. Throws CommandError that names `help`, a command. */
export function checkOutput({ isJson }: CommandContext, format: string, help: string): void {
  const refuse = (message: string) => new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: [help] });
  if (isJson && format !== 'json') throw refuse(`--json is about the answer, and the data is ${format}; say where it goes with --output.`);
  if (BINARY.has(format) && process.stdout.isTTY)
    throw refuse(`${format} is not for a terminal; say where it goes with --output, or pipe it into a program.`);
}

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

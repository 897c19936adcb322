// Writes all rows of a source in one format, piece by piece: memory does not grow with the rows.
import type { FileFormat } from '@weft/contract';
import { inChunks } from './chunks.ts';
import { chooseRows } from './chosen.ts';
import type { RowChoice } from './chosen.ts';
import type { HeldTexts } from './held-texts.ts';
import { textInParts } from './held-texts.ts';
import type { LargeRow, RowSource } from './row.ts';
import { findColumns, parseRow } from './row.ts';
import type { TextWriter } from './text.ts';
import { csvWriter, htmlWriter, markdownWriter } from './text.ts';
import { writeXlsx } from './xlsx.ts';

export interface WriteOptions extends RowChoice {
  /** Title of a page and name of a sheet. */
  readonly title: string;
  /** CSV: nothing may run as a formula. */
  readonly isSafe: boolean;
  /** CSV: begins with the mark by which Excel knows UTF-8. */
  readonly hasMark?: boolean;
}

/** The formats that are written here; Parquet is made of JSON lines by another program. */
export type StreamFormat = Exclude<FileFormat, 'parquet'>;

/** The bytes of all rows; nothing is read before the first piece is asked for, and between two pieces texts of large rows are in `held` alone. */
export async function* writeRows(all: RowSource, format: StreamFormat, options: WriteOptions, held: HeldTexts): AsyncGenerator<Uint8Array> {
  const source = chooseRows(all, options, held);
  if (format === 'json') return yield* inChunks(jsonText(source));
  if (format === 'jsonl') return yield* inChunks(jsonLines(source));
  const found = await findColumns(source);
  const columns = options.fields ? { ...found, names: options.fields, hasRest: false } : found;
  if (format === 'xlsx') return yield* writeXlsx(source, columns, options.title, held);
  const writers: Record<typeof format, () => TextWriter> = {
    csv: () => csvWriter(columns, options.isSafe, options.hasMark),
    markdown: () => markdownWriter(columns),
    html: () => htmlWriter(columns, options.title),
  };
  yield* inChunks(textOf(source, writers[format](), held));
}

function* jsonText(source: RowSource): Generator<string | Uint8Array> {
  let lead = '[';
  for (const row of source.rows()) {
    yield `${lead}\n`;
    yield* asKept(row);
    lead = ',';
  }
  yield lead === '[' ? '[]\n' : '\n]\n';
}

function* jsonLines(source: RowSource): Generator<string | Uint8Array> {
  for (const row of source.rows()) {
    yield* asKept(row);
    yield '\n';
  }
}

function asKept(row: string | LargeRow): Iterable<string | Uint8Array> {
  return typeof row === 'string' ? [row] : row.parts();
}

function* textOf(source: RowSource, { head, row: write, tail }: TextWriter, held: HeldTexts): Generator<string | Uint8Array> {
  yield head;
  for (const row of source.rows()) {
    if (typeof row === 'string') yield write(parseRow(row));
    else yield* textInParts(() => write(parseRow(row)), held);
  }
  yield tail;
}

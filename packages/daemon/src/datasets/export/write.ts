// Writes all rows of a source in one format, piece by piece: memory does not grow with the rows.
import type { FileFormat } from '@weft/contract';
import { inChunks } from './chunks.ts';
import type { RowSource } from './row.ts';
import { findColumns, parseRow } from './row.ts';
import type { TextWriter } from './text.ts';
import { csvWriter, htmlWriter, markdownWriter } from './text.ts';
import { writeXlsx } from './xlsx.ts';

export interface WriteOptions {
  /** Title of a page and name of a sheet. */
  readonly title: string;
  /** CSV: nothing may run as a formula. */
  readonly isSafe: boolean;
}

/** The formats that are written here; Parquet is made of JSON lines by another program. */
export type StreamFormat = Exclude<FileFormat, 'parquet'>;

/** The bytes of all rows; nothing is read before the first piece is asked for. */
export async function* writeRows(source: RowSource, format: StreamFormat, options: WriteOptions): AsyncGenerator<Uint8Array> {
  if (format === 'json') return yield* inChunks(jsonText(source));
  if (format === 'jsonl') return yield* inChunks(jsonLines(source));
  const columns = await findColumns(source);
  if (format === 'xlsx') return yield* writeXlsx(source, columns, options.title);
  const writers: Record<typeof format, () => TextWriter> = {
    csv: () => csvWriter(columns, options.isSafe),
    markdown: () => markdownWriter(columns),
    html: () => htmlWriter(columns, options.title),
  };
  yield* inChunks(textOf(source, writers[format]()));
}

function* jsonText(source: RowSource): Generator<string> {
  let lead = '[';
  for (const body of source.bodies()) {
    yield `${lead}\n${body}`;
    lead = ',';
  }
  yield lead === '[' ? '[]\n' : '\n]\n';
}

function* jsonLines(source: RowSource): Generator<string> {
  for (const body of source.bodies()) yield `${body}\n`;
}

function* textOf(source: RowSource, { head, row, tail }: TextWriter): Generator<string> {
  yield head;
  for (const body of source.bodies()) yield row(parseRow(body));
  yield tail;
}

// A few rows as text, for answers that are not JSON.
import type { DatasetFormat } from '@weft/contract';
import type { Row } from './row.ts';
import { columnsOf } from './row.ts';
import type { TextWriter } from './text.ts';
import { csvWriter, htmlWriter, markdownWriter } from './text.ts';

/** The formats that are text, and the media type of each. */
export const TEXT_TYPES = { csv: 'text/csv', markdown: 'text/markdown', html: 'text/html' } as const;
export type TextFormat = Exclude<DatasetFormat, 'json'>;

/** The rows in `format`, whole. */
export function renderRows(
  rows: readonly Row[],
  format: TextFormat,
  options: { readonly title: string; readonly isSafe: boolean },
): Uint8Array {
  const columns = columnsOf(rows);
  const writers: Record<TextFormat, () => TextWriter> = {
    csv: () => csvWriter(columns, options.isSafe),
    markdown: () => markdownWriter(columns),
    html: () => htmlWriter(columns, options.title),
  };
  const { head, row, tail } = writers[format]();
  return Buffer.from(`${head}${rows.map(row).join('')}${tail}`);
}

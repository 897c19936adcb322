// Reads a workbook: each sheet as a Markdown table and as records.
import { PageError } from '../../errors.ts';
import { repackArchive } from './archive.ts';
import type { ArchiveEntry } from './archive.ts';
import { escapeParagraph } from './paragraph.ts';
import type { Reading } from './readable.ts';
import { nameColumns, recordsOf, tableOf } from './rows.ts';
import type { Cell } from './rows.ts';

/** The reading of `body`, which is an archive with `entries`; empty sheets are left out. Throws PageError when it is damaged or too large. */
export async function readXlsx(body: Uint8Array, entries: readonly ArchiveEntry[]): Promise<Reading> {
  const archive = await repackArchive(body, entries, (name) => /\.(?:xml|rels)$/i.test(name));
  const { default: readSheets } = await import('read-excel-file/universal');
  const sheets = await readSheets(archive.buffer).catch((cause: unknown) => {
    throw new PageError('page_unreadable', 'The workbook is damaged.', { cause });
  });
  const tables = sheets.flatMap(({ sheet, data }) => {
    const table = nameColumns(data.map((row) => row.map(cellOf)));
    return table.rows.length > 0 ? [{ sheet, table }] : [];
  });
  return {
    markdown: tables.map(({ sheet, table }) => `## ${escapeParagraph(sheet)}\n\n${tableOf(table)}`).join('\n'),
    records: tables.map(({ sheet, table }) => ({ source: sheet, items: recordsOf(table) })),
    links: [],
  };
}

/** The library types a date as its constructor; at run time it is a Date. */
function cellOf(value: unknown): Cell {
  if (value instanceof Date || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? undefined : String(value);
}

// Opens tables with LibreOffice, where there is one, and says what it made of each cell.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';

export interface OfficeCell {
  readonly type: 'float' | 'string' | 'date' | 'boolean' | 'percentage' | 'currency' | 'time' | 'empty';
  /** A number or a date as it is kept, or the text, with `\n` between its lines. */
  readonly value: string;
  /** Set where the cell is computed; a truth value of a workbook is kept as `of:=TRUE()`. */
  readonly formula?: string;
}

/** UTF-8, commas, formulas are run: what an attacker hopes for (https://help.libreoffice.org/latest/en-US/text/shared/guide/csv_params.html). */
const CSV_FILTER = 'CSV:44,34,76,1,,0,false,true,false,false,0,true';
const CONVERT_MS = 300_000;

/** True where LibreOffice can be started. */
export function hasOffice(): boolean {
  return spawnSync('soffice', ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** The rows of the first sheet of a workbook or CSV file, as LibreOffice opens it. */
export function openInOffice(file: string): OfficeCell[][] {
  const folder = mkdtempSync(join(tmpdir(), 'weft-office-'));
  try {
    const filter = extname(file) === '.csv' ? [`--infilter=${CSV_FILTER}`] : [];
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, '--headless', ...filter, '--convert-to', 'fods', '--outdir', folder, file];
    const { status } = spawnSync('soffice', args, { stdio: 'ignore', timeout: CONVERT_MS });
    assert.equal(status, 0, 'LibreOffice opened it');
    return readSheet(readFileSync(join(folder, `${basename(file, extname(file))}.fods`), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The rows of flat OpenDocument; empty cells at the end of a row are left out. */
function readSheet(xml: string): OfficeCell[][] {
  const start = xml.indexOf('<table:table ');
  const sheet = xml.slice(start, xml.indexOf('</table:table>', start));
  const rows = [...sheet.matchAll(/<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) => cellsOf(row));
  return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
}

function cellsOf(row: string): OfficeCell[] {
  const cells = [...row.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
    ([, head = '', inner = '']) => {
      const repeats = Number(attribute(head, 'table:number-columns-repeated') ?? 1);
      // The last columns of the sheet come as one empty cell, many times.
      return Array.from({ length: inner === '' ? Math.min(repeats, 100) : repeats }, () => cellOf(head, inner));
    },
  );
  return cells.slice(0, cells.findLastIndex(({ type }) => type !== 'empty') + 1);
}

function cellOf(head: string, inner: string): OfficeCell {
  const type = (attribute(head, 'office:value-type') ?? 'empty') as OfficeCell['type'];
  const formula = attribute(head, 'table:formula');
  const value = attribute(head, 'office:value') ?? attribute(head, 'office:date-value') ?? textOf(inner);
  return { type, value, ...(formula === undefined ? {} : { formula }) };
}

function textOf(inner: string): string {
  return [...inner.matchAll(/<text:p\b[^>]*?(?:\/>|>(.*?)<\/text:p>)/gs)].map(([, line = '']) => plain(line)).join('\n');
}

function plain(xml: string): string {
  return decode(
    xml
      .replaceAll(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count?: string) => ' '.repeat(Number(count ?? 1)))
      .replaceAll('<text:tab/>', '\t')
      .replaceAll('<text:line-break/>', '\n')
      .replaceAll(/<[^>]*>/g, ''),
  );
}

function attribute(head: string, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head) ?? [];
  return value === undefined ? undefined : decode(value);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name = '') =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : decimal ? String.fromCodePoint(Number(decimal)) : (ENTITIES[name] ?? ''),
  );
}

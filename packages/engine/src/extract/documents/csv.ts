// Reads comma-separated values (RFC 4180), with the delimiter found out and broken quoting borne.
import type { Reading } from './readable.ts';
import { nameColumns, recordsOf, tableOf } from './rows.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SNIFFED_CHARS = 64_000;
const SNIFFED_ROWS = 50;

/** The table of `text` as Markdown and as records with source `csv`. */
export function readCsv(text: string): Reading {
  const table = nameColumns(parseCsv(text, sniffDelimiter(text)));
  return { markdown: tableOf(table), records: [{ source: 'csv', items: recordsOf(table) }], links: [] };
}

/** The delimiter that cuts the first rows into the most columns of equal count; a comma when none does. */
export function sniffDelimiter(text: string): string {
  const sample = text.slice(0, SNIFFED_CHARS);
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const rows = parseCsv(sample, delimiter, SNIFFED_ROWS);
    const columns = rows[0]?.length ?? 0;
    if (columns < 2) continue;
    const equal = rows.filter((row) => row.length === columns).length / rows.length;
    const score = equal * equal * Math.log2(columns + 1);
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** The rows of `text`, at most `rowsMax`; blank lines are left out. A quote that never ends takes the rest of the text. */
export function parseCsv(text: string, delimiter: string, rowsMax = Number.POSITIVE_INFINITY): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  while (at < text.length && rows.length < rowsMax) {
    const field = text[at] === '"' ? quotedField(text, at, delimiter) : plainField(text, at, delimiter);
    row.push(field.value);
    at = field.end;
    if (text[at] === delimiter) {
      at++;
      if (at >= text.length) row.push('');
      else continue;
    }
    endRow();
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

interface Field {
  readonly value: string;
  /** Where the delimiter, the line break or the end of the text stands. */
  readonly end: number;
}

function plainField(text: string, start: number, delimiter: string): Field {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end), end };
}

function quotedField(text: string, start: number, delimiter: string): Field {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const rest = plainField(text, quote + 1, delimiter);
      return { value: value + rest.value, end: rest.end };
    }
    value += '"';
    from = quote + 2;
  }
}

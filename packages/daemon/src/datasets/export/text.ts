// Rows as CSV (RFC 4180), a Markdown table, and an HTML page. Pure; written piece by piece.
import type { Columns, Row } from './row.ts';
import { cellText, cellsOf } from './row.ts';

/** A writer of one format: what stands before the rows, each row, what stands after them. */
export interface TextWriter {
  readonly head: string;
  row(row: Row): string;
  readonly tail: string;
}

/** Comma-separated, CRLF, a header line; `isSafe` puts an apostrophe before what a spreadsheet would run as a formula, `hasMark` U+FEFF before all. */
export function csvWriter(columns: Columns, isSafe: boolean, hasMark = false): TextWriter {
  const line = (cells: readonly unknown[]) => `${cells.map((cell) => csvCell(cell, isSafe)).join(',')}\r\n`;
  const mark = hasMark ? '\ufeff' : '';
  return { head: `${mark}${columns.names.length > 0 ? line(columns.names) : ''}`, row: (row) => line(cellsOf(row, columns)), tail: '' };
}

/** OWASP's list of characters that begin a formula, in both widths. */
const BEGINS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Semicolons and tabs part cells too, where a spreadsheet's language says so. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function csvCell(value: unknown, isSafe: boolean): string {
  const text = cellText(value);
  const cell = isSafe && BEGINS_FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A table of GitHub's Markdown; no cell can end its row, begin markup or become a link. */
export function markdownWriter(columns: Columns): TextWriter {
  if (columns.names.length === 0) return { head: '', row: () => '', tail: '' };
  const line = (cells: readonly unknown[]) => `| ${cells.map(markdownCell).join(' | ')} |\n`;
  return {
    head: `${line(columns.names)}|${columns.names.map(() => ' --- |').join('')}\n`,
    row: (row) => line(cellsOf(row, columns)),
    tail: '',
  };
}

/** An underscore within a word is nothing but that (GFM 6.4). */
const MARKUP = /[\\`*[\]|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function markdownCell(value: unknown): string {
  return cellText(value)
    .replaceAll(MARKUP, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\r\n?|\n/g, '<br>');
}

/** A page with one table; every value is text. */
export function htmlWriter(columns: Columns, title: string): TextWriter {
  const cells = (tag: 'td' | 'th', values: readonly unknown[]) =>
    values.map((value) => `<${tag}>${escapeHtml(cellText(value))}</${tag}>`).join('');
  const head = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${escapeHtml(title)}</title>\n<table>\n`;
  return {
    head: `${head}<thead><tr>${cells('th', columns.names)}</tr></thead>\n<tbody>\n`,
    row: (row) => `<tr>${cells('td', cellsOf(row, columns))}</tr>\n`,
    tail: '</tbody>\n</table>\n</html>\n',
  };
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

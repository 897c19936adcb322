// Writes a workbook (ECMA-376, SpreadsheetML) as a stream: texts inline, numbers, truth values and dates, and never a formula.
import { AppError } from '@weft/contract';
import { inChunks } from './chunks.ts';
import type { HeldTexts } from './held-texts.ts';
import { textInParts } from './held-texts.ts';
import type { Columns, LargeRow, RowSource } from './row.ts';
import { CELL_CHARS_MAX, cellText, cellsOf, parseRow } from './row.ts';
import type { ZipEntry } from './zip.ts';
import { writeZip } from './zip.ts';

/** Rows of one sheet, the header among them (Excel's limit). */
const SHEET_ROWS_MAX = 1_048_576;
/** Where texts stand whole that are longer than a cell: one part below the other. */
const LONG_SHEET = 'Long texts';
const GOES_ON = `\u2026 (whole in the sheet "${LONG_SHEET}")`;
const CELL_SHOWN = CELL_CHARS_MAX - GOES_ON.length;
const SHEET_NAME_CHARS_MAX = 31;
const NS = 'http://schemas.openxmlformats.org';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Places in `cellXfs` below. */
const STYLE = { date: 1, instant: 2, head: 3 } as const;
const STYLES =
  `${XML}<styleSheet xmlns="${NS}/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/>' +
  '<xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" xfId="0" applyNumberFormat="1"/>' +
  '<xf fontId="1" xfId="0" applyFont="1"/></cellXfs></styleSheet>';

/** The bytes of a workbook with all rows; more than one sheet holds go on in a next one, and texts longer than a cell stand whole in a sheet of their own. Throws AppError `bad_request` above 4 GB. */
export function writeXlsx(
  source: RowSource,
  columns: Columns,
  title: string,
  held: HeldTexts,
  sheetRowsMax = SHEET_ROWS_MAX,
): AsyncGenerator<Uint8Array> {
  const sheets = Math.max(1, Math.ceil(columns.rows / (sheetRowsMax - 1)));
  const rows = source.rows()[Symbol.iterator]();
  const long = columns.hasLong ? () => longSheetXml(source, columns, sheetRowsMax - 1, held) : undefined;
  return writeZip(entries(sheets, title, () => sheetXml(rows, columns, sheetRowsMax - 1, held), long));
}

type Sheet = () => Iterable<string | Uint8Array>;

function* entries(sheets: number, title: string, sheet: Sheet, long: Sheet | undefined): Generator<ZipEntry> {
  const text = (name: string, xml: string): ZipEntry => ({ name, data: () => inChunks([xml]) });
  const numbers = Array.from({ length: sheets + (long ? 1 : 0) }, (_, i) => i + 1);
  yield text('[Content_Types].xml', contentTypes(numbers));
  yield text('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]));
  yield text('xl/workbook.xml', workbook(sheets, sheetName(title), long !== undefined));
  yield text(
    'xl/_rels/workbook.xml.rels',
    relationships([...numbers.map((n) => ['worksheet', `worksheets/sheet${n}.xml`] as const), ['styles', 'styles.xml']]),
  );
  yield text('xl/styles.xml', STYLES);
  for (const n of numbers) yield { name: `xl/worksheets/sheet${n}.xml`, data: () => inChunks(n > sheets && long ? long() : sheet()) };
}

function contentTypes(sheets: readonly number[]): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = sheets.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${type}.worksheet+xml"/>`).join('');
  return (
    `${XML}<Types xmlns="${NS}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${parts}</Types>`
  );
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const lines = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${NS}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${NS}/package/2006/relationships">${lines.join('')}</Relationships>`;
}

function workbook(sheets: number, name: string, hasLong: boolean): string {
  const suffixed = (n: number) => {
    if (n > sheets) return name === LONG_SHEET ? `${LONG_SHEET} (whole)` : LONG_SHEET;
    const suffix = sheets > 1 ? ` ${n}` : '';
    return `${name.slice(0, SHEET_NAME_CHARS_MAX - suffix.length)}${suffix}`;
  };
  const numbers = Array.from({ length: sheets + (hasLong ? 1 : 0) }, (_, i) => i + 1);
  const lines = numbers.map((n) => `<sheet name="${escapeXml(suffixed(n))}" sheetId="${n}" r:id="rId${n}"/>`).join('');
  return `${XML}<workbook xmlns="${NS}/spreadsheetml/2006/main" xmlns:r="${NS}/officeDocument/2006/relationships"><sheets>${lines}</sheets></workbook>`;
}

/** A name that Excel takes: none of its forbidden characters, no apostrophe at an end, not empty. */
function sheetName(title: string): string {
  const name = title.replaceAll(/[\\/?*[\]:\p{Cc}]+/gu, ' ').replaceAll(/^[' ]+|[' ]+$/g, '');
  return [...name].slice(0, SHEET_NAME_CHARS_MAX - 4).join('') || 'Data';
}

function* sheetXml(rows: Iterator<string | LargeRow>, columns: Columns, rowsMax: number, held: HeldTexts): Generator<string | Uint8Array> {
  const letters = columns.names.map((_, i) => columnLetters(i));
  yield headXml(columns.names);
  const write = (row: string | LargeRow, at: number) =>
    `<row r="${at}">${cellsOf(parseRow(row), columns)
      .map((value, i) => cellXml(`${letters[i]}${at}`, value))
      .join('')}</row>`;
  for (let at = 2; at <= rowsMax + 1; at++) {
    const { done, value: row } = rows.next();
    if (done) break;
    if (typeof row === 'string') yield write(row, at);
    else yield* textInParts(() => write(row, at), held);
  }
  yield '</sheetData></worksheet>';
}

function headXml(names: readonly string[]): string {
  const view = '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>';
  const cells = names.map((name, i) => textCell(`${columnLetters(i)}1`, name, ` s="${STYLE.head}"`)).join('');
  return `${XML}<worksheet xmlns="${NS}/spreadsheetml/2006/main"><sheetViews>${view}</sheetViews><sheetData><row r="1">${cells}</row>`;
}

/** Each text that is longer than a cell, in parts that fit, with the row and column where it begins. */
function* longSheetXml(source: RowSource, columns: Columns, rowsMax: number, held: HeldTexts): Generator<string | Uint8Array> {
  yield headXml(['row', 'column', 'part', 'text']);
  let at = 1;
  let row = 0;
  const write = (json: string | LargeRow): string => {
    let xml = '';
    cellsOf(parseRow(json), columns).forEach((value, i) => {
      partsOf(cellText(value)).forEach((part, n) => {
        if (++at > rowsMax + 1)
          throw new AppError('bad_request', `More than ${rowsMax} parts of long texts fit into no workbook; take another format.`);
        const cells = [(row % rowsMax) + 2, columns.names[i] ?? '', n + 1]
          .map((cell, k) => cellXml(`${columnLetters(k)}${at}`, cell))
          .join('');
        xml += `<row r="${at}">${cells}${textCell(`D${at}`, part, '')}</row>`;
      });
    });
    return xml;
  };
  for (const json of source.rows()) {
    if (typeof json !== 'string') yield* textInParts(() => write(json), held);
    else if (json.length > CELL_CHARS_MAX) yield write(json);
    row++;
  }
  yield '</sheetData></worksheet>';
}

/** A text that no cell holds, in parts that each holds; none for any other. No part ends in half a character. */
function partsOf(text: string): readonly string[] {
  if (text.length <= CELL_CHARS_MAX) return [];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = wholeUntil(text, from + CELL_CHARS_MAX);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

function wholeUntil(text: string, end: number): number {
  return end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

function cellXml(place: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value !== 'string') return textCell(place, cellText(value), '');
  const date = dateOf(value);
  return date ? `<c r="${place}" s="${date.style}"><v>${date.serial}</v></c>` : textCell(place, value, '');
}

function textCell(place: string, text: string, style: string): string {
  const shown = text.length > CELL_CHARS_MAX ? `${text.slice(0, wholeUntil(text, CELL_SHOWN))}${GOES_ON}` : text;
  const space = BLANK_AT_AN_END.test(shown) ? ' xml:space="preserve"' : '';
  return `<c r="${place}"${style} t="inlineStr"><is><t${space}>${escapeXml(shown)}</t></is></c>`;
}

const BLANK_AT_AN_END = /^\s|\s$/;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/;
const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar as far as it is right: from March 1900 on. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);

/** A date or an instant in UTC as a number of days; undefined for other text. */
function dateOf(text: string): { readonly serial: number; readonly style: number } | undefined {
  // Most texts have no hyphen there, and this is the cheap way to know.
  if (text[4] !== '-' || !DATE.test(text)) return undefined;
  const ms = Date.parse(text);
  // A 31st of June would become the 1st of July.
  if (Number.isNaN(ms) || ms < FIRST_MS || new Date(ms).getUTCDate() !== Number(text.slice(8, 10))) return undefined;
  return { serial: (ms - EPOCH_MS) / DAY_MS, style: text.length > 10 ? STYLE.instant : STYLE.date };
}

function columnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest >= 0 ? columnLetters(rest) : ''}${String.fromCharCode(65 + (index % 26))}`;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// eslint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/g;

const NEEDS_ESCAPES = new RegExp(`[&<>"]|${NOT_XML.source}`);

/** Text between tags; what XML can't hold is written as _xHHHH_, as Excel does (ECMA-376, ST_Xstring). */
function escapeXml(text: string): string {
  if (!NEEDS_ESCAPES.test(text)) return text;
  return text
    .replaceAll(NOT_XML, (found) =>
      found.length > 1 ? `_x005F${found}` : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character);
}

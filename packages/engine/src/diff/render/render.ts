// Writes a difference for people: as a fragment of HTML, as Markdown, as plain text.
import type { Difference, DiffPart, DiffRow } from '@weft/contract';
import { escapeParagraph } from '../../extract/documents/paragraph.ts';
import type { Line, Outline } from './outline.ts';
import { outline } from './outline.ts';

/** How a difference can be written. */
export type RenderForm = 'html' | 'markdown' | 'text';

/** The difference in short, with what was left out counted at its end; empty where nothing changed. What it holds is escaped. */
export function renderDifference(difference: Difference, form: RenderForm): string {
  const short = outline(difference);
  if (short.lines.length === 0) return '';
  if (form === 'text') return inText(short);
  if (form === 'markdown') return inMarkdown(short);
  return difference.kind === 'side_by_side' ? tableInHtml(difference.rows) : inHtml(short);
}

function more({ leftOut }: Outline): string[] {
  return leftOut === 0 ? [] : [`… and ${leftOut} more ${leftOut === 1 ? 'line' : 'lines'}`];
}

/** Words are marked as wdiff does, lines as diff does. */
function inText(short: Outline): string {
  const lines = short.lines.map((line) => (short.style === 'lines' ? markedLine(line) : line.map(markedWords).join('')));
  return [...lines, ...more(short), ''].join('\n');
}

function markedLine(line: Line): string {
  const [{ kind, text } = { kind: 'same', text: '' } satisfies DiffPart] = line;
  return `${LINE_MARK[kind]} ${text}`.trimEnd();
}
const LINE_MARK = { same: ' ', removed: '-', added: '+' } as const;

function markedWords({ kind, text }: DiffPart): string {
  if (kind === 'same') return text;
  return kind === 'removed' ? `[-${text}-]` : `{+${text}+}`;
}

function inMarkdown(short: Outline): string {
  if (short.style === 'lines') return fenced([...short.lines.map(markedLine), ...more(short)].join('\n'));
  const lead = short.style === 'list' ? '- ' : '';
  const lines = short.lines.map((line) => `${lead}${line.map(markedMarkdown).join('')}`);
  return [...lines, ...more(short).map((text) => `\n${text}`), ''].join('\n');
}

/** Marks stand next to what they mark: with a space between, they would be no marks (CommonMark, section 6.2). */
function markedMarkdown({ kind, text }: DiffPart): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (inner === '') return text;
  const mark = kind === 'same' ? '' : kind === 'removed' ? '~~' : '**';
  return `${before}${mark}${escapeParagraph(inner)}${mark}${after}`;
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text}\n${fence}\n`;
}

function inHtml(short: Outline): string {
  const lines = short.lines.map((line) => line.map(markedHtml).join(''));
  const rest = more(short);
  if (short.style === 'list') return `<ul>${[...lines, ...rest].map((line) => `<li>${line}</li>`).join('')}</ul>`;
  return `<pre>\n${[...lines, ...rest].join('\n')}\n</pre>`;
}

function tableInHtml(rows: readonly DiffRow[]): string {
  const cell = (parts: readonly DiffPart[]) => `<td>${parts.map(markedHtml).join('')}</td>`;
  const whole = (kind: DiffPart['kind'], parts: readonly DiffPart[]) => cell(parts.map(({ text }) => ({ kind, text })));
  const cells = (row: DiffRow) => {
    if (row.kind === 'skipped') return `<td colspan="4">… ${row.count} equal ${row.count === 1 ? 'line' : 'lines'}</td>`;
    const old =
      'old' in row ? `<td>${row.old.line}</td>${row.kind === 'removed' ? whole('removed', row.old.parts) : cell(row.old.parts)}` : NO_LINE;
    const fresh =
      'new' in row ? `<td>${row.new.line}</td>${row.kind === 'added' ? whole('added', row.new.parts) : cell(row.new.parts)}` : NO_LINE;
    return old + fresh;
  };
  return `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>`;
}
const NO_LINE = '<td></td><td></td>';

function markedHtml({ kind, text }: DiffPart): string {
  if (kind === 'same') return escapeHtml(text);
  return kind === 'removed' ? `<del>${escapeHtml(text)}</del>` : `<ins>${escapeHtml(text)}</ins>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

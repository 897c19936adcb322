// Writes headings, code blocks, quotes, rules, tables and what opens and closes.
import type { Element } from 'domhandler';
import { isText } from 'domhandler';
import { shownElementsBelow } from '../../../html/walk.ts';
import { fencedCode, languageOf, textOfCode } from './code.ts';
import { format, writeInlineCode } from './inlines.ts';
import type { Handler, PageWriter } from '../page-writer.ts';
import { isLayout, readTable } from './table-grid.ts';
import type { TableRow } from './table-grid.ts';
import { writeTable } from './table.ts';

const HEADING = /^h[1-6]$/;

/** Any element that stands on lines of its own. */
export function block(page: PageWriter, element: Element): void {
  page.block(element);
}

/** Words on both sides of a blank line: nobody writes one into a text where it does not show. */
const BLANK_LINE = /\S\r?\n\r?\n\S/;

/** A paragraph; archives of mail keep the lines of a letter in one, by a style such as `white-space: pre-wrap`. */
export function paragraph(page: PageWriter, element: Element): void {
  const { keepsLines } = page;
  page.keepsLines = element.children.some((child) => isText(child) && BLANK_LINE.test(child.data));
  page.block(element);
  page.keepsLines = keepsLines;
}

/** A heading of `level` 1 to 6, on one line. */
export function heading(level: number): Handler {
  const marker = `${'#'.repeat(level)} `;
  return (page, element) => {
    page.writer.boundary(2);
    page.writer.wakeLinks();
    page.writer.heading(element === page.title ? '# ' : marker, () => page.visitChildren(element));
    page.writer.boundary(2);
  };
}

/** Preformatted text as a fence, or as lines of inline code where a fence can not be. */
export function pre(page: PageWriter, element: Element): void {
  writeCode(page, textOfCode(element, page.isLeftOut), languageOf(element));
}

/** Writes `text` as `pre` does. */
export function writeCode(page: PageWriter, text: string, language: string): void {
  const { writer } = page;
  writer.boundary(2);
  if (writer.flatness === 'none') {
    const lines = fencedCode(text, language);
    if (lines.length > 0) writer.block(lines);
    return;
  }
  for (const line of text.split('\n')) {
    if (line.trim() !== '') writeInlineCode(page, line.trimEnd());
    writer.boundary(1);
  }
}

/** A quote with its blocks. */
export function blockquote(page: PageWriter, element: Element): void {
  page.writer.boundary(2);
  page.writer.container('> ', '> ', () => page.visitChildren(element));
  page.writer.boundary(2);
}

export function rule(page: PageWriter): void {
  page.writer.thematicBreak();
}

/** A data table as a GFM table; a layout table as what its cells hold. */
export function table(page: PageWriter, element: Element): void {
  const { caption, rows } = readTable(element, page.isLeftOut);
  if (isLayout(element, rows)) {
    page.block(element);
    return;
  }
  if (page.writer.flatness !== 'none') {
    nestedTable(page, caption, rows);
    return;
  }
  if (caption) page.block(caption);
  writeTable(page.writer, rows, page.visit);
  page.writer.boundary(2);
}

/** A data table inside a cell: a line for each row, its cells divided by bars. */
function nestedTable(page: PageWriter, caption: Element | undefined, rows: readonly TableRow[]): void {
  const { writer } = page;
  if (caption) page.block(caption);
  for (const { cells } of rows) {
    writer.boundary(1);
    let mark = writer.mark;
    for (const cell of cells) {
      if (mark !== writer.mark) writer.divide();
      mark = writer.mark;
      cell.children.forEach(page.visit);
    }
    writer.boundary(1);
  }
}

/** The line that opens details, in bold unless a heading is in it. */
export function summary(page: PageWriter, element: Element): void {
  page.writer.boundary(2);
  const isHeaded = [...shownElementsBelow(element)].some(({ name }) => HEADING.test(name));
  if (isHeaded) page.visitChildren(element);
  else format('strong')(page, element);
  page.writer.boundary(2);
}

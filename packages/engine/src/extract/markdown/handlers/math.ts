// Writes formulas, each once and as its source: `$...$` in a line, `$$...$$` on a line of its own.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { cleanTex, texOf } from '../../../html/tex.ts';
import { textContentOf } from '../../../html/walk.ts';
import { isFormula } from './class-roles.ts';
import type { PageWriter } from '../page-writer.ts';

/** A formula in MathML. */
export function math(page: PageWriter, element: Element): void {
  writeTex(page, texOf(element), isDisplayed(element));
}

/** What a class calls a formula: in it MathML, a picture of it, or its source as text. */
export function mathBox(page: PageWriter, element: Element): void {
  const mathml = find(element, ({ name }) => name === 'math');
  const picture = mathml ? undefined : find(element, isFormula);
  const isOwnLine = isDisplayed(mathml ?? element) || element.name === 'div';
  if (mathml) writeTex(page, texOf(mathml), isOwnLine);
  else if (picture) formulaImage(page, picture);
  else if (element.children.every(isText)) writeSource(page, textContentOf(element), isOwnLine);
  else page.visitChildren(element);
}

/** MathJax 2 draws beside the script that holds the source; MathJax 3 and 4 keep MathML for screen readers beside the drawing. */
export function mathJax(page: PageWriter, element: Element): void {
  const mathml = find(element, ({ name }) => name === 'math');
  if (mathml && !hasScript(element)) writeTex(page, texOf(mathml), isDisplayed(mathml) || isDisplayed(element));
}

/** The source of a formula in a script (MathJax 2, `math/tex`); any other script is no text. */
export function script(page: PageWriter, element: Element): void {
  const type = element.attribs['type'];
  if (type?.startsWith('math/tex') !== true) return;
  const source = element.children.map((child) => (isText(child) ? child.data : '')).join('');
  writeTex(page, cleanTex(source), /mode\s*=\s*display/.test(type));
}

/** A picture of a formula as its source; true where there was one. */
export function formulaImage(page: PageWriter, image: Element): boolean {
  const source = image.attribs['alt'] ?? '';
  if (source.trim() === '') return false;
  writeSource(page, source, /display|block/.test(image.attribs['class'] ?? ''));
  return true;
}

/** Delimiters that set off a formula in running text, with what stands between them. */
const DELIMITED = /^\s*(?:\$\$([^]+)\$\$|\\\[([^]+)\\\]|\\\(([^]+)\\\)|\$([^]+)\$)\s*$/;

function writeSource(page: PageWriter, source: string, isOwnLine: boolean): void {
  const match = DELIMITED.exec(source);
  const tex = match?.slice(1).find((part) => part !== undefined) ?? source;
  writeTex(page, cleanTex(tex), match ? (match[1] ?? match[2]) !== undefined : isOwnLine);
}

/** A formula in a text, as its page's script would find it: with a command, a script or an equals sign, or a letter alone. */
const IN_TEXT =
  /\$\$([^$]{1,5000})\$\$|\\\[([^]{1,5000}?)\\\]|\\\(([^]{1,2000}?)\\\)|(?<![\w\\$])\$(?!\s)([^$\n]{0,500}\\[a-zA-Z]{2,}[^$\n]{0,500})(?<!\s)\$(?![\d$])/g;
const TEX = /\\[a-zA-Z]{2,}|[_^=]|^\s*[a-zA-Z]\s*$/;

/** Writes a text, formulas in it unescaped. */
export function writeText(page: PageWriter, text: string): void {
  if (!page.keepsLines) return writeWords(page, text);
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (i > 0) page.writer.lineBreak();
    writeWords(page, line);
  }
}

function writeWords(page: PageWriter, text: string): void {
  const { writer } = page;
  if (!text.includes('$') && !text.includes('\\')) return writer.text(text);
  let from = 0;
  for (const { source, start, end, isDisplay } of formulasIn(text)) {
    writer.text(text.slice(from, start));
    writeTex(page, cleanTex(source), isDisplay);
    from = end;
  }
  writer.text(from === 0 ? text : text.slice(from));
}

/** The formulas of `text` in order, as their source; `start` and `end` are where they stand with their marks. */
export function formulasIn(text: string): { source: string; start: number; end: number; isDisplay: boolean }[] {
  return [...text.matchAll(IN_TEXT)]
    .map((match) => ({
      source: match.slice(1).find((part) => part !== undefined) ?? '',
      start: match.index,
      end: match.index + match[0].length,
      isDisplay: (match[1] ?? match[2]) !== undefined,
    }))
    .filter(({ source }) => TEX.test(source));
}

function writeTex(page: PageWriter, tex: string, isDisplay: boolean): void {
  const { writer } = page;
  if (tex === '') return;
  if (isDisplay && writer.flatness === 'none') writer.block([`$$${tex}$$`]);
  else writer.inline(isDisplay ? `$$${escapePipes(page, tex)}$$` : `$${escapePipes(page, tex)}$`);
}

/** A pipe ends a table cell (GFM 4.10). */
function escapePipes(page: PageWriter, tex: string): string {
  return page.writer.flatness === 'cell' ? tex.replaceAll('|', '\\|') : tex;
}

function isDisplayed({ attribs }: Element): boolean {
  return (
    attribs['display'] === 'block' ||
    attribs['display'] === 'true' ||
    attribs['mode'] === 'display' ||
    /(?:^|[\s_-])(?:display|block)(?:\s|$)/i.test(attribs['class'] ?? '')
  );
}

/** Also what is hidden counts: MediaWiki hides the MathML that its picture stands for. */
function find(element: Element, isWanted: (element: Element) => boolean): Element | undefined {
  for (const child of element.children) {
    if (!isTag(child)) continue;
    const found = isWanted(child) ? child : find(child, isWanted);
    if (found) return found;
  }
  return undefined;
}

function hasScript(element: Element): boolean {
  for (let node: AnyNode | null = element.next; node; node = node.next)
    if (isTag(node)) {
      if (node.name === 'script' && node.attribs['type']?.startsWith('math/tex') === true) return true;
      if (!/MathJax/.test(node.attribs['class'] ?? '')) return false;
    }
  return false;
}

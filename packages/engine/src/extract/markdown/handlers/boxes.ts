// Writes boxes whose class says what they are: admonitions as quotes with their title in bold, code that is no `<pre>`, formulas.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { blockText, foldSpace } from '../../../html/text.ts';
import { writeCode } from './blocks.ts';
import { languageOf, textOfCode } from './code.ts';
import { mathBox, mathJax } from './math.ts';
import type { PageWriter } from '../page-writer.ts';
import { DOCBOOK_BOX } from './class-roles.ts';

/** An element that stands on lines of its own, as what its class says it is. */
export function box(page: PageWriter, element: Element): void {
  const role = page.roles.of(element);
  if (role === undefined) page.block(element);
  else if (role === 'math') mathBox(page, element);
  else if (role === 'mathjax') mathJax(page, element);
  else if (role === 'fragment' && element.children.some(isLine)) fragment(page, element);
  else if (role !== 'admonition' || !admonition(page, element)) page.block(element);
}

/** An element in a line, as what its class says it is. */
export function span(page: PageWriter, element: Element): void {
  const role = page.roles.of(element);
  if (role === 'math') mathBox(page, element);
  else if (role === 'mathjax') mathJax(page, element);
  else page.visitChildren(element);
}

/** Code that is no `<pre>`: what stands between its lines is no text. */
function fragment(page: PageWriter, element: Element): void {
  const lines = element.children.filter(isTag).map((line) => (page.isLeftOut(line) ? '' : textOfCode(line, page.isLeftOut).trimEnd()));
  writeCode(page, lines.join('\n'), languageOf(element));
}

function isLine(node: Element['children'][number]): boolean {
  return isTag(node) && /(?:^|\s)line(?:\s|$)/.test(node.attribs['class'] ?? '');
}

/** False, and nothing written, for a box that only shares its name with one. */
function admonition(page: PageWriter, element: Element): boolean {
  const title = titleOf(page, element);
  if (title === undefined && DOCBOOK_BOX.test(element.attribs['class'] ?? '')) return false;
  const { writer } = page;
  writer.boundary(2);
  writer.container('> ', '> ', () => {
    if (title) writeTitle(page, title);
    page.visitChildren(element);
  });
  writer.boundary(2);
  return true;
}

interface Title {
  readonly text: string;
  readonly element: Element;
}

/** How many elements of a box are looked at for its title, which stands first. */
const LOOKED_AT_MAX = 12;

/** The first element that a class, a heading or a header cell marks as the title. */
function titleOf(page: PageWriter, box: Element): Title | undefined {
  const pending: Element[] = box.children.filter(isTag).toReversed();
  const isDocBook = DOCBOOK_BOX.test(box.attribs['class'] ?? '');
  for (let seen = 0; seen < LOOKED_AT_MAX; seen++) {
    const element = pending.pop();
    if (!element) return undefined;
    const isTitle =
      page.roles.of(element) === 'title' ||
      (isDocBook && (element.name === 'th' || (/^h\d$/.test(element.name) && element.parent === box))) ||
      (element.name === 'td' && /(?:^|\s)icon(?:\s|$)/.test(element.attribs['class'] ?? ''));
    if (isTitle) {
      const text = foldSpace(blockText(element.children)).trim() || titleAttributeBelow(element);
      return text === '' ? undefined : { text, element };
    }
    pending.push(...element.children.filter(isTag).toReversed());
  }
  return undefined;
}

/** An icon says in its title or description what kind of box it heads. */
function titleAttributeBelow(element: Element): string {
  for (const child of element.children) {
    if (!isTag(child)) continue;
    const said = child.attribs['title'] ?? child.attribs['alt'] ?? titleAttributeBelow(child);
    if (said !== '') return said;
  }
  return '';
}

function writeTitle(page: PageWriter, { text, element }: Title): void {
  const { writer } = page;
  page.leaveOut(element);
  const strong = writer.open('strong');
  writer.text(text);
  writer.close(strong);
  writer.boundary(2);
}

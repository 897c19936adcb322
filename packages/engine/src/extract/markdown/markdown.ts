// Turns a part of a page into Markdown: CommonMark 0.31 with GFM's tables, task lists and strikethrough.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { Addresses } from '../../html/address.ts';
import { fencedCode, inlineCode, languageOf, textOfCode } from './code.ts';
import { isHidden, shapeOfLink, sourceOfImage } from './elements.ts';
import { isLayout, readTable } from './table-grid.ts';
import { writeTable } from './table.ts';
import { MarkdownWriter } from './writer.ts';
import type { FormatKind } from './formats.ts';
import type { ListState } from './writer.ts';

export interface MarkdownOptions {
  /** What the addresses of the page resolve against. */
  readonly baseUrl: string;
  /** Nodes to leave out, with everything below them. */
  readonly excluded?: ReadonlySet<AnyNode>;
}

/**
 * The Markdown of `nodes` in order, ended by a line break; '' when they show nothing. Addresses are absolute; what a browser hides
 * and what is not text (scripts, form fields, drawings) is left out. Reads the tree only; the tree must be depth-capped.
 */
export function toMarkdown(nodes: readonly AnyNode[], options: MarkdownOptions): string {
  const page = new PageWriter(options);
  nodes.forEach(page.visit);
  return page.writer.finish();
}

type Handler = (page: PageWriter, element: Element) => void;

class PageWriter {
  readonly writer = new MarkdownWriter();
  readonly addresses: Addresses;
  readonly excluded: ReadonlySet<AnyNode> | undefined;
  /** The picture written last, so that a copy for browsers without scripts is not written again. */
  lastImage = '';
  /** The writer's mark right behind a term, to which its definition is joined. */
  termMark = -1;
  /** The list that ended last at `mark`; a list that follows at once needs another marker. */
  endedList: { readonly mark: number; readonly marker: string } = { mark: -1, marker: '' };

  constructor(options: MarkdownOptions) {
    this.addresses = new Addresses(options.baseUrl);
    this.excluded = options.excluded?.size ? options.excluded : undefined;
  }

  readonly visit = (node: AnyNode): void => {
    if (this.excluded?.has(node)) return;
    if (node.type === 'text') this.writer.text(node.data);
    else if (isTag(node)) {
      const handler = HANDLERS.get(node.name);
      if (handler === skip || isHidden(node)) return;
      if (handler) handler(this, node);
      else this.visitChildren(node);
    } else if (node.type === 'root') node.children.forEach(this.visit);
  };

  visitChildren(element: Element): void {
    const { children } = element;
    for (let i = 0; i < children.length; i++) this.visit(children[i] as AnyNode);
  }

  block(element: Element): void {
    this.writer.boundary(2);
    this.visitChildren(element);
    this.writer.boundary(2);
  }
}

function skip(): void {}

function block(page: PageWriter, element: Element): void {
  page.block(element);
}

function format(kind: Exclude<FormatKind, 'link'>): Handler {
  return (page, element) => {
    const opened = page.writer.open(kind);
    page.visitChildren(element);
    page.writer.close(opened);
  };
}

function heading(level: number): Handler {
  const marker = `${'#'.repeat(level)} `;
  return (page, element) => {
    page.writer.boundary(2);
    page.writer.wakeLinks();
    page.writer.heading(marker, () => page.visitChildren(element));
    page.writer.boundary(2);
  };
}

function link(page: PageWriter, element: Element): void {
  const href = element.attribs['href']?.trim() ?? '';
  const address = href === '' || href === '#' || page.writer.isInside('link') ? undefined : page.addresses.resolve(href);
  if (address === undefined) {
    page.visitChildren(element);
    return;
  }
  const shape = shapeOfLink(element);
  const opened = page.writer.openLink(destination(page, address), shape.hasHeading, shape.hasBlock && shape.hasText);
  page.visitChildren(element);
  page.writer.close(opened);
}

const UNSAFE_IN_LINK = /[\s<>\\()|]/;

/** An address that a link can hold without angle brackets (CommonMark section 6.3): parentheses balanced or escaped. */
function destination(page: PageWriter, address: string): string {
  if (!UNSAFE_IN_LINK.test(address)) return address;
  let text = address.replace(/[\s<>\\]/g, encodeURIComponent);
  if (page.writer.flatness === 'cell' && text.includes('|')) text = text.replaceAll('|', '%7C');
  return !isBalanced(text) ? text.replace(/[()]/g, '\\$&') : text;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
    if (depth > 30) return false;
  }
  return depth === 0;
}

function image(page: PageWriter, element: Element): void {
  const source = sourceOfImage(element);
  const address = source === undefined ? undefined : page.addresses.resolve(source);
  const alt = element.attribs['alt']?.trim() ?? '';
  if (address === undefined) {
    if (alt !== '' && source === undefined && element.attribs['src']?.startsWith('data:')) page.writer.text(alt);
    return;
  }
  if (address === page.lastImage && isInNoscript(element)) return;
  page.lastImage = address;
  const written = alt.replace(/\s+/g, ' ').replace(/[\\`*_[\]<&|~]/g, '\\$&');
  page.writer.inline(`![${written}](${destination(page, address)})`);
}

function isInNoscript(element: Element): boolean {
  return element.parent !== null && isTag(element.parent) && element.parent.name === 'noscript';
}

function code(page: PageWriter, element: Element): void {
  if (element.children.some((child) => isTag(child) && child.name === 'pre')) {
    page.visitChildren(element);
    return;
  }
  const text = textOfCode(element, page.excluded).replace(/\s+/g, ' ');
  if (text.trim() === '') {
    if (text !== '') page.writer.blank();
    return;
  }
  writeInlineCode(page, text);
}

function writeInlineCode(page: PageWriter, text: string): void {
  if (text.startsWith(' ')) page.writer.blank();
  const inCell = page.writer.flatness === 'cell';
  page.writer.inlineCode(text.trim(), (joined) => (inCell ? inlineCode(joined).replaceAll('|', '\\|') : inlineCode(joined)));
  if (text.endsWith(' ')) page.writer.blank();
}

function pre(page: PageWriter, element: Element): void {
  const { writer } = page;
  const text = textOfCode(element, page.excluded);
  writer.boundary(2);
  if (writer.flatness === 'none') {
    const lines = fencedCode(text, languageOf(element));
    if (lines.length > 0) writer.block(lines);
    return;
  }
  for (const line of text.split('\n')) {
    if (line.trim() !== '') writeInlineCode(page, line.trimEnd());
    writer.boundary(1);
  }
}

function blockquote(page: PageWriter, element: Element): void {
  page.writer.boundary(2);
  page.writer.container('> ', '> ', () => page.visitChildren(element));
  page.writer.boundary(2);
}

function rule(page: PageWriter): void {
  const { writer } = page;
  writer.boundary(2);
  if (writer.flatness === 'none') writer.block([writer.atContainerStart ? '___' : '---']);
}

function list(page: PageWriter, element: Element): void {
  const { writer } = page;
  const isOrdered = element.name === 'ol';
  const start = isOrdered ? startOf(element) : 1;
  const outer = writer.list;
  writer.boundary(2);
  if (outer && !outer.loose && start === 1 && isInItem(element)) writer.overrideGap(1);
  const followsList = page.endedList.mark === writer.mark;
  const marker = markerOf(isOrdered, followsList ? page.endedList.marker : '');
  const state: ListState = { loose: hasParagraphItem(element) };
  let number = start;
  let indent = '';
  for (const child of element.children) {
    if (page.excluded?.has(child)) continue;
    if (!isTag(child) || child.name !== 'li') {
      writeBesideItems(page, child, state, indent);
    } else if (!isHidden(child)) {
      const text = isOrdered ? `${number}${marker} ` : `${marker} `;
      if (indent !== '') separate(writer, state);
      writeItem(page, child, state, text);
      indent = ' '.repeat(text.length);
      number++;
    }
  }
  writer.list = outer;
  writer.boundary(2);
  page.endedList = { mark: writer.mark, marker };
}

/** Between two items: a blank line in a loose list only. */
function separate(writer: MarkdownWriter, state: ListState): void {
  writer.boundary(1);
  writer.overrideGap(state.loose ? 2 : 1);
}

/** What broken pages put between items: a list belongs to the item above, the rest stands alone. */
function writeBesideItems(page: PageWriter, node: AnyNode, state: ListState, indent: string): void {
  const { writer } = page;
  const handler = isTag(node) ? HANDLERS.get(node.name) : undefined;
  if (handler === list && indent !== '') {
    separate(writer, state);
    writer.container(indent, indent, () => page.visit(node));
  } else if (isTag(node) ? handler !== skip : node.type === 'text' && /\S/.test(node.data)) {
    writer.boundary(2);
    page.visit(node);
    writer.boundary(2);
  }
}

/** Two lists in a row would be read as one if they had the same marker (CommonMark section 5.3). */
function markerOf(isOrdered: boolean, before: string): string {
  if (isOrdered) return before === '.' ? ')' : '.';
  return before === '-' ? '*' : '-';
}

function startOf(list: Element): number {
  const start = Number.parseInt(list.attribs['start'] ?? '1', 10);
  return start >= 0 && start <= 999_999_999 ? start : 1;
}

function isInItem(list: Element): boolean {
  return list.parent !== null && isTag(list.parent) && list.parent.name === 'li';
}

/** An item whose text is a paragraph makes the list a loose one. */
function hasParagraphItem(list: Element): boolean {
  return list.children.some(
    (item) => isTag(item) && item.name === 'li' && item.children.some((child) => isTag(child) && child.name === 'p'),
  );
}

function writeItem(page: PageWriter, item: Element, state: ListState, marker: string): void {
  const { writer } = page;
  const outer = writer.list;
  page.endedList = { mark: -1, marker: '' };
  const keepsEmpty = marker.length > 2;
  writer.container(
    marker,
    ' '.repeat(marker.length),
    () => {
      writer.list = state;
      page.visitChildren(item);
    },
    keepsEmpty,
  );
  writer.list = outer;
}

/** An item outside any list, as broken pages have them. */
function strayItem(page: PageWriter, element: Element): void {
  page.writer.boundary(1);
  page.writer.container('- ', '  ', () => page.visitChildren(element));
  page.writer.boundary(1);
}

function input(page: PageWriter, element: Element): void {
  const { writer } = page;
  if (element.attribs['type']?.toLowerCase() !== 'checkbox' || !writer.list || !writer.atContainerStart) return;
  writer.inline(element.attribs['checked'] === undefined ? '[ ]' : '[x]');
  writer.blank();
}

function table(page: PageWriter, element: Element): void {
  const { caption, rows } = readTable(element, page.excluded);
  if (page.writer.flatness !== 'none' || isLayout(element, rows)) {
    page.block(element);
    return;
  }
  if (caption) page.block(caption);
  writeTable(page.writer, rows, page.visit);
  page.writer.boundary(2);
}

function term(page: PageWriter, element: Element): void {
  page.block(element);
  page.termMark = page.writer.mark;
}

/** Definitions in the widespread `: definition` form, since GFM has none. */
function definition(page: PageWriter, element: Element): void {
  const { writer } = page;
  writer.boundary(2);
  if (page.termMark === writer.mark) writer.overrideGap(1);
  writer.container(': ', '  ', () => page.visitChildren(element));
  writer.boundary(2);
}

function summary(page: PageWriter, element: Element): void {
  page.writer.boundary(2);
  format('strong')(page, element);
  page.writer.boundary(2);
}

/** A dialog is shown only while it is open. */
function dialog(page: PageWriter, element: Element): void {
  if (element.attribs['open'] !== undefined) page.block(element);
}

function button(page: PageWriter, element: Element): void {
  page.writer.blank();
  page.visitChildren(element);
  page.writer.blank();
}

function quote(page: PageWriter, element: Element): void {
  page.writer.text('"');
  page.visitChildren(element);
  page.writer.text('"');
}

/** An embedded document is worth a link where the page gives it a name. */
function frame(page: PageWriter, element: Element): void {
  const title = element.attribs['title']?.trim() ?? '';
  const address = page.addresses.resolve(element.attribs['src'] ?? '');
  if (title === '' || !address?.startsWith('http')) return;
  const opened = page.writer.isInside('link') ? undefined : page.writer.openLink(destination(page, address), false, false);
  if (opened) page.writer.text(title);
  page.writer.close(opened);
}

/** Formulas carry their source in an annotation (MathML 4, section 6.2); without one their text is written. */
function math(page: PageWriter, element: Element): void {
  const source = texOf(element);
  if (source === undefined) page.visitChildren(element);
  else page.writer.inline(`$${source.replace(/\s+/g, ' ').trim()}$`);
}

function texOf(element: Element): string | undefined {
  for (const child of element.children) {
    if (!isTag(child)) continue;
    if (child.name === 'annotation' && child.attribs['encoding'] === 'application/x-tex') return textOfCode(child, undefined);
    const inner = texOf(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const SKIPPED =
  'script style template head title meta link base svg canvas object embed applet audio video source track param map area ' +
  'select datalist option textarea progress meter noembed noframes colgroup col annotation annotation-xml';
const BLOCK_NAMES =
  'address article aside body center details dir div dl fieldset figcaption figure footer form header hgroup html legend main nav ' +
  'p search section caption tbody td tfoot th thead tr optgroup frameset';

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...SKIPPED.split(' ').map((name): [string, Handler] => [name, skip]),
  ...BLOCK_NAMES.split(' ').map((name): [string, Handler] => [name, block]),
  ...[1, 2, 3, 4, 5, 6].map((level): [string, Handler] => [`h${level}`, heading(level)]),
  ...['b', 'strong'].map((name): [string, Handler] => [name, format('strong')]),
  ...['i', 'em'].map((name): [string, Handler] => [name, format('em')]),
  ...['s', 'del', 'strike'].map((name): [string, Handler] => [name, format('strike')]),
  ['sup', format('sup')],
  ['sub', format('sub')],
  ...['code', 'kbd', 'samp', 'tt'].map((name): [string, Handler] => [name, code]),
  ...['pre', 'xmp', 'listing', 'plaintext'].map((name): [string, Handler] => [name, pre]),
  ...['ul', 'ol', 'menu'].map((name): [string, Handler] => [name, list]),
  ['li', strayItem],
  ['a', link],
  ['img', image],
  ['br', (page) => page.writer.lineBreak()],
  ['hr', rule],
  ['blockquote', blockquote],
  ['table', table],
  ['input', input],
  ['dt', term],
  ['dd', definition],
  ['summary', summary],
  ['dialog', dialog],
  ['button', button],
  ['q', quote],
  ['iframe', frame],
  ['math', math],
]);

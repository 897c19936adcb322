// Writes lists, their items, and terms with their definitions.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { format } from './inlines.ts';
import { skip } from '../page-writer.ts';
import type { PageWriter } from '../page-writer.ts';
import type { ListState, MarkdownWriter } from '../writer.ts';

/** An ordered or unordered list, tight unless an item holds paragraphs. */
export function list(page: PageWriter, element: Element): void {
  const { writer } = page;
  const isOrdered = element.name === 'ol';
  const start = isOrdered ? startOf(element) : 1;
  const outer = writer.list;
  writer.boundary(2);
  if (outer && !outer.loose && start === 1) writer.overrideGap(1);
  const followsList = page.endedList.mark === writer.mark;
  const marker = markerOf(isOrdered, followsList ? page.endedList.marker : '');
  const state: ListState = { loose: hasParagraphItem(element) };
  let number = start;
  let indent = '';
  for (const child of element.children) {
    if (page.isLeftOut(child)) continue;
    if (!isTag(child) || child.name !== 'li') {
      writeBesideItems(page, child, state, indent);
    } else if (page.notes?.write(page, child) !== true) {
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
  const handler = isTag(node) ? page.handlers.get(node.name) : undefined;
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
export function strayItem(page: PageWriter, element: Element): void {
  page.writer.boundary(1);
  page.writer.container('- ', '  ', () => page.visitChildren(element));
  page.writer.boundary(1);
}

/** The term of a definition list, in bold. */
export function term(page: PageWriter, element: Element): void {
  const { writer } = page;
  writer.boundary(2);
  format('strong')(page, element);
  writer.boundary(2);
  page.termMark = writer.mark;
}

/** A definition as an item right below its term, since GFM has no definition lists. */
export function definition(page: PageWriter, element: Element): void {
  const { writer } = page;
  writer.boundary(2);
  if (page.termMark === writer.mark) writer.overrideGap(1);
  writer.container('- ', '  ', () => page.visitChildren(element));
  writer.boundary(2);
  page.termMark = writer.mark;
}

// Writes links, pictures, inline code and inline formats.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { inlineCode, textOfCode } from './code.ts';
import { placeOn } from '../../../url/route.ts';
import { isOwnPlace } from '../../furniture.ts';
import { destination } from '../destination.ts';
import { shapeOfLink, sourceOfImage } from '../elements.ts';
import type { FormatKind } from '../formats.ts';
import { formulaImage } from './math.ts';
import type { Handler, PageWriter } from '../page-writer.ts';
import { isFormula } from './class-roles.ts';

/** An emphasis, strikethrough, superscript or subscript. */
export function format(kind: Exclude<FormatKind, 'link'>): Handler {
  return (page, element) => {
    const opened = page.writer.open(kind);
    page.visitChildren(element);
    page.writer.close(opened);
  };
}

/** A link; its text alone where the address leads nowhere or to the heading that it is, runs code or stands in another link. */
export function link(page: PageWriter, element: Element): void {
  const href = element.attribs['href']?.trim() ?? '';
  const address = href === '' || href === '#' || page.writer.isInside('link') ? undefined : page.addresses.resolve(href);
  const place = address === undefined ? undefined : placeOn(page.baseUrl, address);
  if (address === undefined || (place !== undefined && isOwnPlace(element, place))) {
    page.visitChildren(element);
    return;
  }
  const shape = shapeOfLink(element);
  const opened = page.writer.openLink(
    destination(address, page.writer.flatness === 'cell'),
    shape.hasHeading,
    shape.hasBlock && shape.hasText,
  );
  page.visitChildren(element);
  page.writer.close(opened);
}

/** A picture with an absolute address; only its description when it is given as data. */
export function image(page: PageWriter, element: Element): void {
  if (isFormula(element) && formulaImage(page, element)) return;
  const source = sourceOfImage(element);
  const address = source === undefined ? undefined : page.addresses.resolve(source);
  const alt = element.attribs['alt']?.trim() ?? '';
  if (address === undefined) {
    // Letters stand apart from the text beside the picture; a sign such as an emoji may stand in a word.
    const said = /^[\p{L}\p{N}]/u.test(alt) ? ` ${alt} ` : alt;
    if (alt !== '' && source === undefined && element.attribs['src']?.startsWith('data:')) page.writer.text(said);
    return;
  }
  if (address === page.lastImage && isInNoscript(element)) return;
  page.lastImage = address;
  const written = alt.replace(/\s+/g, ' ').replace(/[\\`*_[\]<&|~]/g, '\\$&');
  page.writer.inline(`![${written}](${destination(address, page.writer.flatness === 'cell')}${imageTitle(page, element, alt)})`);
}

/** A title that says more than the description. */
function imageTitle(page: PageWriter, { attribs }: Element, alt: string): string {
  const title = (attribs['title'] ?? '').replace(/\s+/g, ' ').trim();
  if (title === '' || alt.includes(title)) return '';
  return ` "${escapePipes(page, title.replace(/[\\"<&]/g, '\\$&'))}"`;
}

function isInNoscript(element: Element): boolean {
  return element.parent !== null && isTag(element.parent) && element.parent.name === 'noscript';
}

/** An abbreviation, at its first place with what it stands for, which Markdown has no other way to say. */
export function abbreviation(page: PageWriter, element: Element): void {
  page.visitChildren(element);
  const title = (element.attribs['title'] ?? '').replace(/\s+/g, ' ').trim();
  if (title === '' || page.explained.has(title)) return;
  page.explained.add(title);
  const says = (node: AnyNode | null) => node?.type === 'text' && node.data.includes(title);
  if (!says(element.next) && !says(element.prev)) page.writer.text(` (${title})`);
}

/** Inline code, its white space folded. */
export function code(page: PageWriter, element: Element): void {
  if (element.children.some((child) => isTag(child) && child.name === 'pre')) {
    page.visitChildren(element);
    return;
  }
  const text = textOfCode(element, page.isLeftOut).replace(/\s+/g, ' ');
  if (text.trim() === '') {
    if (text !== '') page.writer.blank();
    return;
  }
  writeInlineCode(page, text);
}

/** Writes `text` as a code span, blanks at its borders outside. */
export function writeInlineCode(page: PageWriter, text: string): void {
  if (text.startsWith(' ')) page.writer.blank();
  page.writer.inlineCode(text.trim(), (joined) => escapePipes(page, inlineCode(joined)));
  if (text.endsWith(' ')) page.writer.blank();
}

/** A pipe ends a table cell even inside code (GFM 4.10). */
function escapePipes(page: PageWriter, markdown: string): string {
  return page.writer.flatness === 'cell' ? markdown.replaceAll('|', '\\|') : markdown;
}

/** A checkbox that begins a list item, as the mark of a task; no other field. */
export function input(page: PageWriter, element: Element): void {
  const { writer } = page;
  if (element.attribs['type']?.toLowerCase() !== 'checkbox' || !writer.list || !writer.atContainerStart) return;
  writer.inline(element.attribs['checked'] === undefined ? '[ ]' : '[x]');
  writer.blank();
}

/** The words of a button, apart from those beside it. */
export function button(page: PageWriter, element: Element): void {
  page.writer.blank();
  page.visitChildren(element);
  page.writer.blank();
}

/** An inline quote in the marks that a browser adds. */
export function quote(page: PageWriter, element: Element): void {
  page.writer.text('"');
  page.visitChildren(element);
  page.writer.text('"');
}

/** An embedded document is worth a link where the page gives it a name. */
export function frame(page: PageWriter, element: Element): void {
  const title = element.attribs['title']?.trim() ?? '';
  const address = page.addresses.resolve(element.attribs['src'] ?? '');
  if (title === '' || !address?.startsWith('http')) return;
  const opened = page.writer.isInside('link')
    ? undefined
    : page.writer.openLink(destination(address, page.writer.flatness === 'cell'), false, false);
  if (opened) page.writer.text(title);
  page.writer.close(opened);
}

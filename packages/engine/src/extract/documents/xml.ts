// Parses XML into a small tree. Declared entities are never expanded, so there is nothing to blow up or to fetch.
import { PageError } from '../../errors.ts';

/** One element with its content in order; comments and processing instructions are left out. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

/** A document with more elements is refused with `page_too_complex`. */
export const XML_ELEMENTS_MAX = 1_000_000;
/** Elements below this depth become children of the element at it. */
export const XML_DEPTH_MAX = 256;

/** The root element, errors mended as far as the parser can; undefined when there is none. */
export async function parseXml(text: string): Promise<XmlElement | undefined> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: false });
  const builder = new XmlBuilder();
  parser.on('error', () => undefined);
  parser.on('opentag', (tag) => builder.open(tag.name, tag.attributes));
  parser.on('closetag', () => builder.close());
  parser.on('text', (data) => builder.text(data));
  parser.on('cdata', (data) => builder.text(data));
  parser.write(text).close();
  return builder.root;
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[];
}

class XmlBuilder {
  root: XmlElement | undefined;
  private readonly stack: OpenElement[] = [];
  private depth = 0;
  private count = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.count > XML_ELEMENTS_MAX)
      throw new PageError('page_too_complex', `The document has more than ${XML_ELEMENTS_MAX} elements.`);
    const element: OpenElement = { name, attributes, children: [] };
    this.stack.at(-1)?.children.push(element);
    this.root ??= element;
    if (this.depth++ < XML_DEPTH_MAX) this.stack.push(element);
  }

  close(): void {
    if (this.depth-- <= XML_DEPTH_MAX) this.stack.pop();
  }

  text(data: string): void {
    this.stack.at(-1)?.children.push(data);
  }
}

/** Tells elements from text. */
export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== 'string';
}

/** The child elements in order. */
export function elementsOf(element: XmlElement): XmlElement[] {
  return element.children.filter(isElement);
}

/** The name without its prefix, in lower case. */
export function localName(element: XmlElement): string {
  return element.name.slice(element.name.indexOf(':') + 1).toLowerCase();
}

/** The text of the element and everything in it, trimmed. */
export function textOf(element: XmlElement): string {
  let text = '';
  const visit = (node: XmlElement | string): void => {
    if (isElement(node)) node.children.forEach(visit);
    else text += node;
  };
  visit(element);
  return text.trim();
}

/** The content of the element as markup again, for XHTML that stands in a feed. */
export function innerMarkup(element: XmlElement): string {
  const write = (node: XmlElement | string): string => {
    if (!isElement(node)) return escapeMarkup(node);
    const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
    return `<${localName(node)}${attributes.join('')}>${node.children.map(write).join('')}</${localName(node)}>`;
  };
  return element.children.map(write).join('');
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** An element as a value: its text, or a record when it has attributes or elements. */
export function valueOf(element: XmlElement): unknown {
  return hasParts(element) ? recordOf(element) : textOf(element);
}

/** True when the element is more than a text. */
export function hasParts(element: XmlElement): boolean {
  return element.children.some(isElement) || Object.keys(element.attributes).some((name) => !name.startsWith('xmlns'));
}

/** Attributes as `@name`, child elements by name, those that repeat as arrays, the text beside attributes as `#text`. */
export function recordOf(element: XmlElement): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(element.attributes)) if (!name.startsWith('xmlns')) record[`@${name}`] = text;
  const children = elementsOf(element);
  for (const [name, group] of Map.groupBy(children, (child) => child.name)) {
    record[name] = group.length === 1 ? valueOf(group[0] as XmlElement) : group.map(valueOf);
  }
  if (children.length === 0) record['#text'] = textOf(element);
  return record;
}

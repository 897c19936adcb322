// An XML document as a tree that selectors run on: names as written, no meaning of HTML.
import type { AnyNode } from 'domhandler';
import { Document, Element, isTag, Text } from 'domhandler';
import type { XmlElement } from '../../extract/documents/xml.ts';
import { isElement, parseXml } from '../../extract/documents/xml.ts';
import { blockText, collapse } from '../../html/text.ts';
import type { PageTree } from '../../html/tree.ts';
import { parseTree } from '../../html/tree.ts';

/** The tree of an XML text, errors mended as far as the parser can; undefined where it has no root. */
export async function parseXmlTree(text: string, url: string): Promise<PageTree | undefined> {
  const parsed = await parseXml(text);
  if (!parsed) return undefined;
  const top = elementOf(parsed);
  const root = new Document([top]);
  link(root.children, root);
  return { url, baseUrl: url, root, html: top, head: top, body: top, hidden: [], isXml: true, findings: new Map() };
}

/** Recursion is bounded by the depth cap of the parser. */
function elementOf({ name, attributes, children }: XmlElement): Element {
  const element = new Element(
    name,
    { ...attributes },
    children.map((child) => (isElement(child) ? elementOf(child) : new Text(child))),
  );
  link(element.children, element);
  return element;
}

function link(children: readonly AnyNode[], parent: Document | Element): void {
  children.forEach((child, place) => {
    child.parent = parent;
    // The list holds children of one parent, as these members want them.
    child.prev = (children[place - 1] ?? null) as typeof child.prev;
    child.next = (children[place + 1] ?? null) as typeof child.next;
  });
}

/** The text of an XML element: a line for each element without elements; markup in a text, as feeds have it, is read as a page. */
export function textOfXml(element: Element): string {
  const lines: string[] = [];
  const visit = (node: AnyNode): void => {
    if (isTag(node)) node.children.forEach(visit);
    else if ('data' in node && node.data.trim() !== '') lines.push(shownText(node.data));
  };
  visit(element);
  return lines.filter((line) => line !== '').join('\n');
}

function shownText(text: string): string {
  return /<\w/.test(text) ? blockText([parseTree(text, 'about:blank').body]) : collapse(text);
}

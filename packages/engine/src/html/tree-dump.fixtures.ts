// Writes a tree in the form of the html5lib tests: one node a line, two blanks a level, attributes below their element by name.
import type { AnyNode, Document, Element, ProcessingInstruction } from 'domhandler';
import { isComment, isDirective, isTag, isText } from 'domhandler';

const NAMESPACES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/svg': 'svg ',
  'http://www.w3.org/1998/Math/MathML': 'math ',
};

/** All nodes below `root`. */
export function dumpTree(root: Document): string {
  return root.children.flatMap((node) => linesOf(node, 0)).join('\n');
}

function linesOf(node: AnyNode, depth: number): string[] {
  const line = (text: string, at = depth) => `| ${'  '.repeat(at)}${text}`;
  if (isText(node)) return [line(`"${node.data}"`)];
  if (isComment(node)) return [line(`<!-- ${node.data} -->`)];
  if (isDirective(node)) return [line(doctypeOf(node))];
  if (!isTag(node)) return [];
  const attributes = Object.keys(node.attribs).map((name) => line(`${attributeName(node, name)}="${node.attribs[name]}"`, depth + 1));
  const content = node.name === 'template' && node.namespace === 'http://www.w3.org/1999/xhtml' ? [line('content', depth + 1)] : [];
  const children = node.children.flatMap((child) =>
    child.type === 'root' ? child.children.flatMap((inner) => linesOf(inner, depth + 2)) : linesOf(child, depth + 1),
  );
  return [line(`<${NAMESPACES[node.namespace ?? ''] ?? ''}${node.name}>`), ...attributes.toSorted(), ...content, ...children];
}

function attributeName(element: Element, name: string): string {
  const prefix = element['x-attribsPrefix']?.[name];
  return prefix ? `${prefix} ${name}` : name;
}

function doctypeOf(node: ProcessingInstruction): string {
  const { 'x-name': name = '', 'x-publicId': publicId, 'x-systemId': systemId } = node;
  const ids = publicId || systemId ? ` "${publicId ?? ''}" "${systemId ?? ''}"` : '';
  return `<!DOCTYPE ${name}${ids}>`;
}

/** The same on one line: `html(head body(p{class=a}("text" br) <!--comment-->))`. */
export function shortTree(root: Document): string {
  return root.children.map(shortOf).join(' ');
}

function shortOf(node: AnyNode): string {
  if (isText(node)) return JSON.stringify(node.data);
  if (isComment(node)) return `<!--${node.data}-->`;
  if (isDirective(node)) return doctypeOf(node);
  if (!isTag(node)) return 'children' in node ? `#${childrenOf(node.children)}` : '';
  const attributes = Object.keys(node.attribs).map((name) => `${attributeName(node, name)}=${node.attribs[name]}`);
  const name = `${(NAMESPACES[node.namespace ?? ''] ?? '').replace(' ', ':')}${node.name}`;
  return `${name}${attributes.length > 0 ? `{${attributes.join(' ')}}` : ''}${childrenOf(node.children)}`;
}

function childrenOf(children: readonly AnyNode[]): string {
  return children.length > 0 ? `(${children.map(shortOf).join(' ')})` : '';
}

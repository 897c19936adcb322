// Shadow roots and frames in the flattened copy of a rendered page: boxes that hold what the browser keeps apart.
import { selectAll } from 'css-select';
import type { Options } from 'css-select';
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { elementsBelow, textContentOf } from '../walk.ts';

/** The box of an open shadow root: the first child of its host. */
export function isShadowBox(node: AnyNode): boolean {
  return isTag(node) && node.name === 'div' && node.attribs['data-shadow'] === 'open' && node.parent?.children[0] === node;
}

/** The box of what a frame holds: behind its element. */
export function isFrameBox(node: AnyNode): boolean {
  return isTag(node) && node.name === 'div' && node.attribs['data-frame'] !== undefined;
}

/**
 * Where DevTools goes on from an element that one part of a selector found: into its shadow root, or into the document of the frame that
 * it is; else into the element itself. Undefined for a frame whose document is not in the copy.
 */
export function innerRootOf(element: Element): Element | undefined {
  const [first] = element.children;
  if (first && isTag(first) && isShadowBox(first)) return first;
  if (element.name !== 'iframe' && element.name !== 'frame') return element;
  const { next } = element;
  return next && isTag(next) && isFrameBox(next) ? next : undefined;
}

/**
 * What CSS finds in the page and in each open shadow root by itself, as a browser looks there: combinators end at a root, and what lies in
 * a root is nobody's sibling outside. Frames are not entered. Only in `roots` and the shadow roots inside them. In document order.
 */
export function pierceCss(expression: string, tree: PageTree, roots: readonly ParentNode[] = [tree.root]): readonly Element[] {
  const found = new Set<Element>();
  const pending = [...roots];
  for (let root = pending.pop(); root; root = pending.pop()) {
    for (const element of selectAll<AnyNode, Element>(expression, childrenIn(root), { adapter: ROOT_ADAPTER })) found.add(element);
    pending.push(...boxesBelow(root));
  }
  return [...elementsBelow(tree.root)].filter((element) => found.has(element));
}

/** Shadow boxes below `root` that are in no other box. */
function boxesBelow(root: ParentNode): readonly Element[] {
  const boxes: Element[] = [];
  const pending: ParentNode[] = [root];
  for (let top = pending.pop(); top; top = pending.pop()) {
    for (const child of top.children) {
      if (!isTag(child)) continue;
      if (isShadowBox(child)) boxes.push(child);
      else if (!isFrameBox(child)) pending.push(child);
    }
  }
  return boxes;
}

function childrenIn(node: AnyNode | ParentNode): AnyNode[] {
  if (!('children' in node)) return [];
  return node.children.some(isBox) ? node.children.filter((child) => !isBox(child)) : node.children;
}

function isBox(node: AnyNode): boolean {
  return isShadowBox(node) || isFrameBox(node);
}

function siblingsIn(node: AnyNode): AnyNode[] {
  return node.parent ? childrenIn(node.parent) : [node];
}

/** The tree as it is inside one root. */
const ROOT_ADAPTER: NonNullable<Options<AnyNode, Element>['adapter']> = {
  isTag,
  getAttributeValue: (element, name) => element.attribs[name],
  getChildren: childrenIn,
  getName: ({ name }) => name,
  getParent: ({ parent }) => (parent && isBox(parent) ? null : parent),
  getSiblings: siblingsIn,
  prevElementSibling(node) {
    for (let at = node.prev; at; at = at.prev) if (isTag(at) && !isBox(at)) return at;
    return null;
  },
  getText: (node) => ('children' in node ? textContentOf(node) : 'data' in node ? node.data : ''),
  hasAttrib: (element, name) => element.attribs[name] !== undefined,
  removeSubsets: (nodes) => nodes.filter((node) => !nodes.some((other) => other !== node && holds(other, node))),
};

function holds(outer: AnyNode, node: AnyNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (at === outer) return true;
  return false;
}

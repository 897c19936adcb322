// Finds the element that a step means: one of several ways to say it, each perhaps in parts that go into shadow roots and frames.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { selectorError } from './caps.ts';
import { findNodes } from './resolve.ts';
import { innerRootOf, pierceCss } from './roots.ts';
import { parseSelector } from './selector.ts';
import type { Selector } from './selector.ts';

/** One way to say which element is meant: a selector, or parts of which each is looked for in what the one before it found. */
export type ElementPath = readonly Selector[];

/** What a path finds in one document. */
export interface FoundElements {
  /** In document order. */
  readonly elements: readonly Element[];
  /** Frames of other origins that the path leads into, with the parts that are to be looked for there. */
  readonly beyond: readonly { readonly frame: Element; readonly rest: ElementPath }[];
}

/**
 * Reads a selector, or a list of parts. Throws PageError `selector` for one that is not valid, and for those that point at text or JSON
 * instead of elements.
 */
export function parseElementPath(written: string | readonly string[]): ElementPath {
  const parts = typeof written === 'string' ? [written] : written;
  if (parts.length === 0) throw selectorError('[]', 'has no parts.');
  return parts.map((part) => {
    const selector = parseSelector(part);
    if (selector.kind === 'regex' || selector.kind === 'jsonpath')
      throw selectorError(
        part,
        `points at a value, and an element is needed here; use CSS, XPath, text/, role/, label/, aria/ or pierce/.`,
      );
    return selector;
  });
}

/** The elements that `path` means in the document of `tree`. Throws PageError `selector` where running it fails. */
export function findElements(path: ElementPath, tree: PageTree): FoundElements {
  const beyond: { frame: Element; rest: ElementPath }[] = [];
  let scopes: ReadonlySet<Element> | undefined;
  let elements: readonly Element[] = [];
  for (const [at, selector] of path.entries()) {
    const roots = scopes;
    const found = new Set(findIn(selector, tree, roots).flatMap(elementOf));
    elements = [...found].filter((element) => !roots || isInOneOf(element, roots));
    const rest = path.slice(at + 1);
    const inner = new Set<Element>();
    for (const element of rest.length > 0 ? elements : []) {
      const root = innerRootOf(element);
      if (root) inner.add(root);
      else beyond.push({ frame: element, rest });
    }
    scopes = inner;
  }
  return { elements, beyond };
}

/** `pierce/` looks at roots from inside; what others find is narrowed down afterwards. */
function findIn(selector: Selector, tree: PageTree, roots: ReadonlySet<Element> | undefined): readonly AnyNode[] {
  if (selector.kind === 'pierce' && roots) return pierceCss(selector.expression, tree, [...roots]);
  return findNodes(selector, tree);
}

/** Text and attributes stand for the element that has them. */
function elementOf(node: AnyNode): readonly Element[] {
  const element = isTag(node) ? node : node.parent;
  return element && isTag(element) ? [element] : [];
}

function isInOneOf(element: Element, roots: ReadonlySet<unknown>): boolean {
  for (let at: AnyNode | null = element.parent; at; at = at.parent) if (roots.has(at)) return true;
  return false;
}

// Finds the heading of a page where it stands outside of the main content, as it often does on articles.
import type { AnyNode, Element } from 'domhandler';
import { elementsNamed, isBelow } from '../html/named-elements.ts';
import { blockText, foldSpace, isHidden } from '../html/text.ts';
import type { PageTree } from '../html/tree.ts';
import type { MainContent } from './main-content.ts';

/** The page's only `<h1>`, or the one that its title repeats; undefined when the content already has it, or when there is none. */
export function findHeading(tree: PageTree, content: MainContent): Element | undefined {
  const headings = elementsNamed(tree, 'h1').filter(
    (element) => isBelow(element, tree.body) && !isHidden(element) && normal(element) !== '',
  );
  const title = normal(elementsNamed(tree, 'title').find((element) => isBelow(element, tree.head)));
  const heading = headings.find((element) => title.includes(normal(element))) ?? (headings.length === 1 ? headings[0] : undefined);
  return heading && !isWithin(heading, content) ? heading : undefined;
}

function normal(element: Element | undefined): string {
  return element
    ? foldSpace(blockText(element.children, { keepsHidden: true }))
        .trim()
        .toLowerCase()
    : '';
}

/** True below a root of the content and not below anything excluded from it. */
function isWithin(element: Element, { roots, excluded }: MainContent): boolean {
  for (let node: AnyNode | null = element; node; node = node.parent) {
    if (excluded.has(node)) return false;
    if ((roots as readonly AnyNode[]).includes(node)) return true;
  }
  return false;
}

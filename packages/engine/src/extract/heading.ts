// Finds the heading of a page, which may stand outside of the main content or at a lower level.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { isWithinHidden } from '../html/hidden.ts';
import { elementsNamed, isBelow } from '../html/named-elements.ts';
import { blockText, foldSpace } from '../html/text.ts';
import type { PageTree } from '../html/tree.ts';
import { ancestorNamed, shownElementsBelow } from '../html/walk.ts';
import { isDialog } from './content/landmarks.ts';
import { furnitureOf } from './furniture.ts';
import type { MainContent } from './main-content.ts';
import { isTitledBy, partsOfTitle } from './title.ts';

/** The heading of a page that its content lacks. */
export interface PageHeading {
  readonly element: Element;
  /** Whether it is in the content already, as a heading of a lower level. */
  readonly isInside: boolean;
}

/**
 * The page's only `<h1>`, or the one that its title repeats, where it stands outside of the content; on a page without any, the first
 * lower heading that the title repeats; on one whose h1 is its book's, the chapter's heading. Undefined when the content has its `<h1>`, or when there is none.
 */
export function findHeading(tree: PageTree, content: MainContent): PageHeading | undefined {
  const excluded = furnitureOf(tree).nodes;
  const normal = (element: Element | undefined) =>
    element ? foldSpace(blockText(element.children, { excluded })).trim().toLowerCase() : '';
  const headings = elementsNamed(tree, 'h1').filter(
    (element) =>
      isBelow(element, tree.body) &&
      !isWithinHidden(element) &&
      !isInDialog(element) &&
      normal(element) !== '' &&
      !isLogo(element, tree, normal),
  );
  const title = normal(elementsNamed(tree, 'title').find((element) => isBelow(element, tree.head)));
  if (headings.length === 0) return lowerHeading(tree, title, content, normal);
  const titled = headings.filter((element) => title.includes(normal(element)));
  const candidates = titled.length > 0 ? titled : headings;
  const [first] = candidates;
  const chapter = chapterUnder(first, tree, title, normal);
  if (chapter) return { element: chapter, isInside: isWithin(chapter, content) };
  if (!first || (titled.length === 0 && headings.length > 1) || candidates.some((element) => isWithin(element, content))) return undefined;
  return { element: first, isInside: false };
}

function isInDialog(element: Element): boolean {
  for (let node: AnyNode | null = element; node; node = node.parent) if (isTag(node) && isDialog(node)) return true;
  return false;
}

/** A heading that is nothing but a link to another page is the name of the site. */
function isLogo(heading: Element, tree: PageTree, normal: (element: Element) => string): boolean {
  const link = [...shownElementsBelow(heading)].find(({ name, attribs }) => name === 'a' && attribs['href'] !== undefined);
  if (!link || normal(link) !== normal(heading)) return false;
  const target = URL.parse(link.attribs['href']?.trim() ?? '', tree.baseUrl);
  const own = URL.parse(tree.url);
  return target !== null && own !== null && (target.origin !== own.origin || target.pathname !== own.pathname);
}

/** The heading in the declared content that the title names first, where the page's h1 is what it names last: a book over its chapter. */
function chapterUnder(
  heading: Element | undefined,
  tree: PageTree,
  title: string,
  normal: (element: Element) => string,
): Element | undefined {
  const parts = partsOfTitle(title);
  if (!heading || parts.length < 2 || normal(heading) !== parts.at(-1) || ancestorNamed(heading, CONTENT)) return undefined;
  for (const element of shownElementsBelow(tree.body))
    if ((LOWER.has(element.name) || element.name === 'h1') && ancestorNamed(element, CONTENT) && !ancestorNamed(element, ASIDE))
      return normal(element) === parts[0] ? element : undefined;
  return undefined;
}

/** Manuals of DocBook and Javadoc begin with an h2. */
function lowerHeading(tree: PageTree, title: string, content: MainContent, normal: (element: Element) => string): PageHeading | undefined {
  const isTitled = isTitledBy(title);
  for (const element of shownElementsBelow(tree.body)) {
    if (!LOWER.has(element.name) || ancestorNamed(element, ASIDE) || !isTitled(normal(element)) || isLogo(element, tree, normal)) continue;
    return { element, isInside: isWithin(element, content) };
  }
  return undefined;
}

const LOWER = new Set(['h2', 'h3', 'h4', 'h5', 'h6']);
const CONTENT = ['main', 'article'];
const ASIDE = ['nav', 'aside', 'footer', 'li', 'td', 'dialog'];

/** True below a root of the content and not below anything excluded from it. */
function isWithin(element: Element, { roots, excluded }: MainContent): boolean {
  for (let node: AnyNode | null = element; node; node = node.parent) {
    if (excluded.has(node)) return false;
    if (isTag(node) && roots.includes(node)) return true;
  }
  return false;
}

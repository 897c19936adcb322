// Writes the selectors of an element that somebody acted on: what tells it apart for a person first, where it stands last.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { generateAlternates } from '../../html/selectors/alternates.ts';
import { cssPathOf, escapeIdentifier, quoteString, readUniqueIds } from '../../html/selectors/css-path.ts';
import { findElements, parseElementPath } from '../../html/selectors/elements.ts';
import { printOf } from '../../html/selectors/print.ts';
import { readNameIndex } from '../../html/selectors/accessible.ts';
import { isFrameBox, isShadowBox } from '../../html/selectors/roots.ts';
import type { PageTree } from '../../html/tree.ts';
import { elementsBelow, textContentOf } from '../../html/walk.ts';
import { collapse } from '../../html/text.ts';
import type { ElementPrint } from '../session.ts';

/** An element that was acted on, and how it is found again. */
export interface RecordedElement {
  /** Each finds this element alone; empty where nothing does. */
  readonly selectors: readonly string[];
  readonly print: ElementPrint;
}

const TEXT_CHARACTERS_MAX = 60;

/** The selectors and the print of `element`. */
export function describeElement(element: Element, tree: PageTree): RecordedElement {
  const print = printOf(element, readNameIndex(tree));
  const stable = generateAlternates(tree, element);
  const isInRoot = rootOf(element) !== undefined;
  const written = [
    ...ariaOf(print),
    ...stable.filter((selector) => !/^(?:role|label)\//.test(selector)).map((css) => (isInRoot ? `pierce/${css}` : css)),
    ...textOfElement(element),
    ...pathsOf(element, tree),
  ];
  const unique = [...new Set(written)].filter((selector) => findsOnly(selector, element, tree));
  return { selectors: unique, print };
}

function ariaOf({ name, role }: ElementPrint): readonly string[] {
  if (name === undefined || name.length > TEXT_CHARACTERS_MAX || /["[\]\\]/.test(name)) return [];
  return role === undefined ? [`aria/${name}`] : [`aria/${name}[role="${role}"]`, `aria/${name}`];
}

function textOfElement(element: Element): readonly string[] {
  const text = collapse(textContentOf(element));
  return text === '' || text.length > TEXT_CHARACTERS_MAX || /["\\]/.test(text) ? [] : [`text/${text}`];
}

/** By its place: CSS and XPath in a document, and CSS from the shadow root that it is in. */
function pathsOf(element: Element, tree: PageTree): readonly string[] {
  const root = rootOf(element);
  if (root) return [`pierce/${stepsFrom(root, element).join(' > ')}`];
  const ids = readUniqueIds([...elementsBelow(tree.root)]);
  return [cssPathOf(element, ids), `xpath/${xpathOf(element)}`];
}

/** The shadow root that holds `element`; undefined in the document itself. */
function rootOf(element: Element): Element | undefined {
  for (let at = element.parent; at && isTag(at); at = at.parent) {
    if (isShadowBox(at)) return at;
    if (isFrameBox(at)) return undefined;
  }
  return undefined;
}

function stepsFrom(root: Element, element: Element): readonly string[] {
  const steps: string[] = [];
  for (let at: Element | undefined = element; at && at !== root; at = parentOf(at)) {
    const id = at.attribs['id'];
    const name = escapeIdentifier(at.name);
    steps.unshift(id ? `${name}[id=${quoteString(id)}]` : `${name}:nth-of-type(${placeOf(at)})`);
  }
  return steps;
}

function xpathOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | undefined = element; at; at = parentOf(at)) steps.unshift(`${at.name}[${placeOf(at)}]`);
  return `/${steps.join('/')}`;
}

function parentOf({ parent }: Element): Element | undefined {
  return parent && isTag(parent) ? parent : undefined;
}

function placeOf(element: Element): number {
  const siblings = element.parent?.children ?? [];
  const alike = siblings.filter(
    (child): child is Element => isTag(child) && child.name === element.name && !isShadowBox(child) && !isFrameBox(child),
  );
  return alike.indexOf(element) + 1;
}

function findsOnly(selector: string, element: Element, tree: PageTree): boolean {
  try {
    const { elements } = findElements(parseElementPath(selector), tree);
    return elements.length === 1 && elements[0] === element;
  } catch {
    // A name may hold what the grammar of selectors reads otherwise.
    return false;
  }
}

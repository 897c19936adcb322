// Decides once for a page what a reader does not see of it, so that every view leaves the same things out.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { INLINE_ELEMENTS } from './elements.ts';

/** Elements whose children are never shown as text. `noscript` is not one: forums and shops put their whole content there. */
const UNSHOWN = new Set(
  'script style template head title meta link base svg math canvas iframe frame frameset noframes noembed object embed applet audio video map area datalist select option optgroup textarea input param source track'.split(
    ' ',
  ),
);
/** What was struck out and what replaces it is shown; screen readers are told it in words beside it (WooCommerce, wc_format_sale_price). */
const EDITS = new Set(['del', 'ins', 's']);
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;
const SHOWING_STYLE = /(?:^|;)\s*display\s*:\s*(?!none)\w/i;
/** Attributes and elements that can hide something, cover it or open it. */
const SIGNS = new Set(['hidden', 'style', 'aria-hidden', 'popover', 'details', 'dialog', 'role', 'aria-modal', 'aria-controls']);
/** MediaWiki hides one form of a formula by style and mutes the other, and its style sheet shows one of them. */
const FORMULA = 'mwe-math-';
const HEADING = /^(?:h[1-6]|dt)$/;
const DIALOG_ROLE = /^(?:alert)?dialog$/i;
/** React streams what comes late as `<div hidden id="S:0">`, which a script then puts in its place (ReactFizzConfigDOM, segments). */
const STREAMED_ID = /(?:^|[^\w:])S:[\da-f]+$/;
/** Of the parts of the public pages that are hidden so and hold more than half of the text, those above it are the page itself. */
const REVEALED_SHARE = 0.7;

/** The mark of a hidden node, on the node itself: a weak set of nodes would keep whole trees through many collections. */
const HIDDEN = Symbol('hidden');

/** Any node can carry the mark; domhandler's objects take further properties. */
function markable(node: AnyNode): { [HIDDEN]?: true } {
  return node as { [HIDDEN]?: true };
}

/** True for an element whose text is never shown, such as a script. */
export function isUnshown(element: Element): boolean {
  return UNSHOWN.has(element.name);
}

/** True for the outermost node of what a page hides; false for all that is below it, and for a tree that was parsed with all that is hidden. */
export function isHidden(node: AnyNode): boolean {
  return markable(node)[HIDDEN] === true;
}

/** True for a node that is hidden by itself or by something round it. */
export function isWithinHidden(node: AnyNode): boolean {
  for (let at: AnyNode | null = node; at; at = at.parent) if (isHidden(at)) return true;
  return false;
}

/** What the parser saw while it made the elements of a page, so that nobody need walk the page to find it. */
export interface HidingSigns {
  /** Elements with an attribute, or a name, that can hide something. */
  readonly marked: Element[];
  readonly dialogs: Element[];
  /** Elements that say what they open. */
  readonly controls: Element[];
}

/** No signs yet. */
export function newSigns(): HidingSigns {
  return { marked: [], dialogs: [], controls: [] };
}

/** Notes what an element, just made, says of hiding. */
export function noteSigns(element: Element, signs: HidingSigns): void {
  if (!isUnshown(element) && (markOf(element) !== undefined || isClosedDetails(element))) signs.marked.push(element);
  if (isDialog(element)) signs.dialogs.push(element);
  if (element.attribs['aria-controls'] !== undefined) signs.controls.push(element);
}

/** True for an attribute, or an element, that `noteSigns` looks at. */
export function isHidingSign(name: string): boolean {
  return SIGNS.has(name);
}

/**
 * Marks for `isHidden` what of `body` a reader does not see, and lists it in document order: what `hidden`, `popover` or its own style
 * hides, all of a closed `<details>` but its summary, closed dialogs, and what `aria-hidden` declares to be decoration. What scripts will
 * reveal is not hidden: the body, what React streams, and a part with most of the page's text or all of its main headings. Nor are the
 * panels of tabs and accordions, nor what an open dialog covers.
 */
export function markHidden(body: Element, signs: HidingSigns): readonly AnyNode[] {
  const judge = new Judge(body, signs);
  const found: AnyNode[] = [];
  // Elements are made from the outside to the inside.
  for (const element of signs.marked) {
    if (!isBelow(element, body) || isWithinHidden(element)) continue;
    const mark = markOf(element);
    const isWhole = mark === 'closed' || (mark !== undefined && !judge.isRevealed(element, mark));
    const nodes = isWhole ? [element] : isClosedDetails(element) ? foldedBy(element) : [];
    for (const node of nodes) markable(node)[HIDDEN] = true;
    found.push(...nodes);
  }
  return found;
}

function isBelow(element: Element, body: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (at === body) return true;
  return false;
}

/** All but the first summary. */
function foldedBy(details: Element): AnyNode[] {
  const summary = details.children.find((node) => isTag(node) && node.name === 'summary');
  return details.children.filter((node) => node !== summary && (isTag(node) || isText(node)));
}

/** What of a page is read: what is below a root and not below anything excluded. */
export interface ReadPart {
  readonly roots: readonly Element[];
  readonly excluded: ReadonlySet<AnyNode>;
}

/** The words of those `nodes`, as `markHidden` lists them, that stand inside a part of the page; decoration is not counted. */
export function countHiddenWords(nodes: readonly AnyNode[], part: ReadPart): number {
  let count = 0;
  for (const node of nodes) if (!isDecoration(node) && isInside(node, part)) count += countWords(node);
  return count;
}

function isDecoration(node: AnyNode): boolean {
  return isTag(node) && markOf(node) === 'muted' && !(node.parent && isTag(node.parent) && isClosedDetails(node.parent));
}

function isInside(node: AnyNode, { roots, excluded }: ReadPart): boolean {
  for (let at: AnyNode | null = node; at && !excluded.has(at); at = at.parent) if (isTag(at) && roots.includes(at)) return true;
  return false;
}

function countWords(node: AnyNode): number {
  if (isText(node)) return node.data.match(/\S+/g)?.length ?? 0;
  if (!isTag(node) || isUnshown(node)) return 0;
  return node.children.reduce((sum, child) => sum + countWords(child), 0);
}

/** `closed` by the page's reader and opened by him alone; `unrevealed` until a script shows it; `muted` for screen readers only. */
type Mark = 'closed' | 'unrevealed' | 'muted';

/** Answers for one page whether what is marked will be shown after all. */
class Judge {
  private readonly body: Element;
  private readonly signs: HidingSigns;
  private covered: ReadonlySet<AnyNode> | undefined;
  private panels: ReadonlySet<string> | undefined;
  private pageHeadings: number | undefined;
  /** The page has at least so many characters, and just so many once it is counted to its end. */
  private pageChars = 0;
  private isCounted = false;

  constructor(body: Element, signs: HidingSigns) {
    this.body = body;
    this.signs = signs;
  }

  isRevealed(element: Element, mark: Mark): boolean {
    if (isDialog(element)) return false;
    const count = { chars: 0, headings: 0 };
    countBelow(element, count, Number.POSITIVE_INFINITY);
    if (count.chars === 0) return false;
    if (this.isPage(element, count) || this.isPanel(element)) return true;
    return mark === 'muted' && !INLINE_ELEMENTS.has(element.name) && this.isCovered(element);
  }

  private isPage(element: Element, { chars, headings }: Count): boolean {
    if (headings > 0 && element.name !== 'h1' && this.countHeadings() === headings) return true;
    return !this.hasChars(chars / REVEALED_SHARE);
  }

  private countHeadings(): number {
    if (this.pageHeadings === undefined) {
      const page = { chars: 0, headings: 0 };
      countBelow(this.body, page, Number.POSITIVE_INFINITY);
      this.pageHeadings = page.headings;
    }
    return this.pageHeadings;
  }

  /** The page is counted no further than anybody asked. */
  private hasChars(needed: number): boolean {
    if (this.pageChars < needed && !this.isCounted) {
      const page = { chars: 0, headings: 0 };
      countBelow(this.body, page, needed);
      this.pageChars = page.chars;
      this.isCounted = page.chars < needed;
    }
    return this.pageChars >= needed;
  }

  /** A tab or a fold that a reader opens is a part of the page like any other (ARIA Authoring Practices, patterns tabs and accordion). */
  private isPanel({ attribs }: Element): boolean {
    const { role, id } = attribs;
    if (role === 'tabpanel' || (role === 'region' && attribs['aria-labelledby'] !== undefined)) return true;
    return id !== undefined && (this.panels ??= panelsOf(this.signs.controls)).has(id);
  }

  /** An open dialog mutes all that stands beside it and beside what holds it, and unmutes it when it closes (WAI-ARIA 1.2, aria-modal). */
  private isCovered(element: Element): boolean {
    this.covered ??= elementsRound(this.signs.dialogs.filter(isMarkedNowhere));
    return element.parent !== null && this.covered.has(element.parent);
  }
}

interface Count {
  chars: number;
  headings: number;
}

/** Adds what is below; stops at `enough` characters. Recursion is bounded by the depth cap of the tree. */
function countBelow(element: Element, count: Count, enough: number): void {
  for (const child of element.children) {
    if (count.chars >= enough) return;
    if (isText(child)) count.chars += child.data.trim().length;
    else if (isTag(child) && !isUnshown(child)) {
      if (child.name === 'h1') count.headings++;
      countBelow(child, count, enough);
    }
  }
}

/** The ids of what a tab, or a button in a heading, opens. */
function panelsOf(controls: readonly Element[]): ReadonlySet<string> {
  const opening = controls.filter((control) => control.attribs['role'] === 'tab' || isInHeading(control));
  return new Set(opening.flatMap(({ attribs }) => (attribs['aria-controls'] ?? '').split(/\s+/)));
}

function isInHeading(element: Element): boolean {
  for (let at: AnyNode | null = element; at; at = at.parent)
    if (isTag(at) && (HEADING.test(at.name) || at.attribs['role'] === 'heading')) return true;
  return false;
}

function isMarkedNowhere(element: Element): boolean {
  for (let at: AnyNode | null = element; at; at = at.parent) if (isTag(at) && markOf(at) !== undefined) return false;
  return true;
}

function elementsRound(elements: readonly Element[]): ReadonlySet<AnyNode> {
  const round = new Set<AnyNode>();
  for (const element of elements) for (let at: AnyNode | null = element.parent; at && !round.has(at); at = at.parent) round.add(at);
  return round;
}

function markOf(element: Element): Mark | undefined {
  const { name, attribs } = element;
  if (name === 'dialog' && attribs['open'] === undefined) return 'closed';
  const { hidden, style } = attribs;
  if (attribs['class']?.includes(FORMULA) === true) return undefined;
  if (style !== undefined && HIDING_STYLE.test(style)) return 'unrevealed';
  // A display of its own is stronger than what browsers say of `hidden`; scripts show elements that way.
  if (hidden !== undefined && !(style !== undefined && SHOWING_STYLE.test(style)) && !STREAMED_ID.test(attribs['id'] ?? ''))
    return 'unrevealed';
  if (attribs['popover'] !== undefined) return 'unrevealed';
  return attribs['aria-hidden']?.trim().toLowerCase() === 'true' && !EDITS.has(name) ? 'muted' : undefined;
}

function isDialog({ name, attribs }: Element): boolean {
  return name === 'dialog' || attribs['aria-modal'] === 'true' || DIALOG_ROLE.test(attribs['role'] ?? '');
}

function isClosedDetails({ name, attribs }: Element): boolean {
  return name === 'details' && attribs['open'] === undefined;
}

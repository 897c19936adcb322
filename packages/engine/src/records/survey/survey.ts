// Walks a page once and writes down, for every visible element, the few numbers that list detection compares.
import type { Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isHidden } from '../../html/hidden.ts';
import type { PageTree } from '../../html/tree.ts';
import { stableClasses } from './classes.ts';

/** A visible element with what is below it, counted. */
export interface Block {
  readonly element: Element;
  readonly parent: Block | undefined;
  readonly children: readonly Block[];
  readonly classes: readonly string[];
  /** Same number = same tag and same stable classes, within one survey. */
  readonly sign: number;
  /** Preorder position, and the position of the last descendant. */
  readonly start: number;
  readonly end: number;
  /** Characters of visible text, white space not counted; the own text nodes only for `ownChars`. */
  readonly textChars: number;
  readonly ownChars: number;
  readonly linkChars: number;
  readonly digits: number;
  /** Currency signs. */
  readonly money: number;
  /** Characters of visible text before this element. */
  readonly charsBefore: number;
  readonly links: number;
  readonly images: number;
  /** Characters that the pictures stand for: what their `alt` says, at least ALT_CHARS_MIN each. */
  readonly altChars: number;
  readonly headings: number;
  readonly controls: number;
  /** Elements with own text. */
  readonly leaves: number;
  /** Same number = same text, nearly always. */
  readonly textHash: number;
  /** The address of the link with the longest text, '' without one. */
  readonly href: string;
  readonly hrefChars: number;
}

/** All that is visible on a page. */
export interface Survey {
  readonly body: Block;
  /** Preorder. */
  readonly blocks: readonly Block[];
}

const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'option', 'head', 'iframe', 'object', 'svg', 'math', 'link', 'meta']);
const HEADING = /^h[1-6]$/;
const ALT_CHARS_MIN = 10;
const CONTROL = new Set(['input', 'select', 'textarea', 'button']);

/** True for an element whose content a reader does not see: scripts, styles, and what the page hides. */
export function isUnseen(element: Element): boolean {
  return SKIPPED.has(element.name) || isHidden(element);
}

/** The survey of `tree.body`; hidden elements are left out, and `<noscript>` too unless it holds most of the page's text. */
export function surveyPage(tree: PageTree): Survey {
  const walk = new Walk(false);
  const body = walk.visit(tree.body, undefined);
  if (walk.noscriptChars <= body.textChars) return { body, blocks: walk.blocks };
  const whole = new Walk(true);
  return { body: whole.visit(tree.body, undefined), blocks: whole.blocks };
}

type Draft = { -readonly [Key in keyof Block]: Block[Key] } & { children: Block[] };

class Walk {
  readonly blocks: Block[] = [];
  noscriptChars = 0;
  private readonly withNoscript: boolean;
  private readonly signs = new Map<string, number>();
  private chars = 0;

  constructor(withNoscript: boolean) {
    this.withNoscript = withNoscript;
  }

  /** Recursion is bounded by the depth cap of the tree. */
  visit(element: Element, parent: Block | undefined): Block {
    const block = this.open(element, parent);
    this.blocks.push(block);
    for (const child of element.children) {
      if (isHidden(child)) continue;
      if (isText(child)) this.addText(block, child.data);
      else if (isTag(child) && this.isSeen(child)) addChild(block, this.visit(child, block));
    }
    close(block);
    block.end = this.blocks.length - 1;
    return block;
  }

  private isSeen(element: Element): boolean {
    if (element.name !== 'noscript') return !isUnseen(element);
    if (!this.withNoscript) this.noscriptChars += textLength(element);
    return this.withNoscript;
  }

  private open(element: Element, parent: Block | undefined): Draft {
    const classes = stableClasses(element.attribs['class']);
    return {
      element,
      parent,
      children: [],
      classes,
      sign: this.signOf(element.name, classes),
      start: this.blocks.length,
      end: this.blocks.length,
      textChars: 0,
      ownChars: 0,
      linkChars: 0,
      digits: 0,
      money: 0,
      charsBefore: this.chars,
      links: 0,
      images: 0,
      altChars: 0,
      headings: 0,
      controls: 0,
      leaves: 0,
      textHash: 7,
      href: '',
      hrefChars: 0,
    };
  }

  private signOf(name: string, classes: readonly string[]): number {
    const key = classes.length === 0 ? name : `${name}.${classes.join('.')}`;
    let sign = this.signs.get(key);
    if (sign === undefined) this.signs.set(key, (sign = this.signs.size + 1));
    return sign;
  }

  private addText(block: Draft, data: string): void {
    let count = 0;
    let hash = block.textHash;
    for (let i = 0; i < data.length; i++) {
      const code = data.charCodeAt(i);
      if (code <= 32 || code === 160) continue;
      count++;
      if (code >= 48 && code <= 57) block.digits++;
      else if (code === 36 || code === 163 || code === 165 || (code >= 0x20a0 && code <= 0x20c0)) block.money++;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    if (count === 0) return;
    block.textHash = hash;
    block.ownChars += count;
    block.textChars += count;
    this.chars += count;
  }
}

function textLength(element: Element): number {
  let length = 0;
  for (const child of element.children) {
    if (isText(child)) length += child.data.trim().length;
    else if (isTag(child) && !isUnseen(child)) length += textLength(child);
  }
  return length;
}

function addChild(block: Draft, child: Block): void {
  block.children.push(child);
  block.textChars += child.textChars;
  block.linkChars += child.linkChars;
  block.digits += child.digits;
  block.money += child.money;
  block.links += child.links;
  block.images += child.images;
  block.altChars += child.altChars;
  block.headings += child.headings;
  block.controls += child.controls;
  block.leaves += child.leaves;
  block.textHash = (Math.imul(block.textHash, 31) + child.textHash) | 0;
  if (child.href !== '' && (block.href === '' || child.hrefChars > block.hrefChars)) {
    block.href = child.href;
    block.hrefChars = child.hrefChars;
  }
}

function close(block: Draft): void {
  const { name, attribs } = block.element;
  if (block.ownChars > 0) block.leaves++;
  if (name === 'a' && attribs['href'] !== undefined) {
    block.links++;
    block.linkChars = block.textChars;
    block.href = attribs['href'].trim();
    block.hrefChars = block.textChars;
  } else if (name === 'img' || name === 'video') {
    block.images++;
    block.altChars += Math.max(ALT_CHARS_MIN, (attribs['alt'] ?? '').trim().length);
  } else if (CONTROL.has(name)) block.controls++;
  else if (HEADING.test(name) || attribs['role'] === 'heading') block.headings++;
}

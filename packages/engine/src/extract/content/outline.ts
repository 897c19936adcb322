// Cuts a page into blocks of running text and the boxes that hold them, in one walk.
import type { AnyNode, ChildNode, Element, Text } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { isHidden, isUnshown } from '../../html/hidden.ts';
import { foldSpace, isBlank, isBlockElement } from '../../html/text.ts';
import { bitsOf } from './features/bits.ts';
import { nameHints } from './hints.ts';
import { isDialog, landmarksOf } from './landmarks.ts';
import type { TextCounts } from './features/text-counts.ts';
import { countText } from './features/text-counts.ts';

/** An element that can hold blocks, with sums over everything below it. */
export interface Box {
  /** Its place among the boxes of the page, the body first. */
  readonly index: number;
  readonly element: Element;
  readonly parent: Box | undefined;
  readonly depth: number;
  /** Name groups of its own class and id. */
  readonly hints: number;
  /** Landmarks of itself and of all boxes round it. */
  readonly landmarks: number;
  /** Boxes of the same tag and class under one parent are of one kind. */
  readonly kind: number;
  /** Children per kind; undefined while it has none. */
  kinds: Map<number, number> | undefined;
  chars: number;
  linkChars: number;
  blocks: number;
  /** Characters in blocks that read like paragraphs. */
  paragraphChars: number;
  /** How much its direct and second-level paragraphs speak for it. */
  score: number;
  images: number;
}

/** A run of text that nothing but inline markup interrupts. */
export interface ContentBlock {
  readonly index: number;
  readonly box: Box;
  readonly texts: readonly Text[];
  /** The first of its texts that is not blank. */
  readonly opening: Text;
  /** Folded and trimmed. */
  readonly text: string;
  readonly counts: TextCounts;
  readonly words: number;
  readonly linkChars: number;
  /** Name groups of the inline elements round its first text. */
  readonly inlineHints: number;
  /** Characters of the page before it. */
  readonly charsBefore: number;
  /** Stands for the kinds of its four nearest boxes: what is laid out alike has the same path. From 0 on, without gaps. */
  readonly path: number;
}

/** A page cut into blocks, in document order. */
export interface Outline {
  readonly blocks: readonly ContentBlock[];
  readonly body: Box;
  readonly boxCount: number;
  readonly pathCount: number;
  readonly chars: number;
  /** Elements of the body by tag name. */
  readonly tags: ReadonlyMap<string, number>;
  /** Name groups of body elements, counted per bit. */
  readonly hintCounts: readonly number[];
}

/** The outline of `tree`; hidden parts and unshown ones such as scripts are not in it. */
export function outlineOf(tree: PageTree): Outline {
  const walk = new OutlineWalk(tree.body);
  walk.run();
  return walk.outline();
}

/** True for text long enough, and with few enough links, to be a paragraph. */
export function isParagraph(block: ContentBlock): boolean {
  return block.text.length >= 80 && block.linkChars < block.text.length * 0.4;
}

/** True for text that stands in a heading. */
export function isHeading({ box }: ContentBlock): boolean {
  const { name } = box.element;
  return name.length === 2 && name >= 'h1' && name <= 'h6';
}

/** How many boxes of the same tag and class, itself included, `box` has beside it. */
export function alikeCount(box: Box): number {
  return box.parent?.kinds?.get(box.kind) ?? 1;
}

class OutlineWalk {
  private readonly blocks: ContentBlock[] = [];
  private readonly tags = new Map<string, number>();
  private readonly hintsOf = new Map<string, number>();
  private readonly kindOf = new Map<string, number>();
  private readonly pathOf = new Map<string, number>();
  private readonly hintCounts = Array.from({ length: 32 }, () => 0);
  private readonly body: Box;
  private texts: Text[] = [];
  private opening: Text | undefined;
  private written = '';
  private linkChars = 0;
  private breaks = 0;
  private chars = 0;
  private boxCount = 0;

  constructor(body: Element) {
    this.body = newBox(body, undefined, 0, this.kind(body), this.boxCount++);
  }

  run(): void {
    this.children(this.body.element, this.body, false);
    this.endBlock(this.body);
  }

  outline(): Outline {
    return {
      blocks: this.blocks,
      body: this.body,
      boxCount: this.boxCount,
      pathCount: this.pathOf.size,
      chars: this.chars,
      tags: this.tags,
      hintCounts: this.hintCounts,
    };
  }

  private children(parent: Element, box: Box, inLink: boolean): void {
    for (const child of parent.children) this.node(child, box, inLink);
  }

  private node(node: ChildNode, box: Box, inLink: boolean): void {
    if (isHidden(node)) return;
    if (isText(node)) this.text(node, inLink);
    else if (isTag(node)) this.element(node, box, inLink);
  }

  private text(node: Text, inLink: boolean): void {
    this.texts.push(node);
    this.written += node.data;
    if (isBlank(node.data)) return;
    this.opening ??= node;
    this.breaks = 0;
    if (inLink) this.linkChars += foldSpace(node.data).length;
  }

  private element(element: Element, box: Box, inLink: boolean): void {
    this.tags.set(element.name, (this.tags.get(element.name) ?? 0) + 1);
    if (element.name === 'img' || element.name === 'picture') box.images++;
    if (isUnshown(element)) return;
    const link = inLink || (element.name === 'a' && element.attribs['href'] !== undefined);
    if (element.name === 'br') {
      this.written += '\n';
      if (++this.breaks === 2) this.endBlock(box);
    } else if (isBox(element)) {
      this.endBlock(box);
      this.box(element, box, link);
    } else {
      this.children(element, box, link);
    }
  }

  private box(element: Element, parent: Box, inLink: boolean): void {
    const hints = this.hints(element);
    const box = newBox(element, parent, hints, this.kind(element), this.boxCount++);
    this.children(element, box, inLink);
    this.endBlock(box);
    parent.chars += box.chars;
    parent.linkChars += box.linkChars;
    parent.blocks += box.blocks;
    parent.paragraphChars += box.paragraphChars;
    parent.images += box.images;
    parent.kinds ??= new Map();
    parent.kinds.set(box.kind, (parent.kinds.get(box.kind) ?? 0) + 1);
  }

  private endBlock(box: Box): void {
    const texts = this.texts;
    const opening = this.opening;
    const linkChars = this.linkChars;
    const text = foldSpace(this.written).trim();
    this.texts = [];
    this.opening = undefined;
    this.written = '';
    this.linkChars = 0;
    this.breaks = 0;
    if (text === '' || !opening) return;
    this.addBlock(box, { texts, opening, text, linkChars: Math.min(linkChars, text.length) });
  }

  private addBlock(box: Box, read: Pick<ContentBlock, 'texts' | 'opening' | 'text' | 'linkChars'>): void {
    const { text, opening, linkChars } = read;
    const counts = countText(text);
    const block: ContentBlock = {
      index: this.blocks.length,
      box,
      ...read,
      counts,
      words: counts.words,
      inlineHints: this.inlineHints(opening, box),
      charsBefore: this.chars,
      path: this.path(box),
    };
    this.blocks.push(block);
    this.chars += text.length;
    box.chars += text.length;
    box.linkChars += linkChars;
    box.blocks++;
    if (!isParagraph(block)) return;
    box.paragraphChars += text.length;
    const score = 1 + counts.commas + Math.min(3, text.length / 100);
    box.score += score;
    if (box.parent) box.parent.score += score;
    if (box.parent?.parent) box.parent.parent.score += score / 2;
  }

  private inlineHints(opening: Text, box: Box): number {
    let hints = 0;
    for (let node: AnyNode | null = opening.parent; node && node !== box.element; node = node.parent) {
      if (isTag(node)) hints |= this.hints(node);
    }
    return hints;
  }

  private kind(element: Element): number {
    const key = `${element.name}.${element.attribs['class'] ?? ''}`;
    let kind = this.kindOf.get(key);
    if (kind === undefined) this.kindOf.set(key, (kind = this.kindOf.size));
    return kind;
  }

  private path(box: Box): number {
    let key = '';
    let at: Box | undefined = box;
    for (let up = 0; at && up < 4; up++, at = at.parent) key += `${at.kind}<`;
    let path = this.pathOf.get(key);
    if (path === undefined) this.pathOf.set(key, (path = this.pathOf.size));
    return path;
  }

  private hints(element: Element): number {
    const { class: names = '', id = '' } = element.attribs;
    if (names === '' && id === '') return 0;
    const isShort = names.length + id.length < NAMES_MAX;
    const hints = isShort ? this.hintsOfClass(names) | nameHints(id) : nameHints(`${names} ${id}`.slice(0, NAMES_MAX));
    for (const bit of bitsOf(hints)) this.hintCounts[bit] = (this.hintCounts[bit] ?? 0) + 1;
    return hints;
  }

  /** The same classes come again and again on a page; an id comes once. */
  private hintsOfClass(names: string): number {
    let hints = this.hintsOf.get(names);
    if (hints === undefined) this.hintsOf.set(names, (hints = nameHints(names)));
    return hints;
  }
}

/** Characters of class and id that are looked at. */
const NAMES_MAX = 400;

/** Buttons are drawn as boxes of their own although they stand in a line, and frameworks make dialogs of elements of their own. */
function isBox(element: Element): boolean {
  return isBlockElement(element) || element.name === 'button' || element.name === 'noscript' || isDialog(element);
}

function newBox(element: Element, parent: Box | undefined, hints: number, kind: number, index: number): Box {
  const inherited = parent?.landmarks ?? 0;
  return {
    index,
    element,
    parent,
    depth: parent ? parent.depth + 1 : 0,
    hints,
    landmarks: inherited | landmarksOf(element, inherited),
    kind,
    kinds: undefined,
    chars: 0,
    linkChars: 0,
    blocks: 0,
    paragraphChars: 0,
    score: 0,
    images: 0,
  };
}

// Reads the text of nodes as a person sees it: what is not shown is left out, and blocks stand on their own lines.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { BLOCK_ELEMENTS } from './elements.ts';
import { isHidden, isUnshown } from './hidden.ts';
import { texOf } from './tex.ts';

/** What to leave out of the shown text. */
export interface BlockTextOptions {
  /** Nodes to leave out, with everything below them. */
  readonly excluded?: ReadonlySet<AnyNode>;
  /** What is written behind the text of an element, such as the address of a link; '' for nothing. */
  readonly behind?: (element: Element) => string;
  /** White space as written, as in preformatted text; folded unless said. */
  readonly asWritten?: boolean;
}

const PREFORMATTED = new Set(['pre', 'listing', 'plaintext', 'xmp']);
/** Any white space but a single blank. */
const UNFOLDED = /[^\S ]| \s/;
const UNFOLDED_RUNS = /[^\S ]\s*| \s+/g;

/** True for an element that starts and ends a line by default (CSS display of the HTML rendering section). */
export function isBlockElement(element: Element): boolean {
  return BLOCK_ELEMENTS.has(element.name);
}

/** `text` with every run of white space made one blank, soft hyphens removed. The ends are not trimmed. */
export function foldSpace(text: string): string {
  const shown = text.includes('\u00ad') ? text.replaceAll('\u00ad', '') : text;
  return UNFOLDED.test(shown) ? shown.replace(UNFOLDED_RUNS, ' ') : shown;
}

/** True for a text of white space alone, or of nothing. */
export function isBlank(text: string): boolean {
  const code = text.charCodeAt(0);
  // Nearly every text that is not blank begins with a letter or a mark.
  return !(code > 0x20 && code < 0x7f) && !/\S/.test(text);
}

/** One line of text: runs of white space as one blank, none at the ends, soft hyphens removed; a zero-width space counts as a blank. */
export function collapse(text: string): string {
  return foldSpace(text.includes('\u200b') ? text.replaceAll('\u200b', ' ') : text).trim();
}

/**
 * The text of `nodes`, in the order given: one line per block, white space folded, cells of a row separated by tabs,
 * preformatted text as written. No empty lines outside preformatted text; '' where nothing is shown.
 */
export function blockText(nodes: readonly AnyNode[], options: BlockTextOptions = {}): string {
  const writer = new LineWriter();
  for (const node of nodes) writeNode(node, writer, options, options.asWritten === true);
  return writer.finish();
}

function writeNode(node: AnyNode, writer: LineWriter, options: BlockTextOptions, preformatted: boolean): void {
  if (isHidden(node) || options.excluded?.has(node)) return;
  if (isText(node)) {
    if (preformatted) writer.verbatim(node.data);
    else writer.inline(foldSpace(node.data));
  } else if (isTag(node)) {
    writeElement(node, writer, options, preformatted);
  } else if ('children' in node) {
    for (const child of node.children) writeNode(child, writer, options, preformatted);
  }
}

function writeElement(element: Element, writer: LineWriter, options: BlockTextOptions, preformatted: boolean): void {
  if (element.name === 'br') return writer.breakLine();
  if (isUnshown(element)) {
    // A formula has no other text than its source.
    if (element.name === 'math') writer.inline(texOf(element));
    return;
  }
  const pre = preformatted || PREFORMATTED.has(element.name);
  const cell = element.name === 'td' || element.name === 'th';
  const apart = cell ? '\t' : element.name === 'button' ? ' ' : '';
  const block = isBlockElement(element);
  if (block) writer.breakLine();
  else if (apart !== '') writer.gap(apart);
  else if (isDrawnApart(element)) writer.gap(' ');
  for (const child of element.children) writeNode(child, writer, options, pre);
  const behind = options.behind?.(element) ?? '';
  if (behind !== '') writer.inline(` ${behind} `);
  if (block) writer.breakLine();
  else if (apart !== '') writer.gap(apart);
}

/** Inline elements that pages use for values side by side; the space between them is drawn by the style. */
const VALUES = new Set(['span', 'a', 'label', 'time', 'data', 'small', 'strong', 'b']);

/**
 * True for what follows a brother in its line at once and is drawn with a distance that is not in the text: a link behind a link, and a
 * value behind a value where two words would become one. What a page gave a class of its own holds a value rather than a part of a word;
 * single letters and what punctuation parts stay together.
 */
export function isDrawnApart(element: Element): boolean {
  const { prev } = element;
  if (!prev || !isTag(prev)) return false;
  if (element.name === 'a' && prev.name === 'a') return true;
  if (!isValue(element) || !isValue(prev) || isHidden(prev)) return false;
  return /[\p{L}\p{N}]{2}$/u.test(edgeText(prev, -1)) && /^[\p{L}\p{N}]{2}/u.test(edgeText(element, 0));
}

function isValue(element: Element): boolean {
  return VALUES.has(element.name) && element.attribs['class'] !== undefined;
}

/** The first text in an element, or the last one: `at` is 0 or -1. */
function edgeText(element: Element, at: 0 | -1): string {
  for (let node = element.children.at(at); node; node = isTag(node) ? node.children.at(at) : undefined) if (isText(node)) return node.data;
  return '';
}

/** Gathers lines: blanks at a line's ends vanish, and a blank, a tab or a line break is written only before more text. */
class LineWriter {
  private readonly lines: string[] = [];
  private line = '';
  private between = '';

  inline(folded: string): void {
    if (folded === '') return;
    const text = folded.trim();
    if (folded.startsWith(' ')) this.gap(' ');
    if (text === '') return;
    this.line += this.line === '' ? text : this.between + text;
    this.between = folded.endsWith(' ') ? ' ' : '';
  }

  verbatim(text: string): void {
    const lines = text.replaceAll('\r\n', '\n').split('\n');
    lines.forEach((line, i) => {
      if (i > 0) this.push();
      this.line += this.between + line;
      this.between = '';
    });
  }

  /** A tab is stronger than a blank. */
  gap(kind: string): void {
    if (this.line !== '' && this.between !== '\t') this.between = kind;
  }

  breakLine(): void {
    this.between = '';
    if (this.line !== '') this.push();
  }

  finish(): string {
    this.breakLine();
    return this.lines.join('\n');
  }

  private push(): void {
    this.lines.push(this.line.trimEnd());
    this.line = '';
  }
}

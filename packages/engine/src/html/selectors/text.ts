// The text of a part of a page as a person would read it: white space collapsed, blocks kept apart, scripts left out.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { APART_ELEMENTS } from '../elements.ts';
import { foldSpace } from '../text.ts';
import { nodeAfter, nodeAfterSubtree } from '../walk.ts';

/** Elements whose text is not content. */
const SILENT = new Set(['script', 'style', 'template', 'title', 'head']);
/** Whether the text of an element is no content: scripts, styles, templates. */
export function isSilent(element: Element): boolean {
  return SILENT.has(element.name);
}

/** Whether an element stands on lines of its own, so that the words around it never join. */
export function isBreaking(element: Element): boolean {
  return element.name === 'br' || APART_ELEMENTS.has(element.name);
}

/**
 * The text of `node` on one line, blocks kept apart by a space; scripts, styles and templates left out.
 * Stops after `charactersMax` characters.
 */
export function textOf(node: AnyNode, charactersMax = Number.POSITIVE_INFINITY): string {
  return readText(node, charactersMax, ' ').trim().slice(0, charactersMax);
}

/** The text of `node` as lines: one for each block, cells of a row along one line, `<br>` included, without empty ones. */
export function linesOf(node: AnyNode, charactersMax = Number.POSITIVE_INFINITY): string {
  return readText(node, charactersMax, '\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Joins pieces of text, never with two spaces or separators beside each other. Appending costs the piece, not the whole. */
export class TextBuilder {
  /** Characters so far. */
  length = 0;
  private readonly pieces: string[] = [];
  private last = ' ';

  /** Adds a piece whose white space is collapsed. */
  add(piece: string): void {
    const isSpaced = piece.startsWith(' ') && (this.last === ' ' || this.last === '\n');
    const text = isSpaced ? piece.slice(1) : piece;
    if (text === '') return;
    this.pieces.push(text);
    this.length += text.length;
    this.last = text.at(-1) ?? this.last;
  }

  /** Adds one character between blocks, unless it is there already. */
  separate(separator: ' ' | '\n'): void {
    if (this.length === 0 || this.last === separator || this.last === '\n') return;
    this.pieces.push(separator);
    this.length += 1;
    this.last = separator;
  }

  toString(): string {
    return this.pieces.join('');
  }
}

function readText(node: AnyNode, charactersMax: number, separator: ' ' | '\n'): string {
  const text = new TextBuilder();
  if (node.type === 'text') text.add(foldSpace(node.data));
  let at: AnyNode | null = 'children' in node ? (node.children[0] ?? null) : null;
  while (at && text.length < charactersMax) {
    if (at.type === 'text') text.add(foldSpace(at.data));
    else if (isTag(at) && isBreaking(at)) text.separate(isCell(at) ? ' ' : separator);
    const next: AnyNode | null = isTag(at) && isSilent(at) ? nodeAfterSubtree(at, node) : nodeAfter(at, node);
    const left = blockLeft(at, next);
    if (left) text.separate(isCell(left) ? ' ' : separator);
    at = next;
  }
  return text.toString();
}

function isCell({ name }: Element): boolean {
  return name === 'td' || name === 'th';
}

/** The outermost block element that ends on the way from `from` to `to`. */
function blockLeft(from: AnyNode, to: AnyNode | null): Element | undefined {
  if (to && to.parent === from) return undefined;
  let left: Element | undefined;
  for (let at: AnyNode | null = from; at && at !== to?.parent; at = at.parent) if (isTag(at) && isBreaking(at)) left = at;
  return left;
}

// Handles records that are lines of text: a link at the start of the line, bare text behind it, as in directory listings.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { Block } from './survey.ts';
import { isInline } from './text.ts';

const LINES_MIN = 3;
/** Bare text must be this share of the parent's text for its lines to be records. */
const BARE_MIN = 0.15;
/** Nearly all links must open a line, or they stand in prose. */
const OPENING_MIN = 0.8;
const TAIL_NODES_MAX = 30;

/** The children of `parent` that open a line with text behind it, out of `group`; empty when this is not a list of lines. */
export function lineHeads(parent: Block, group: readonly Block[]): readonly Block[] {
  if (group.length < LINES_MIN || parent.ownChars < parent.textChars * BARE_MIN) return [];
  const heads = group.filter((block) => isInline(block.element.name) && opensLine(block.element));
  if (heads.length < Math.max(LINES_MIN, group.length * OPENING_MIN)) return [];
  // Sort links above the lines lead to the page itself.
  const entries = heads.filter((block) => !/^[?#]/.test(block.href));
  return entries.length >= LINES_MIN ? entries : heads;
}

/** For each head the nodes of its line: itself, and what follows up to the next head or block. */
export function lineNodes(heads: readonly Element[]): AnyNode[][] {
  const stops = new Set<AnyNode>(heads);
  return heads.map((head) => {
    const nodes: AnyNode[] = [head];
    for (let at = head.next; at && !stops.has(at) && nodes.length < TAIL_NODES_MAX; at = at.next) {
      if (isTag(at) && !isInline(at.name) && at.name !== 'br' && at.name !== 'img') break;
      nodes.push(at);
    }
    return nodes;
  });
}

function opensLine(element: Element): boolean {
  for (let at = element.prev; at; at = at.prev) {
    if (isTag(at) && at.name !== 'img') return !isInline(at.name);
    if (!isText(at)) continue;
    if (/\n[^\S\n]*$/.test(at.data) && isPreformatted(element)) return true;
    if (at.data.trim() !== '') return false;
  }
  return true;
}

function isPreformatted(element: Element): boolean {
  for (let at = element.parent; at && isTag(at); at = at.parent) if (at.name === 'pre') return true;
  return false;
}

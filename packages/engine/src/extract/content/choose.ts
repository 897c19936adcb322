// Turns the probability of every block into the choice with the best expected score, and the choice into nodes.
import type { AnyNode, Element, ParentNode, Text } from 'domhandler';
import { isTag } from 'domhandler';
import { isParent } from '../../html/walk.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';

/** Where to cut a page's blocks, and what that cut can be expected to be worth. */
export interface ExpectedBest {
  /** Blocks at or above it belong to the best choice. */
  readonly threshold: number;
  /** The F1 of words that this choice can expect. */
  readonly score: number;
}

/**
 * The choice that maximises the expected F1 of words: 2·Σ(chosen p·w) / (Σ(chosen w) + Σ(all p·w)). Blocks enter in
 * order of probability, so the best choice keeps what is above half of the score that it reaches.
 */
export function expectedBest(probabilities: readonly number[], words: readonly number[]): ExpectedBest {
  const order = [...probabilities.keys()].sort((a, b) => (probabilities[b] as number) - (probabilities[a] as number));
  const expected = order.reduce((sum, i) => sum + (probabilities[i] as number) * (words[i] as number), 0);
  let hit = 0;
  let chosen = 0;
  let score = 0;
  for (const i of order) {
    hit += (probabilities[i] as number) * (words[i] as number);
    chosen += words[i] as number;
    score = Math.max(score, (2 * hit) / (chosen + expected));
  }
  return { threshold: score / 2, score };
}

/** A choice of blocks as nodes of the tree. */
export interface ChosenNodes {
  readonly roots: readonly Element[];
  readonly excluded: ReadonlySet<AnyNode>;
}

/** The smallest element round all `chosen` blocks, and the largest nodes below it that hold text but none that is chosen. */
export function nodesOf(outline: Outline, chosen: readonly boolean[]): ChosenNodes {
  const excluded = new Set<AnyNode>();
  const root = rootOf(outline, chosen);
  collectExcluded(root, keptNodes(outline, chosen), excluded);
  return { roots: [root], excluded };
}

/** Elements that a page is laid out with, and that may hold its content as a whole. */
export const SECTIONING: ReadonlySet<string> = new Set(['body', 'main', 'article', 'section', 'div', 'center', 'form', 'span']);

/** The innermost element round all chosen texts to which nothing but sectioning elements leads. */
function rootOf({ blocks, body }: Outline, chosen: readonly boolean[]): Element {
  const first = blocks.find(({ index }) => chosen[index])?.texts[0];
  const last = blocks.findLast(({ index }) => chosen[index])?.texts.at(-1);
  if (!first || !last) return body.element;
  let root = body.element;
  const path = sharedPath(first, last);
  for (let at = path.indexOf(root) + 1; at < path.length && SECTIONING.has((path[at] as Element).name); at++) root = path[at] as Element;
  return root;
}

/** The elements round both texts, the outermost first. */
function sharedPath(first: Text, last: Text): readonly Element[] {
  const others = new Set(elementsRound(last));
  return elementsRound(first)
    .filter((element) => others.has(element))
    .toReversed();
}

function elementsRound(text: Text): readonly Element[] {
  const elements: Element[] = [];
  for (let node = text.parent; node; node = node.parent) if (isTag(node)) elements.push(node);
  return elements;
}

/** Whether anything chosen is inside a node. What lies below a box that is chosen or not as a whole need not be known. */
type Kept = Map<AnyNode, boolean>;

function keptNodes({ blocks, boxCount }: Outline, chosen: readonly boolean[]): Kept {
  const kept: Kept = new Map();
  const chosenIn = countChosen(blocks, chosen, boxCount);
  const isWhole = ({ index, blocks: all }: Box) => chosenIn[index] === 0 || chosenIn[index] === all;
  for (const { index, box, texts } of blocks) {
    const isChosen = chosen[index] === true;
    if (!isWhole(box)) {
      for (const text of texts) markUp(text, isChosen, kept);
      continue;
    }
    let whole = box;
    while (whole.parent && isWhole(whole.parent)) whole = whole.parent;
    markUp(whole.element, isChosen, kept);
  }
  return kept;
}

/** By the place of a box, how many of the blocks in it are chosen. */
function countChosen(blocks: readonly ContentBlock[], chosen: readonly boolean[], boxCount: number): Uint32Array {
  const counts = new Uint32Array(boxCount);
  for (const { index, box } of blocks) {
    if (!chosen[index]) continue;
    for (let at: Box | undefined = box; at; at = at.parent) counts[at.index] = (counts[at.index] as number) + 1;
  }
  return counts;
}

/** Notes for a node and everything above it whether anything chosen is inside. */
function markUp(marked: AnyNode, isChosen: boolean, kept: Kept): void {
  for (let node: AnyNode | null = marked; node; node = node.parent) {
    const known = kept.get(node);
    if (known === true || known === isChosen) return;
    kept.set(node, isChosen);
  }
}

function collectExcluded(parent: ParentNode, kept: Kept, excluded: Set<AnyNode>): void {
  for (const child of parent.children) {
    const state = kept.get(child);
    if (state === false) excluded.add(child);
    else if (state === true && isParent(child)) collectExcluded(child, kept, excluded);
  }
}

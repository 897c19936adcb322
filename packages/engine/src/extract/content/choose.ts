// Turns the probability of every block into the choice with the best expected score, and the choice into nodes.
import type { AnyNode, ChildNode, Element, ParentNode, Text } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { Outline } from './outline.ts';

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
  const kept = new Map<ParentNode | Text, boolean>();
  outline.blocks.forEach((block, i) => {
    for (const text of block.texts) markUp(text, chosen[i] === true, kept);
  });
  const excluded = new Set<AnyNode>(outline.hiddenInline);
  const root = rootOf(outline.body.element, kept);
  collectExcluded(root, kept, excluded);
  return { roots: [root], excluded };
}

/** Notes for a text and everything above it whether anything chosen is inside. */
function markUp(text: Text, isChosen: boolean, kept: Map<ParentNode | Text, boolean>): void {
  kept.set(text, isChosen);
  for (let node = text.parent; node; node = node.parent) {
    const known = kept.get(node);
    if (known === true || known === isChosen) return;
    kept.set(node, isChosen);
  }
}

const SECTIONING = new Set(['body', 'main', 'article', 'section', 'div', 'center', 'form', 'span']);

function rootOf(body: Element, kept: ReadonlyMap<ParentNode | Text, boolean>): Element {
  let root = body;
  for (;;) {
    const holders = root.children.filter((child) => keptIn(child, kept) === true);
    const [only] = holders;
    if (holders.length !== 1 || !only || !isTag(only) || !SECTIONING.has(only.name)) return root;
    root = only;
  }
}

function collectExcluded(parent: ParentNode, kept: ReadonlyMap<ParentNode | Text, boolean>, excluded: Set<AnyNode>): void {
  for (const child of parent.children) {
    const state = keptIn(child, kept);
    if (state === false) excluded.add(child);
    else if (state === true && 'children' in child) collectExcluded(child, kept, excluded);
  }
}

/** Undefined where there is no text at all. */
function keptIn(node: ChildNode, kept: ReadonlyMap<ParentNode | Text, boolean>): boolean | undefined {
  return isText(node) || 'children' in node ? kept.get(node) : undefined;
}

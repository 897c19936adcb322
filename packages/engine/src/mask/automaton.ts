// Finds many texts in one in a single pass (Aho and Corasick, CACM 18:6, 1975), unit by unit: libraries that go by graphemes miss a text that a combining mark follows.

/** A piece of what was searched; the end is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is searched: UTF-16 units or bytes. */
export interface Units {
  readonly length: number;
  at(index: number): number;
}

interface Node {
  readonly next: Map<number, Node>;
  /** Where the longest beginning of a text goes on that ends here. */
  fallback: Node | undefined;
  /** Length of the longest text that ends here; 0 for none. */
  ends: number;
}

/** Searches for all of `texts` at once. Ranges are in order and touch nowhere: what overlaps or adjoins is one. */
export function createAutomaton(texts: readonly Units[]): (units: Units) => readonly Range[] {
  const root = makeNode();
  for (const text of texts) insert(root, text);
  link(root);
  return (units) => search(root, units);
}

function makeNode(): Node {
  return { next: new Map(), fallback: undefined, ends: 0 };
}

function insert(root: Node, text: Units): void {
  let node = root;
  for (let i = 0; i < text.length; i++) {
    const unit = text.at(i);
    const known = node.next.get(unit) ?? makeNode();
    node.next.set(unit, known);
    node = known;
  }
  node.ends = text.length;
}

/** Breadth first: a node's fallback is nearer to the root. */
function link(root: Node): void {
  const queue = [root];
  for (const node of queue)
    for (const [unit, child] of node.next) {
      child.fallback = node === root ? root : step(root, node.fallback ?? root, unit);
      child.ends = Math.max(child.ends, child.fallback.ends);
      queue.push(child);
    }
}

function step(root: Node, from: Node, unit: number): Node {
  let node = from;
  for (;;) {
    const next = node.next.get(unit);
    if (next) return next;
    if (node === root) return root;
    node = node.fallback ?? root;
  }
}

function search(root: Node, units: Units): readonly Range[] {
  const ranges: Range[] = [];
  let node = root;
  for (let i = 0; i < units.length; i++) {
    node = step(root, node, units.at(i));
    if (node.ends > 0) add(ranges, i + 1 - node.ends, i + 1);
  }
  return ranges;
}

/** Ends only grow, so what a new range reaches back over is at the end of the list. */
function add(ranges: Range[], start: number, end: number): void {
  let from = start;
  for (let last = ranges.at(-1); last && last.end >= from; last = ranges.at(-1)) {
    from = Math.min(from, last.start);
    ranges.pop();
  }
  ranges.push({ start: from, end });
}

// How alike two blocks are: shared stable classes, and shared tag-and-class paths below them.
import type { Block } from './survey.ts';

const DEPTH_MAX = 4;
const PATHS_MAX = 400;
const CLASS_WEIGHT = 0.45;

/** A card with a former price is of the same kind as one without. */
const EDITS: Readonly<Record<string, 'gone' | 'new'>> = { del: 'gone', s: 'gone', strike: 'gone', ins: 'new' };

/** Remembers the paths of each block for as long as one page is looked at. */
export class Shapes {
  private readonly known = new Map<Block, ReadonlySet<number>>();

  /** 0 (nothing in common, or another tag) to 1 (same classes, same paths). Blocks without classes are compared by paths alone. */
  similarity(a: Block, b: Block): number {
    if (a.element.name !== b.element.name) return 0;
    const paths = overlap(this.pathsOf(a), this.pathsOf(b));
    if (a.classes.length === 0 && b.classes.length === 0) return paths;
    const classes = a.sign === b.sign ? 1 : overlap(new Set(a.classes), new Set(b.classes));
    return CLASS_WEIGHT * classes + (1 - CLASS_WEIGHT) * paths;
  }

  /** Hashes of the paths from `block` down to DEPTH_MAX levels, with and without classes. */
  pathsOf(block: Block): ReadonlySet<number> {
    const known = this.known.get(block);
    if (known) return known;
    const paths = new Set<number>();
    addPaths(block, 17, 1, paths);
    this.known.set(block, paths);
    return paths;
  }
}

function addPaths(block: Block, above: number, depth: number, paths: Set<number>): void {
  for (const child of block.children) {
    if (paths.size >= PATHS_MAX) return;
    if (EDITS[child.element.name] === 'gone') continue;
    if (EDITS[child.element.name] === 'new') {
      addPaths(child, above, depth, paths);
      continue;
    }
    const path = (Math.imul(above, 0x01000193) ^ child.sign) | 0;
    paths.add(path);
    if (depth < DEPTH_MAX) addPaths(child, path, depth + 1, paths);
  }
}

/** Jaccard index; two empty sets are equal. */
function overlap<Value>(a: ReadonlySet<Value>, b: ReadonlySet<Value>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const value of small) if (large.has(value)) shared++;
  return shared / (a.size + b.size - shared);
}

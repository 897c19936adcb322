// Sums of small decision trees: how the trained weights are stored and read.

/** A leaf's value, or what to compare and where to go: [feature, threshold, at or below, above]. */
export type TreeNode = number | readonly [feature: number, threshold: number, low: TreeNode, high: TreeNode];

/** Trained on named features; `features` guards against a table that no longer fits the code. */
export interface TreeModel {
  readonly features: readonly string[];
  readonly bias: number;
  readonly trees: readonly TreeNode[];
}

/**
 * A model made ready for many rows, by feature and not by tree: a leaf of a tree is a bit, and a comparison that fails strikes out the
 * leaves at or below it; the first leaf left is the tree's (QuickScorer, Lucchese et al., SIGIR 2015). Walking down the trees would cost
 * a guess of the processor a step, half of them wrong.
 */
export interface CompiledModel {
  readonly bias: number;
  readonly trees: number;
  /** The leaves of the trees, LEAVES_MAX places for each. */
  readonly leaves: Float32Array;
  /** The features that are compared, and where the comparisons of each begin; they end where those of the next one begin. */
  readonly features: Int16Array;
  readonly starts: Int32Array;
  /** By feature, thresholds rising: what is above the threshold strikes out all leaves of the tree but those of `mask`. */
  readonly thresholds: Float32Array;
  readonly tree: Int16Array;
  readonly mask: Int32Array;
  /** Room for the leaves left of every tree, as bits. */
  readonly left: Int32Array;
  /** The names of the features that are compared. */
  readonly asked: ReadonlySet<string>;
}

const LEAVES_MAX = 32;

/** One comparison of a tree, and the leaves at or below its threshold: from `first` up to `end`. */
interface Branch {
  readonly feature: number;
  readonly threshold: number;
  readonly tree: number;
  readonly first: number;
  readonly end: number;
}

/** `model` in compiled form. Throws RangeError when its features are not `names`, and for a tree of more than 32 leaves. */
export function compileModel(model: TreeModel, names: readonly string[]): CompiledModel {
  if (model.features.length !== names.length || model.features.some((name, i) => name !== names[i])) {
    throw new RangeError('The weights were trained on other features: train them again.');
  }
  const branches: Branch[] = [];
  const leaves = new Float32Array(model.trees.length * LEAVES_MAX);
  model.trees.forEach((root, tree) => {
    if (collectLeaves(root, tree, 0, leaves, branches) > LEAVES_MAX) throw new RangeError(`A tree has more than ${LEAVES_MAX} leaves.`);
  });
  branches.sort((a, b) => a.feature - b.feature || a.threshold - b.threshold);
  const features = [...new Set(branches.map(({ feature }) => feature))];
  const starts = features.map((wanted) => branches.findIndex(({ feature }) => feature === wanted));
  return {
    bias: model.bias,
    trees: model.trees.length,
    leaves,
    features: Int16Array.from(features),
    starts: Int32Array.from([...starts, branches.length]),
    thresholds: Float32Array.from(branches, ({ threshold }) => threshold),
    tree: Int16Array.from(branches, ({ tree }) => tree),
    mask: Int32Array.from(branches, ({ first, end }) => ~(bitsBelow(end) ^ bitsBelow(first))),
    left: new Int32Array(model.trees.length),
    asked: new Set(features.map((feature) => names[feature] as string)),
  };
}

/** Numbers the leaves of a tree from left to right, `next` the first of them; the number behind the last. */
function collectLeaves(node: TreeNode, tree: number, next: number, leaves: Float32Array, branches: Branch[]): number {
  if (typeof node === 'number') {
    if (next < LEAVES_MAX) leaves[tree * LEAVES_MAX + next] = node;
    return next + 1;
  }
  const [feature, threshold, low, high] = node;
  const end = collectLeaves(low, tree, next, leaves, branches);
  branches.push({ feature, threshold, tree, first: next, end });
  return collectLeaves(high, tree, end, leaves, branches);
}

function bitsBelow(count: number): number {
  return count >= LEAVES_MAX ? -1 : (1 << count) - 1;
}

/** The sum of the trees at the row of `values` that begins at `start`, before any link function. */
export function scoreRow(model: CompiledModel, values: Float32Array, start = 0): number {
  const { trees, leaves, features, starts, thresholds, tree, mask, left } = model;
  left.fill(-1);
  for (let i = 0; i < features.length; i++) {
    const value = values[start + (features[i] as number)] as number;
    const end = starts[i + 1] as number;
    for (let at = starts[i] as number; at < end && value > (thresholds[at] as number); at++)
      left[tree[at] as number] = (left[tree[at] as number] as number) & (mask[at] as number);
  }
  let sum = model.bias;
  for (let i = 0; i < trees; i++) {
    const bits = left[i] as number;
    sum += leaves[i * LEAVES_MAX + 31 - Math.clz32(bits & -bits)] as number;
  }
  return sum;
}

/** A score as a probability. */
export function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

// Sums of small decision trees: how the trained weights are stored and read.

/** A leaf's value, or what to compare and where to go: [feature, threshold, at or below, above]. */
export type TreeNode = number | readonly [feature: number, threshold: number, low: TreeNode, high: TreeNode];

/** Trained on named features; `features` guards against a table that no longer fits the code. */
export interface TreeModel {
  readonly features: readonly string[];
  readonly bias: number;
  readonly trees: readonly TreeNode[];
}

/** A model made ready for many rows: flat arrays, one entry per node. */
export interface CompiledModel {
  readonly bias: number;
  readonly roots: Int32Array;
  /** -1 marks a leaf. */
  readonly feature: Int16Array;
  /** The threshold of a branch, the value of a leaf. */
  readonly value: Float32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** `model` in flat form. Throws RangeError when its features are not `names`. */
export function compileModel(model: TreeModel, names: readonly string[]): CompiledModel {
  if (model.features.length !== names.length || model.features.some((name, i) => name !== names[i])) {
    throw new RangeError('The weights were trained on other features: train them again.');
  }
  const flat: { feature: number; value: number; low: number; high: number }[] = [];
  const roots = model.trees.map((tree) => flatten(tree, flat));
  return {
    bias: model.bias,
    roots: Int32Array.from(roots),
    feature: Int16Array.from(flat, (node) => node.feature),
    value: Float32Array.from(flat, (node) => node.value),
    low: Int32Array.from(flat, (node) => node.low),
    high: Int32Array.from(flat, (node) => node.high),
  };
}

function flatten(tree: TreeNode, flat: { feature: number; value: number; low: number; high: number }[]): number {
  const at = flat.length;
  if (typeof tree === 'number') {
    flat.push({ feature: -1, value: tree, low: 0, high: 0 });
    return at;
  }
  const node = { feature: tree[0], value: tree[1], low: 0, high: 0 };
  flat.push(node);
  node.low = flatten(tree[2], flat);
  node.high = flatten(tree[3], flat);
  return at;
}

/** The sum of the trees at `row`, before any link function. */
export function scoreRow(model: CompiledModel, row: Float32Array): number {
  const { roots, feature, value, low, high } = model;
  let sum = model.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    for (let at = feature[node] as number; at >= 0; at = feature[node] as number) {
      node = ((row[at] as number) <= (value[node] as number) ? low[node] : high[node]) as number;
    }
    sum += value[node] as number;
  }
  return sum;
}

/** A score as a probability. */
export function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

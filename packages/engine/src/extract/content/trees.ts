// Sums of small decision trees: how the trained weights are stored and read.

/** A leaf's value, or what to compare and where to go: [feature, threshold, at or below, above]. */
export type TreeNode = number | readonly [feature: number, threshold: number, low: TreeNode, high: TreeNode];

/** Trained on named features; `features` guards against a table that no longer fits the code. */
export interface TreeModel {
  readonly features: readonly string[];
  readonly bias: number;
  readonly trees: readonly TreeNode[];
}

/** A model made ready for many rows: flat arrays, one entry per node, a branch right before the node that it goes to at or below. */
export interface CompiledModel {
  readonly bias: number;
  readonly roots: Int32Array;
  /** -1 marks a leaf. */
  readonly feature: Int16Array;
  /** The threshold of a branch, the value of a leaf. */
  readonly value: Float32Array;
  /** Where a branch goes above its threshold. */
  readonly high: Int32Array;
  /** The features that any tree compares. */
  readonly asked: ReadonlySet<string>;
}

interface FlatNode {
  readonly feature: number;
  readonly value: number;
  high: number;
}

/** `model` in flat form. Throws RangeError when its features are not `names`. */
export function compileModel(model: TreeModel, names: readonly string[]): CompiledModel {
  if (model.features.length !== names.length || model.features.some((name, i) => name !== names[i])) {
    throw new RangeError('The weights were trained on other features: train them again.');
  }
  const flat: FlatNode[] = [];
  const roots = model.trees.map((tree) => flatten(tree, flat));
  return {
    bias: model.bias,
    roots: Int32Array.from(roots),
    feature: Int16Array.from(flat, (node) => node.feature),
    value: Float32Array.from(flat, (node) => node.value),
    high: Int32Array.from(flat, (node) => node.high),
    asked: new Set(flat.filter(({ feature }) => feature >= 0).map(({ feature }) => names[feature] as string)),
  };
}

function flatten(tree: TreeNode, flat: FlatNode[]): number {
  const at = flat.length;
  if (typeof tree === 'number') {
    flat.push({ feature: -1, value: tree, high: 0 });
    return at;
  }
  const node = { feature: tree[0], value: tree[1], high: 0 };
  flat.push(node);
  flatten(tree[2], flat);
  node.high = flatten(tree[3], flat);
  return at;
}

/** The sum of the trees at the row of `values` that begins at `start`, before any link function. */
export function scoreRow(model: CompiledModel, values: Float32Array, start = 0): number {
  const { roots, feature, value, high } = model;
  let sum = model.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] as number;
    for (let at = feature[node] as number; at >= 0; at = feature[node] as number) {
      node = (values[start + at] as number) <= (value[node] as number) ? node + 1 : (high[node] as number);
    }
    sum += value[node] as number;
  }
  return sum;
}

/** A score as a probability. */
export function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

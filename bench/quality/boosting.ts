// Gradient-boosted decision trees on histograms, logistic loss with soft labels: small, seeded, and only for training.
import type { TreeModel, TreeNode } from '../../packages/engine/src/extract/content/trees.ts';

export interface Samples {
  readonly rows: readonly Float32Array[];
  /** Targets from 0 to 1. */
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

export interface BoostOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  /** Least sum of hessians in a leaf. */
  readonly leafWeightMin: number;
  readonly lambda: number;
  /** Shares of rows and features that each tree sees. */
  readonly rowShare: number;
  readonly featureShare: number;
  readonly seed?: number;
}

const BINS = 64;

interface Binned {
  readonly columns: readonly Uint8Array[];
  readonly edges: readonly Float32Array[];
}

interface Leaf {
  readonly rows: Int32Array;
  readonly gradient: number;
  readonly hessian: number;
  split: Split | undefined;
  node: { tree: TreeNode };
}

interface Split {
  readonly feature: number;
  readonly bin: number;
  readonly gain: number;
}

/** A model fitted to `samples`; the same seed gives the same trees. */
export function boost(samples: Samples, features: readonly string[], options: BoostOptions): TreeModel {
  const random = seeded(options.seed ?? 7);
  const binned = binColumns(samples.rows, features.length);
  const count = samples.rows.length;
  const bias = logit(weightedMean(samples.labels, samples.weights));
  const scores = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const hessians = new Float64Array(count);
  const trees: TreeNode[] = [];
  for (let round = 0; round < options.trees; round++) {
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-(scores[i] as number)));
      const weight = samples.weights[i] as number;
      gradients[i] = weight * (p - (samples.labels[i] as number));
      hessians[i] = Math.max(1e-6, weight * p * (1 - p));
    }
    const rows = Int32Array.from(sampleIndices(count, options.rowShare, random));
    const columns = sampleIndices(features.length, options.featureShare, random);
    const tree = growTree(binned, rows, columns, gradients, hessians, options);
    trees.push(tree);
    addScores(tree, samples.rows, scores);
  }
  return { features, bias: round(bias), trees };
}

function addScores(tree: TreeNode, rows: readonly Float32Array[], scores: Float64Array): void {
  for (let i = 0; i < rows.length; i++) {
    let node = tree;
    const row = rows[i] as Float32Array;
    while (typeof node !== 'number') node = (row[node[0]] as number) <= node[1] ? node[2] : node[3];
    scores[i] = (scores[i] as number) + node;
  }
}

/** Grows the leaf with the largest gain first. */
function growTree(
  binned: Binned,
  rows: Int32Array,
  columns: readonly number[],
  gradients: Float64Array,
  hessians: Float64Array,
  options: BoostOptions,
): TreeNode {
  const root: { tree: TreeNode } = { tree: 0 };
  const makeLeaf = (members: Int32Array, node: { tree: TreeNode }): Leaf => {
    let gradient = 0;
    let hessian = 0;
    for (const row of members) {
      gradient += gradients[row] as number;
      hessian += hessians[row] as number;
    }
    const leaf: Leaf = { rows: members, gradient, hessian, split: undefined, node };
    leaf.split = bestSplit(binned, leaf, columns, gradients, hessians, options);
    return leaf;
  };
  const leaves = [makeLeaf(rows, root)];
  const builds: (() => void)[] = [];
  while (leaves.length < options.leaves) {
    const leaf = leaves.filter((each) => each.split).sort((a, b) => (b.split?.gain ?? 0) - (a.split?.gain ?? 0))[0];
    if (!leaf?.split) break;
    const { feature, bin } = leaf.split;
    const column = binned.columns[feature] as Uint8Array;
    const low = makeLeaf(
      leaf.rows.filter((row) => (column[row] as number) <= bin),
      { tree: 0 },
    );
    const high = makeLeaf(
      leaf.rows.filter((row) => (column[row] as number) > bin),
      { tree: 0 },
    );
    const threshold = round(binned.edges[feature]?.[bin] ?? 0);
    builds.push(() => (leaf.node.tree = [feature, threshold, low.node.tree, high.node.tree]));
    leaves.splice(leaves.indexOf(leaf), 1, low, high);
  }
  for (const leaf of leaves) leaf.node.tree = round((-options.rate * leaf.gradient) / (leaf.hessian + options.lambda));
  for (const build of builds.reverse()) build();
  return root.tree;
}

function bestSplit(
  binned: Binned,
  leaf: Leaf,
  columns: readonly number[],
  gradients: Float64Array,
  hessians: Float64Array,
  options: BoostOptions,
): Split | undefined {
  const { lambda, leafWeightMin } = options;
  if (leaf.hessian < 2 * leafWeightMin) return undefined;
  const whole = leaf.gradient ** 2 / (leaf.hessian + lambda);
  let best: Split | undefined;
  const g = new Float64Array(BINS);
  const h = new Float64Array(BINS);
  for (const feature of columns) {
    const column = binned.columns[feature] as Uint8Array;
    g.fill(0);
    h.fill(0);
    for (let i = 0; i < leaf.rows.length; i++) {
      const row = leaf.rows[i] as number;
      const bin = column[row] as number;
      g[bin] = (g[bin] as number) + (gradients[row] as number);
      h[bin] = (h[bin] as number) + (hessians[row] as number);
    }
    let gl = 0;
    let hl = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      gl += g[bin] as number;
      hl += h[bin] as number;
      const hr = leaf.hessian - hl;
      if (hl < leafWeightMin || h[bin] === 0) continue;
      if (hr < leafWeightMin) break;
      const gain = gl ** 2 / (hl + lambda) + (leaf.gradient - gl) ** 2 / (hr + lambda) - whole;
      if (gain > (best?.gain ?? 1e-6)) best = { feature, bin, gain };
    }
  }
  return best;
}

/** Cuts every column at quantiles; an edge is the largest value of its bin, so the stored threshold sends each row the same way. */
function binColumns(rows: readonly Float32Array[], width: number): Binned {
  const columns: Uint8Array[] = [];
  const edges: Float32Array[] = [];
  const step = Math.max(1, Math.floor(rows.length / 20_000));
  for (let feature = 0; feature < width; feature++) {
    const sample: number[] = [];
    for (let i = 0; i < rows.length; i += step) sample.push((rows[i] as Float32Array)[feature] as number);
    const cuts = quantileEdges(Float32Array.from(sample).sort());
    edges.push(cuts);
    columns.push(Uint8Array.from(rows, (row) => binOf(row[feature] as number, cuts)));
  }
  return { columns, edges };
}

function quantileEdges(sorted: Float32Array): Float32Array {
  const distinct = sorted.filter((value, i) => i === 0 || value !== sorted[i - 1]);
  const source = distinct.length <= BINS ? distinct : sorted;
  const parts = Math.min(BINS, source.length);
  const cuts: number[] = [];
  for (let i = 1; i < parts; i++) {
    const at = Math.floor((i * source.length) / parts);
    const cut = round(((source[at - 1] as number) + (source[at] as number)) / 2);
    if (cut !== cuts.at(-1)) cuts.push(cut);
  }
  return Float32Array.from(cuts);
}

function binOf(value: number, cuts: Float32Array): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (cuts[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sampleIndices(count: number, share: number, random: () => number): number[] {
  const picked: number[] = [];
  for (let i = 0; i < count; i++) if (random() < share) picked.push(i);
  return picked;
}

function weightedMean(values: Float32Array, weights: Float32Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    sum += (values[i] as number) * (weights[i] as number);
    total += weights[i] as number;
  }
  return sum / total;
}

const logit = (p: number) => Math.log(p / (1 - p));
const round = (value: number) => Number(value.toPrecision(4));

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

// Gradient-boosted decision trees on histograms, logistic loss with soft labels: small, seeded, and only for training.
import type { TreeModel, TreeNode } from '../../packages/engine/src/extract/content/trees.ts';

/** What to learn from: a row of features, a target and a weight per sample. */
export interface Samples {
  readonly rows: readonly Float32Array[];
  /** Targets from 0 to 1. */
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

/** How many trees, how large, and how carefully they are fitted. */
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

/** Sums of gradients and hessians by column and bin, in pairs. */
type Histogram = Float64Array;

interface Leaf {
  readonly rows: Int32Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly histogram: Histogram;
  readonly split: Split | undefined;
  readonly node: { tree: TreeNode };
}

/** What the leaves of one tree are grown from. */
interface Ground {
  readonly binned: Binned;
  readonly columns: readonly number[];
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly options: BoostOptions;
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
    const tree = growTree({ binned, columns, gradients, hessians, options }, rows);
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
function growTree(ground: Ground, rows: Int32Array): TreeNode {
  const { binned, options } = ground;
  const root: { tree: TreeNode } = { tree: 0 };
  const leaves = [makeLeaf(ground, rows, root, histogramOf(ground, rows))];
  const builds: (() => void)[] = [];
  while (leaves.length < options.leaves) {
    const leaf = leaves.filter((each) => each.split).sort((a, b) => (b.split?.gain ?? 0) - (a.split?.gain ?? 0))[0];
    if (!leaf?.split) break;
    const { feature, bin } = leaf.split;
    const [low, high] = divide(ground, leaf, leaf.split);
    const threshold = round(binned.edges[feature]?.[bin] ?? 0);
    builds.push(() => (leaf.node.tree = [feature, threshold, low.node.tree, high.node.tree]));
    leaves.splice(leaves.indexOf(leaf), 1, low, high);
  }
  for (const leaf of leaves) leaf.node.tree = round((-options.rate * leaf.gradient) / (leaf.hessian + options.lambda));
  for (const build of builds.reverse()) build();
  return root.tree;
}

/** Only the smaller half is counted again; the other is what remains of the whole. */
function divide(ground: Ground, leaf: Leaf, { feature, bin }: Split): [low: Leaf, high: Leaf] {
  const column = ground.binned.columns[feature] as Uint8Array;
  const low = leaf.rows.filter((row) => (column[row] as number) <= bin);
  const high = leaf.rows.filter((row) => (column[row] as number) > bin);
  const lowIsSmaller = low.length <= high.length;
  const counted = histogramOf(ground, lowIsSmaller ? low : high);
  const rest = leaf.histogram.map((sum, i) => sum - (counted[i] as number));
  return [
    makeLeaf(ground, low, { tree: 0 }, lowIsSmaller ? counted : rest),
    makeLeaf(ground, high, { tree: 0 }, lowIsSmaller ? rest : counted),
  ];
}

function histogramOf({ binned, columns, gradients, hessians }: Ground, rows: Int32Array): Histogram {
  const histogram = new Float64Array(columns.length * BINS * 2);
  columns.forEach((feature, at) => {
    const column = binned.columns[feature] as Uint8Array;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const slot = (at * BINS + (column[row] as number)) * 2;
      histogram[slot] = (histogram[slot] as number) + (gradients[row] as number);
      histogram[slot + 1] = (histogram[slot + 1] as number) + (hessians[row] as number);
    }
  });
  return histogram;
}

function makeLeaf(ground: Ground, rows: Int32Array, node: { tree: TreeNode }, histogram: Histogram): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (const row of rows) {
    gradient += ground.gradients[row] as number;
    hessian += ground.hessians[row] as number;
  }
  return { rows, gradient, hessian, histogram, node, split: bestSplit(ground, histogram, gradient, hessian) };
}

function bestSplit({ columns, options }: Ground, histogram: Histogram, gradient: number, hessian: number): Split | undefined {
  const { lambda, leafWeightMin } = options;
  if (hessian < 2 * leafWeightMin) return undefined;
  const whole = gradient ** 2 / (hessian + lambda);
  let best: Split | undefined;
  columns.forEach((feature, at) => {
    let low = 0;
    let lowHessian = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      const slot = (at * BINS + bin) * 2;
      const added = histogram[slot + 1] as number;
      low += histogram[slot] as number;
      lowHessian += added;
      if (lowHessian < leafWeightMin || added < 1e-9) continue;
      const highHessian = hessian - lowHessian;
      if (highHessian < leafWeightMin) break;
      const gain = low ** 2 / (lowHessian + lambda) + (gradient - low) ** 2 / (highHessian + lambda) - whole;
      if (gain > (best?.gain ?? 1e-6)) best = { feature, bin, gain };
    }
  });
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

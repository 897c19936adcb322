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

/** Every row's bins side by side, so that one row is one stretch of memory. */
interface Binned {
  readonly bins: Uint8Array;
  readonly width: number;
  readonly edges: readonly Float32Array[];
}

/** Sums of gradients and hessians by column and bin, in pairs. */
type Histogram = Float64Array;

/** A stretch of the ground's order of rows, and where its node is. */
interface Leaf {
  readonly start: number;
  readonly end: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly histogram: Histogram;
  readonly split: Split | undefined;
  readonly node: GrowingNode;
}

/** A leaf until it has a split. */
interface GrowingNode {
  split?: { readonly feature: number; readonly bin: number; readonly low: GrowingNode; readonly high: GrowingNode };
  value: number;
}

/** What the leaves of one tree are grown from. */
interface Ground {
  readonly binned: Binned;
  readonly columns: Int32Array;
  /** The rows of the tree; a split sorts its own stretch. */
  readonly order: Int32Array;
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
  const binned = binRows(samples.rows, features.length);
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
    const order = sampleIndices(count, options.rowShare, random);
    const columns = sampleIndices(features.length, options.featureShare, random);
    const root = growTree({ binned, columns, order, gradients, hessians, options });
    trees.push(treeOf(root, binned));
    addScores(root, binned, scores);
  }
  return { features, bias: round(bias), trees };
}

/** One model whose score is the mean of the scores of `models`, all fitted to the same features. */
export function averageModels(models: readonly TreeModel[]): TreeModel {
  const scaled = (node: TreeNode): TreeNode =>
    typeof node === 'number' ? round(node / models.length) : [node[0], node[1], scaled(node[2]), scaled(node[3])];
  return {
    features: models[0]?.features ?? [],
    bias: round(models.reduce((sum, model) => sum + model.bias, 0) / models.length),
    trees: models.flatMap((model) => model.trees.map(scaled)),
  };
}

function treeOf({ split, value }: GrowingNode, binned: Binned): TreeNode {
  if (!split) return value;
  const { feature, bin, low, high } = split;
  return [feature, round(binned.edges[feature]?.[bin] ?? 0), treeOf(low, binned), treeOf(high, binned)];
}

function addScores(root: GrowingNode, { bins, width }: Binned, scores: Float64Array): void {
  for (let i = 0; i < scores.length; i++) {
    let node = root;
    while (node.split) node = (bins[i * width + node.split.feature] as number) <= node.split.bin ? node.split.low : node.split.high;
    scores[i] = (scores[i] as number) + node.value;
  }
}

/** Grows the leaf with the largest gain first. */
function growTree(ground: Ground): GrowingNode {
  const { order, options } = ground;
  const root: GrowingNode = { value: 0 };
  const leaves = [makeLeaf(ground, 0, order.length, root, histogramOf(ground, 0, order.length))];
  while (leaves.length < options.leaves) {
    const leaf = leaves.reduce((best, each) => ((each.split?.gain ?? 0) > (best.split?.gain ?? 0) ? each : best));
    if (!leaf.split) break;
    leaves.splice(leaves.indexOf(leaf), 1, ...divide(ground, leaf, leaf.split));
  }
  for (const leaf of leaves) leaf.node.value = round((-options.rate * leaf.gradient) / (leaf.hessian + options.lambda));
  return root;
}

/** Only the smaller half is counted again; the other is what remains of the whole. */
function divide(ground: Ground, leaf: Leaf, { feature, bin }: Split): [low: Leaf, high: Leaf] {
  const { start, end } = leaf;
  const middle = sortRows(ground, leaf, feature, bin);
  const lowIsSmaller = middle - start <= end - middle;
  const counted = lowIsSmaller ? histogramOf(ground, start, middle) : histogramOf(ground, middle, end);
  const rest = leaf.histogram;
  for (let i = 0; i < rest.length; i++) rest[i] = (rest[i] as number) - (counted[i] as number);
  const low: GrowingNode = { value: 0 };
  const high: GrowingNode = { value: 0 };
  leaf.node.split = { feature, bin, low, high };
  return [
    makeLeaf(ground, start, middle, low, lowIsSmaller ? counted : rest),
    makeLeaf(ground, middle, end, high, lowIsSmaller ? rest : counted),
  ];
}

/** Brings the rows at or below `bin` to the front of the leaf's stretch; returns where the others begin. */
function sortRows({ binned: { bins, width }, order }: Ground, { start, end }: Leaf, feature: number, bin: number): number {
  const stretch = order.subarray(start, end);
  const isLow = (row: number) => (bins[row * width + feature] as number) <= bin;
  const low = stretch.filter(isLow);
  const high = stretch.filter((row) => !isLow(row));
  stretch.set(low);
  stretch.set(high, low.length);
  return start + low.length;
}

function histogramOf({ binned: { bins, width }, columns, order, gradients, hessians }: Ground, start: number, end: number): Histogram {
  const histogram = new Float64Array(columns.length * BINS * 2);
  for (let i = start; i < end; i++) {
    const row = order[i] as number;
    const gradient = gradients[row] as number;
    const hessian = hessians[row] as number;
    for (let at = 0; at < columns.length; at++) {
      const slot = (at * BINS + (bins[row * width + (columns[at] as number)] as number)) * 2;
      histogram[slot] = (histogram[slot] as number) + gradient;
      histogram[slot + 1] = (histogram[slot + 1] as number) + hessian;
    }
  }
  return histogram;
}

function makeLeaf(ground: Ground, start: number, end: number, node: GrowingNode, histogram: Histogram): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (let i = start; i < end; i++) {
    gradient += ground.gradients[ground.order[i] as number] as number;
    hessian += ground.hessians[ground.order[i] as number] as number;
  }
  return { start, end, gradient, hessian, histogram, node, split: bestSplit(ground, histogram, gradient, hessian) };
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
function binRows(rows: readonly Float32Array[], width: number): Binned {
  const bins = new Uint8Array(rows.length * width);
  const step = Math.max(1, Math.floor(rows.length / 20_000));
  const edges = Array.from({ length: width }, (_, feature) => {
    const sample: number[] = [];
    for (let i = 0; i < rows.length; i += step) sample.push((rows[i] as Float32Array)[feature] as number);
    return quantileEdges(Float32Array.from(sample).sort());
  });
  rows.forEach((row, i) => edges.forEach((cuts, feature) => (bins[i * width + feature] = binOf(row[feature] as number, cuts))));
  return { bins, width, edges };
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

function sampleIndices(count: number, share: number, random: () => number): Int32Array {
  const picked: number[] = [];
  for (let i = 0; i < count; i++) if (random() < share) picked.push(i);
  return Int32Array.from(picked);
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

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

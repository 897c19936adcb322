// Finds groups of blocks that look like repetitions of one template: siblings, flat runs, and cousins under different parents.
import type { Shapes } from '../survey/shape.ts';
import type { Block, Survey } from '../survey/survey.ts';
import { lineHeads } from '../survey/lines.ts';
import { trimItems } from './trim.ts';

/** Repetitions of one template, in document order; each item is one block, or the blocks of one stretch of a flat run. */
export interface Cluster {
  /** `lines`: the item goes on behind its block, in bare text. */
  readonly kind: 'siblings' | 'runs' | 'cousins' | 'lines';
  readonly items: readonly (readonly Block[])[];
}

/** Two siblings at least this alike belong together. */
const JOIN_MIN = 0.35;
/** Entries of one list and rows of one table belong together by what HTML says of them, even where they look less alike. */
const ENTRIES = new Set(['li', 'tr']);
const ENTRY_BONUS = 0.15;
/** Cousins share their class with wrappers all over the page, so their insides must agree too, in small groups more. */
const COUSIN_MIN = 0.5;
const FEW_COUSINS_MIN = 0.65;
const CLUSTERS_PER_PARENT_MAX = 12;
const RUN_ITEMS_MIN = 3;
/** A run is one when this share of its items have a second block. */
const LONG_RUNS_MIN = 0.6;
const RUN_HEADS_MAX = 3;
/** A kind that is this much rarer than a later one does not open the items. */
const HEAD_RATIO_MIN = 0.8;

/** Every group of two or more repetitions on the page, in no useful order. */
export function findClusters(survey: Survey, shapes: Shapes): Cluster[] {
  const found: Cluster[] = [];
  for (const parent of survey.blocks) {
    if (parent.children.length < 2 || parent.textChars + parent.images === 0) continue;
    found.push(...siblingClusters(parent, shapes), ...flatRuns(parent));
  }
  found.push(...cousins(survey, shapes));
  return found;
}

function siblingClusters(parent: Block, shapes: Shapes): Cluster[] {
  const groups: Block[][] = [];
  for (const child of parent.children) {
    if (child.textChars === 0 && child.images === 0) continue;
    const group = nearest(child, groups, shapes);
    if (group) group.push(child);
    else if (groups.length < CLUSTERS_PER_PARENT_MAX) groups.push([child]);
  }
  const repeated = groups.filter((group) => group.length >= 2);
  const lines = repeated.map((group) => lineHeads(parent, group)).filter((heads) => heads.length > 0);
  return [...repeated.map((group) => clusterOf('siblings', group)), ...lines.map((heads) => clusterOf('lines', heads))];
}

function nearest(block: Block, groups: readonly Block[][], shapes: Shapes): Block[] | undefined {
  let best: Block[] | undefined;
  let bestValue = JOIN_MIN;
  for (const group of groups) {
    const value = shapes.similarity(block, group[0] as Block) + (ENTRIES.has(block.element.name) ? ENTRY_BONUS : 0);
    if (value < bestValue) continue;
    best = group;
    bestValue = value;
  }
  return best;
}

/** Cuts the children of `parent` before each block of a repeated kind: `dt dd dt dd`, `h3 p p h3 p`. Of kinds that are equally frequent the first one opens an item. */
function flatRuns(parent: Block): Cluster[] {
  if (parent.element.name === 'dl') return runsFrom(parent, opensGroup);
  const counts = new Map<number, number>();
  for (const child of parent.children) counts.set(child.sign, (counts.get(child.sign) ?? 0) + 1);
  if (counts.size < 2) return [];
  const repeated = [...counts].filter(([, count]) => count >= RUN_ITEMS_MIN);
  const heads = repeated.filter(([, count], i) => repeated.slice(0, i).every(([, earlier]) => earlier < count * HEAD_RATIO_MIN));
  return heads.slice(0, RUN_HEADS_MAX).flatMap(([sign]) => runsFrom(parent, (child) => child.sign === sign));
}

/** A term opens a group of its list whatever its class says of it; several terms in a row share what follows (HTML 4.4.9). */
function opensGroup({ element }: Block, before: Block | undefined): boolean {
  return element.name === 'dt' && before?.element.name !== 'dt';
}

function runsFrom(parent: Block, isHead: (child: Block, before: Block | undefined) => boolean): Cluster[] {
  const runs: Block[][] = [];
  for (const [place, child] of parent.children.entries()) {
    if (isHead(child, parent.children[place - 1])) runs.push([child]);
    else runs.at(-1)?.push(child);
  }
  const usual = usualSigns(runs);
  const items = runs
    .map((run) => run.filter((block, place) => place === 0 || usual.has(block.sign)))
    .filter((run) => run.some((block) => block.textChars > 0));
  const long = items.filter((run) => run.length >= 2).length;
  return items.length >= RUN_ITEMS_MIN && long >= items.length * LONG_RUNS_MIN ? [{ kind: 'runs', items }] : [];
}

/** Kinds of blocks that at least a quarter of the runs have, so that what follows the last run stays out of it. */
function usualSigns(runs: readonly (readonly Block[])[]): Set<number> {
  const counts = new Map<number, number>();
  for (const run of runs) for (const sign of new Set(run.map((block) => block.sign))) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= Math.max(2, runs.length / 4)).map(([sign]) => sign));
}

/** Blocks of one kind under several parents: rows of a grid, sections of one list. A link that repeats an earlier one word for word is left out. */
function cousins(survey: Survey, shapes: Shapes): Cluster[] {
  const counts = new Map<number, number>();
  for (const { sign } of survey.blocks) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const groups = new Map<string, Block[]>();
  for (const block of survey.blocks) {
    if ((block.textChars === 0 && block.images === 0) || isLining(block, counts)) continue;
    const key = kinship(block);
    const group = groups.get(key);
    if (group) group.push(block);
    else groups.set(key, [block]);
  }
  return [...groups.values()].flatMap((group) => cousinCluster(group, shapes));
}

/** True for a block that only lines its parent, wherever it occurs. */
function isLining(block: Block, counts: ReadonlyMap<number, number>): boolean {
  const { parent } = block;
  return (
    parent !== undefined && parent.children.length === 1 && parent.ownChars === 0 && counts.get(parent.sign) === counts.get(block.sign)
  );
}

/** Classes name a block; without any, its parents do. */
function kinship(block: Block): string {
  if (block.classes.length > 0) return `${block.sign}`;
  return `${block.sign} ${block.parent?.sign} ${block.parent?.parent?.sign}`;
}

function cousinCluster(group: readonly Block[], shapes: Shapes): Cluster[] {
  if (group.length < 2 || group.every((block) => block.parent === group[0]?.parent)) return [];
  const model = group[group.length >> 1] as Block;
  const alikeMin = group.length < 4 ? FEW_COUSINS_MIN : COUSIN_MIN;
  const items: Block[] = [];
  const seen = new Set<string>();
  for (const block of group) {
    const content = `${block.textHash} ${block.href}`;
    if (block.start <= (items.at(-1)?.end ?? -1) || (block.href !== '' && seen.has(content)) || shapes.similarity(model, block) < alikeMin)
      continue;
    seen.add(content);
    items.push(block);
  }
  return items.length < 2 ? [] : [clusterOf('cousins', items)];
}

function clusterOf(kind: Cluster['kind'], blocks: readonly Block[]): Cluster {
  return { kind, items: trimItems(blocks).map((block) => [block]) };
}

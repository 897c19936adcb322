// The template of a record as plain data, so that it is recognised on another page.
import { stepOf } from '../survey/classes.ts';
import { median } from '../group/shares.ts';
import type { Block } from '../survey/survey.ts';

/** What the items of a list have in common. */
export interface Template {
  readonly tag: string;
  readonly classes: readonly string[];
  /** Tag-and-class paths below the item that at least half the items have. */
  readonly paths: readonly string[];
  /** The same by tags alone, for when the classes are made up anew. */
  readonly tags: readonly string[];
  /** Median characters of visible text in an item. */
  readonly chars: number;
}

const DEPTH_MAX = 4;
const PATHS_MAX = 120;
const PATHS_READ_MAX = 480;
const SAMPLE_MAX = 20;
/** What agreement by tags alone is worth. */
const TAGS_WEIGHT = 0.8;

/** The template of `blocks`, one block per item. */
export function templateOf(blocks: readonly Block[]): Template {
  const sample = blocks.slice(0, SAMPLE_MAX);
  return {
    tag: sample[0]?.element.name ?? '',
    classes: shared(sample.map((block) => block.classes)),
    paths: shared(sample.map((block) => [...pathsBelow(block, namedStep)])).slice(0, PATHS_MAX),
    tags: shared(sample.map((block) => [...pathsBelow(block, tagStep)])).slice(0, PATHS_MAX),
    chars: median(sample.map((block) => block.textChars)),
  };
}

/** How well `block` follows `template`, 0 to 1: by classes and paths, or nearly as well by tags and length alone. */
export function resemblance(block: Block, template: Template): number {
  if (block.element.name !== template.tag) return 0;
  const paths = coverage(pathsBelow(block, namedStep), template.paths);
  const named = template.classes.length === 0 ? paths : 0.4 * coverage(new Set(block.classes), template.classes) + 0.6 * paths;
  if (named >= TAGS_WEIGHT) return named;
  return Math.max(
    named,
    TAGS_WEIGHT * coverage(pathsBelow(block, tagStep), template.tags) * lengthAgreement(block.textChars, template.chars),
  );
}

/** 1 up to twice as long or short, then less. */
function lengthAgreement(chars: number, usual: number): number {
  const ratio = (chars + 1) / (usual + 1);
  return Math.min(1, 2 * Math.min(ratio, 1 / ratio));
}

/** Harmonic mean of how much of `wanted` is there and how much of what is there is wanted; extras count half. */
function coverage(present: ReadonlySet<string>, wanted: readonly string[]): number {
  if (wanted.length === 0) return present.size === 0 ? 1 : 0.5;
  const found = wanted.filter((value) => present.has(value)).length;
  return found / (wanted.length + 0.5 * (present.size - found));
}

function shared(values: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const one of values) for (const value of new Set(one)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= values.length / 2).map(([value]) => value);
}

function namedStep(block: Block): string {
  return stepOf(block.element);
}

function tagStep(block: Block): string {
  return block.element.name;
}

function pathsBelow(block: Block, step: (block: Block) => string, above = '', depth = 1, paths = new Set<string>()): Set<string> {
  for (const child of block.children) {
    if (paths.size >= PATHS_READ_MAX) break;
    const path = `${above}>${step(child)}`;
    paths.add(path);
    if (depth < DEPTH_MAX) pathsBelow(child, step, path, depth + 1, paths);
  }
  return paths;
}

// Says how much of every block of a page belongs to the known main content, by aligning words.
import type { ContentBlock } from '../../../packages/engine/src/extract/content/outline.ts';

const WORD = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];
/** Words in a row that must agree; shorter runs agree by chance. */
const RUN = 4;

/**
 * The share of each block's words that stand in `truth` within a run of four, counting over block borders, so a short
 * label between two content blocks counts and the same label in a menu does not. A whole line of the truth counts half.
 */
export function labelBlocks(blocks: readonly ContentBlock[], truth: string): Float32Array {
  const page: string[] = [];
  const owner: number[] = [];
  blocks.forEach((block, i) => {
    for (const word of wordsOf(block.text)) {
      page.push(word);
      owner.push(i);
    }
  });
  const covered = coveredWords(page, wordsOf(truth));
  const labels = new Float32Array(blocks.length);
  const sizes = new Float32Array(blocks.length);
  owner.forEach((block, i) => {
    sizes[block] = (sizes[block] ?? 0) + 1;
    labels[block] = (labels[block] ?? 0) + (covered[i] ?? 0);
  });
  const spare = spareCopies(blocks, truth);
  const lines = new Set(truth.split('\n').map((line) => wordsOf(line).join(' ')));
  return labels.map((label, i) => {
    const size = sizes[i] ?? 0;
    if (size === 0 || spare.has(i)) return 0;
    const whole = size < RUN && lines.has(wordsOf((blocks[i] as ContentBlock).text).join(' ')) ? 0.5 : 0;
    return Math.max(whole, label / size);
  });
}

/** Blocks that repeat an earlier long block more often than the truth does: one copy is content, the others are not. */
function spareCopies(blocks: readonly ContentBlock[], truth: string): ReadonlySet<number> {
  const flatTruth = wordsOf(truth).join(' ');
  const left = new Map<string, number>();
  const spare = new Set<number>();
  blocks.forEach((block, i) => {
    if (block.words < 8) return;
    const text = wordsOf(block.text).join(' ');
    const count = left.get(text) ?? Math.max(1, flatTruth.split(text).length - 1);
    if (count === 0) spare.add(i);
    left.set(text, Math.max(0, count - 1));
  });
  return spare;
}

function coveredWords(page: readonly string[], truth: readonly string[]): Uint8Array {
  const run = Math.min(RUN, Math.max(1, truth.length));
  const runs = new Set<string>();
  for (let i = 0; i + run <= truth.length; i++) runs.add(truth.slice(i, i + run).join(' '));
  const covered = new Uint8Array(page.length);
  for (let i = 0; i + run <= page.length; i++) if (runs.has(page.slice(i, i + run).join(' '))) covered.fill(1, i, i + run);
  return covered;
}

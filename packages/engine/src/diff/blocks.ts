// What lies between the matches of an alignment.
import type { Match } from './align.ts';

/** A stretch of both sequences, `[oldStart, oldEnd)` and `[newStart, newEnd)`: equal, or replaced; one side of a replaced one may be empty. */
export interface Block {
  readonly isSame: boolean;
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Both sequences whole, as stretches in order that are equal and replaced in turns. */
export function blocksOf(matches: readonly Match[], oldCount: number, newCount: number): Block[] {
  const blocks: Block[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const match of [...matches, { old: oldCount, new: newCount, count: 0 }]) {
    if (match.old > oldStart || match.new > newStart)
      blocks.push({ isSame: false, oldStart, oldEnd: match.old, newStart, newEnd: match.new });
    [oldStart, newStart] = [match.old + match.count, match.new + match.count];
    if (match.count > 0) blocks.push({ isSame: true, oldStart: match.old, oldEnd: oldStart, newStart: match.new, newEnd: newStart });
  }
  return blocks;
}

// The difference of two texts as pieces: by line or by word.
import type { DiffPart, TextDiff } from '@weft/contract';
import type { Alignment, Match } from './align.ts';
import { INEXACT, alignSequences } from './align.ts';
import { blocksOf } from './blocks.ts';
import type { Block } from './blocks.ts';
import { isWord, linesOf, wordsOf } from './tokens.ts';

/** Both texts as pieces, and how many lines or words were added and removed. Exchanged texts give the same with added and removed exchanged. */
export function diffText(old: string, fresh: string, unit: TextDiff['unit']): TextDiff {
  const { oldTokens, newTokens, blocks, exact } = compareTexts(old, fresh, unit);
  const parts = blocks.flatMap((block): DiffPart[] => {
    const removed = oldTokens.slice(block.oldStart, block.oldEnd).join('');
    if (block.isSame) return [{ kind: 'same', text: removed }];
    const added = newTokens.slice(block.newStart, block.newEnd).join('');
    return [
      ...(removed === '' ? [] : [{ kind: 'removed', text: removed } as const]),
      ...(added === '' ? [] : [{ kind: 'added', text: added } as const]),
    ];
  });
  const isCounted = unit === 'line' ? () => true : isWord;
  return { kind: 'text', unit, parts, ...countTokens(blocks, oldTokens, newTokens, isCounted), ...exactness(exact) };
}

/** Two texts cut into tokens, and the stretches of tokens that are equal and replaced. */
export interface ComparedTexts {
  readonly oldTokens: readonly string[];
  readonly newTokens: readonly string[];
  readonly blocks: readonly Block[];
  readonly exact: boolean;
}

/** Cuts and aligns two texts. */
export function compareTexts(old: string, fresh: string, unit: TextDiff['unit']): ComparedTexts {
  const cut = unit === 'line' ? linesOf : wordsOf;
  const [oldTokens, newTokens] = [cut(old), cut(fresh)];
  const aligned = alignSequences(oldTokens, newTokens);
  const { matches, exact } = unit === 'line' ? aligned : withoutLoneSigns(aligned, oldTokens, newTokens);
  return { oldTokens, newTokens, blocks: blocksOf(matches, oldTokens.length, newTokens.length), exact };
}

/** How many tokens that count were added and removed. */
export function countTokens(
  blocks: readonly Block[],
  oldTokens: readonly string[],
  newTokens: readonly string[],
  isCounted: (token: string) => boolean,
): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { isSame, oldStart, oldEnd, newStart, newEnd } of blocks) {
    if (isSame) continue;
    for (let i = oldStart; i < oldEnd; i++) if (isCounted(oldTokens[i] ?? '')) removed++;
    for (let i = newStart; i < newEnd; i++) if (isCounted(newTokens[i] ?? '')) added++;
  }
  return { added, removed };
}

/** What a difference says of limits that were reached. */
export function exactness(exact: boolean): { exact: boolean; reason?: string } {
  return exact ? { exact } : { exact, reason: INEXACT };
}

/** A space or a comma between two words that were replaced is no more the same than they are: readers see one replacement. */
function withoutLoneSigns({ matches, exact }: Alignment, oldTokens: readonly string[], newTokens: readonly string[]): Alignment {
  const isLone = ({ old, new: fresh, count }: Match) =>
    (old > 0 || fresh > 0) &&
    (old + count < oldTokens.length || fresh + count < newTokens.length) &&
    !oldTokens.slice(old, old + count).some(isWord);
  return { matches: matches.filter((match) => !isLone(match)), exact };
}

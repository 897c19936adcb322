// The difference of two texts as a patch in the unified format (POSIX.1-2024, `diff -u`), which `patch` and `git apply` understand.
import type { UnifiedDiff } from '@weft/contract';
import type { Block } from './blocks.ts';
import { compareTexts, countTokens, exactness } from './text.ts';

/** How a patch is written. */
export interface UnifiedOptions {
  /** Equal lines that are shown around what changed; default 3. */
  readonly context?: number;
  /** What the head calls the two texts; default `old` and `new`. */
  readonly oldName?: string;
  readonly newName?: string;
}

const CONTEXT = 3;
const NO_NEWLINE = '\\ No newline at end of file\n';

/** The patch that makes `fresh` of `old`; empty where they are equal. Lines end with a line feed: a carriage return before it is part of its line. */
export function unifiedDiff(old: string, fresh: string, options: UnifiedOptions = {}): UnifiedDiff {
  const { oldTokens, newTokens, blocks, exact } = compareTexts(old, fresh, 'line');
  const hunks = hunksOf(blocks, options.context ?? CONTEXT).map((hunk) => hunkText(hunk, oldTokens, newTokens));
  const head = `--- ${nameInHead(options.oldName ?? 'old')}\n+++ ${nameInHead(options.newName ?? 'new')}\n`;
  return {
    kind: 'unified',
    patch: hunks.length === 0 ? '' : head + hunks.join(''),
    ...countTokens(blocks, oldTokens, newTokens, () => true),
    ...exactness(exact),
  };
}

/** Changes with the equal lines around them; those whose surroundings touch are one hunk. */
function hunksOf(blocks: readonly Block[], context: number): Block[][] {
  const hunks: Block[][] = [];
  let hunk: Block[] | undefined;
  blocks.forEach((block, i) => {
    if (!block.isSame) {
      hunk ??= [];
      hunk.push(block);
      return;
    }
    const [isAfter, isBefore] = [hunk !== undefined, i < blocks.length - 1];
    const count = block.oldEnd - block.oldStart;
    if (isAfter && isBefore && count <= 2 * context) {
      hunk?.push(block);
      return;
    }
    if (hunk) hunks.push([...hunk, firstLines(block, context)]);
    hunk = isBefore ? [lastLines(block, context)] : undefined;
  });
  if (hunk) hunks.push(hunk);
  return hunks;
}

function firstLines(block: Block, count: number): Block {
  const shown = Math.min(count, block.oldEnd - block.oldStart);
  return { ...block, oldEnd: block.oldStart + shown, newEnd: block.newStart + shown };
}

function lastLines(block: Block, count: number): Block {
  const shown = Math.min(count, block.oldEnd - block.oldStart);
  return { ...block, oldStart: block.oldEnd - shown, newStart: block.newEnd - shown };
}

function hunkText(hunk: readonly Block[], oldLines: readonly string[], newLines: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  const ranges = `-${range(first?.oldStart ?? 0, last?.oldEnd ?? 0)} +${range(first?.newStart ?? 0, last?.newEnd ?? 0)}`;
  const lines = hunk.flatMap((block) => {
    const old = oldLines.slice(block.oldStart, block.oldEnd);
    if (block.isSame) return old.map((line) => marked(' ', line));
    return [...old.map((line) => marked('-', line)), ...newLines.slice(block.newStart, block.newEnd).map((line) => marked('+', line))];
  });
  return `@@ ${ranges} @@\n${lines.join('')}`;
}

/** The first line counted from 1 and how many there are; of an empty range, the line before it. */
function range(start: number, end: number): string {
  if (end === start) return `${start},0`;
  return end - start === 1 ? `${start + 1}` : `${start + 1},${end - start}`;
}

function marked(mark: string, line: string): string {
  return line.endsWith('\n') ? mark + line : `${mark}${line}\n${NO_NEWLINE}`;
}

/** A name with control characters, quotes or backslashes stands in quotes, as GNU diff and Git write it; after one with a space a tab ends it. */
function nameInHead(name: string): string {
  // JSON escapes the same characters; of control characters only the named ones are alike, so others are left out.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f"\\]/.test(name)) return JSON.stringify(name.replaceAll(/[\u0000-\u0008\u000b\u000e-\u001f]/g, ''));
  return name.includes(' ') ? `${name}\t` : name;
}

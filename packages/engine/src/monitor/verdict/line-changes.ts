// What changed between two texts, by lines: what rules about texts decide by.
import type { TextFilter } from '@weft/contract';
import { compareTexts } from '../../diff/text.ts';

/** Lines by what became of them; a line that took the place of another is `replaced` on both sides. */
export interface LineChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly replacedOld: readonly string[];
  readonly replacedNew: readonly string[];
}

/** The lines in which `now` differs from `old`. */
export function changedLines(old: string, now: string): LineChanges {
  const { oldTokens, newTokens, blocks } = compareTexts(endLast(old), endLast(now), 'line');
  const lines: Record<keyof LineChanges, string[]> = { added: [], removed: [], replacedOld: [], replacedNew: [] };
  for (const { isSame, oldStart, oldEnd, newStart, newEnd } of blocks) {
    if (isSame) continue;
    const isReplaced = oldEnd > oldStart && newEnd > newStart;
    lines[isReplaced ? 'replacedOld' : 'removed'].push(...oldTokens.slice(oldStart, oldEnd).map(withoutEnd));
    lines[isReplaced ? 'replacedNew' : 'added'].push(...newTokens.slice(newStart, newEnd).map(withoutEnd));
  }
  return lines;
}

/** Why a change of lines counts for nothing under `only`; undefined where it counts. */
export function whyNotOnly(lines: LineChanges, only: TextFilter['only']): string | undefined {
  if (only === undefined) return undefined;
  const counts = { added: lines.added.length, removed: lines.removed.length, replaced: lines.replacedNew.length };
  if (only.some((kind) => counts[kind] > 0)) return undefined;
  return `${counts.added} lines were added, ${counts.removed} removed and ${counts.replaced} replaced; only ${only.join(' and ')} ones count.`;
}

/** Lines that are written of a difference. */
const WRITTEN_MAX = 100;

/** The lines that went and came, each with - or + before it; those beyond a hundred are counted. */
export function writeLines({ removed, replacedOld, added, replacedNew }: LineChanges): string {
  const marked = [...[...removed, ...replacedOld].map((line) => `- ${line}`), ...[...added, ...replacedNew].map((line) => `+ ${line}`)];
  const more = marked.length > WRITTEN_MAX ? [`and ${marked.length - WRITTEN_MAX} more lines`] : [];
  return [...marked.slice(0, WRITTEN_MAX), ...more].join('\n');
}

/** A last line that ends like the others is the same line. */
function endLast(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function withoutEnd(line: string): string {
  return line.replace(/\r?\n$/, '');
}

// Takes what is no record out of a cluster: header rows, headings between records, a "more" link at the end.
import { median } from './shares.ts';
import type { Block } from '../survey/survey.ts';

const ITEMS_MIN = 4;

/** `items` without those that lack what nearly all others have. Lists of fewer than four items are left alone. */
export function trimItems(items: readonly Block[]): readonly Block[] {
  const rows = items.filter((block) => !isHeaderRow(block));
  if (rows.length < ITEMS_MIN) return rows.length >= 2 ? rows : items;
  const chars = median(rows.map((block) => block.textChars));
  const leaves = median(rows.map((block) => block.leaves));
  const linked = rows.filter((block) => block.href !== '').length >= rows.length * 0.8;
  const kept = rows.filter((block) => {
    if (linked && block.href === '' && block.textChars < chars * 0.5) return false;
    return block.leaves > 1 || leaves < 3 || block.textChars >= chars * 0.15;
  });
  return kept.length >= rows.length * 0.7 ? kept : rows;
}

/** A table row of `<th>` cells only. */
export function isHeaderRow(block: Block): boolean {
  return block.element.name === 'tr' && block.children.length > 0 && block.children.every((cell) => cell.element.name === 'th');
}

// Tells a row of records from a record: a grid is often cut into rows, and a flat run can be cut at every other record.
import type { Shapes } from '../survey/shape.ts';
import { share, sum } from './shares.ts';
import type { Block } from '../survey/survey.ts';

const SAMPLE_MAX = 16;
/** A child with this share of the text is all there is to look at. */
const MAIN_SHARE = 0.8;
const UNWRAP_MAX = 8;
const ALIKE_MIN = 0.4;
/** The records in a row hold at least this share of its text. */
const TEXT_MIN = 0.7;

/** Share of the items that are themselves rows of records: alike blocks, each with a link of its own, that hold most of the text. */
export function groupingOf(items: readonly (readonly Block[])[], shapes: Shapes): number {
  const sample = items.slice(0, SAMPLE_MAX);
  return share(sample, (blocks) =>
    blocks.length > 1 ? holdsTwins(blocks, shapes) : holdsRecords(unwrap(blocks[0] as Block).children, shapes),
  );
}

/** Goes down as long as one child holds nearly all the text: past headings, borders and linings of a row. */
function unwrap(block: Block): Block {
  let at = block;
  for (let depth = 0; depth < UNWRAP_MAX; depth++) {
    const main = at.children.find((child) => child.textChars >= at.textChars * MAIN_SHARE);
    if (!main) return at;
    at = main;
  }
  return at;
}

function holdsRecords(blocks: readonly Block[], shapes: Shapes): boolean {
  const total = sum(blocks, (block) => block.textChars);
  const rich = blocks.filter((block) => block.href !== '' && (block.leaves >= 2 || block.images > 0));
  const model = rich[rich.length >> 1];
  if (!model || rich.length < 2) return false;
  const alike = rich.filter((block) => shapes.similarity(model, block) >= ALIKE_MIN);
  const hrefs = new Set(alike.map((block) => block.href));
  return hrefs.size >= 2 && sum(alike, (block) => block.textChars) >= total * TEXT_MIN;
}

/** True for a stretch of a flat run that is two or more records in turn, as odd and even rows are. */
function holdsTwins(blocks: readonly Block[], shapes: Shapes): boolean {
  if (holdsRecords(blocks, shapes)) return true;
  const model = blocks[0] as Block;
  const twins = blocks.filter((block) => shapes.similarity(model, block) >= ALIKE_MIN && isTwin(model, block));
  const hrefs = new Set(twins.map((block) => block.href));
  return hrefs.size >= 2 && !hrefs.has('') && sum(twins, (block) => block.textChars) >= sum(blocks, (block) => block.textChars) * TEXT_MIN;
}

function isTwin(a: Block, b: Block): boolean {
  const ratio = (b.textChars + 1) / (a.textChars + 1);
  const links = Math.abs(b.linkChars / (b.textChars || 1) - a.linkChars / (a.textChars || 1));
  return ratio > 0.4 && ratio < 2.5 && links < 0.3 && b.images > 0 === a.images > 0 && b.headings > 0 === a.headings > 0;
}

// Joins a list that the page splits: columns, an advertisement block, groups under headings.
import type { Cluster } from './clusters.ts';
import type { Shapes } from '../survey/shape.ts';
import type { Block, Survey } from '../survey/survey.ts';

/** How far above the list its other sections are looked for, in levels. */
const REACH = 3;
/** Stricter than for siblings: these blocks stand elsewhere. */
const ALIKE_MIN = 0.6;
const SIZE_RATIO_MAX = 3;

/** `cluster` with the blocks around it that follow the same template; undefined when there are none, or when it is of flat runs. */
export function withSections(cluster: Cluster, survey: Survey, shapes: Shapes): Cluster | undefined {
  const own = cluster.items.map((blocks) => blocks[0] as Block);
  const model = own[own.length >> 1] as Block;
  const region = regionOf(model);
  if (cluster.kind === 'runs' || !region) return undefined;
  const items: Block[] = [];
  let next = 0;
  for (let at = region.start; at <= region.end; at++) {
    const block = survey.blocks[at] as Block;
    if (block === own[next]) next++;
    else if (block.end >= (own[next]?.start ?? Infinity) || !isAnother(block, model, shapes)) continue;
    items.push(block);
    at = block.end;
  }
  const complete = next === own.length && items.length > own.length && items.length <= own.length * 4;
  return complete ? { kind: 'cousins', items: items.map((block) => [block]) } : undefined;
}

function regionOf(block: Block): Block | undefined {
  let at = block.parent;
  for (let i = 0; i < REACH && at?.parent?.parent; i++) at = at.parent;
  return at;
}

function isAnother(block: Block, model: Block, shapes: Shapes): boolean {
  if (block.element.name !== model.element.name || block.textChars === 0) return false;
  const ratio = block.textChars / (model.textChars || 1);
  return (
    ratio <= SIZE_RATIO_MAX &&
    ratio >= 1 / SIZE_RATIO_MAX &&
    block.links > 0 === model.links > 0 &&
    shapes.similarity(block, model) >= ALIKE_MIN
  );
}

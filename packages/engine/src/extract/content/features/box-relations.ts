// How boxes stand to one another: what holds what, and how many steps apart they are.
import type { Box } from '../outline.ts';

/** `box` and everything round it, up to the body. */
export function boxesOf(box: Box): Box[] {
  const boxes: Box[] = [];
  for (let next: Box | undefined = box; next; next = next.parent) boxes.push(next);
  return boxes;
}

/** True when `inner` is `outer` or lies below it. */
export function boxHolds(outer: Box, inner: Box): boolean {
  for (let box: Box | undefined = inner; box; box = box.parent) if (box === outer) return true;
  return false;
}

/** The deepest of `boxes` (a block's own upwards) that holds `other` too: at worst the body. */
export function sharedBox(other: Box, boxes: readonly Box[]): Box {
  let box = other;
  while (box.parent && boxes[boxes.length - 1 - box.depth] !== box) box = box.parent;
  return box;
}

/** How many steps up from the first of `boxes` the box shared with `other` is. */
export function stepsToShared(other: Box, boxes: readonly Box[]): number {
  return boxes.length - 1 - sharedBox(other, boxes).depth;
}

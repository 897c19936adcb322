// Boxes around the pixels that changed.
import type { PixelBox } from '@weft/contract';

/** Changes that are nearer to each other than about this many pixels are in one box: about the width of a letter. */
const CELL = 16;
const BOXES_MAX = 100;

interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The smallest boxes around groups of changed pixels, largest first, and how many smaller ones are left out. `isChanged` is asked by number of pixel. */
export function boxesAround(width: number, height: number, isChanged: (pixel: number) => boolean): { boxes: PixelBox[]; leftOut: number } {
  const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const cells: (Extent | undefined)[] = Array.from({ length: columns * rows });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!isChanged(y * width + x)) continue;
      const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL);
      const extent = (cells[cell] ??= { left: x, top: y, right: x, bottom: y });
      extent.left = Math.min(extent.left, x);
      extent.right = Math.max(extent.right, x);
      extent.bottom = y;
    }
  const boxes = groupsOf(cells, columns, rows)
    .map(boxOf)
    .toSorted((a, b) => b.width * b.height - a.width * a.height);
  return { boxes: boxes.slice(0, BOXES_MAX), leftOut: Math.max(0, boxes.length - BOXES_MAX) };
}

/** Cells with changes that touch, corners included. */
function groupsOf(cells: readonly (Extent | undefined)[], columns: number, rows: number): Extent[][] {
  const groups: Extent[][] = [];
  const seen = new Uint8Array(cells.length);
  for (let start = 0; start < cells.length; start++) {
    if (!cells[start] || seen[start]) continue;
    const group: Extent[] = [];
    const open = [start];
    seen[start] = 1;
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const extent = cells[cell];
      if (extent) group.push(extent);
      for (const near of neighbours(cell, columns, rows)) {
        if (!cells[near] || seen[near]) continue;
        seen[near] = 1;
        open.push(near);
      }
    }
    groups.push(group);
  }
  return groups;
}

function neighbours(cell: number, columns: number, rows: number): number[] {
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  const near: number[] = [];
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) near.push(y * columns + x);
  return near;
}

function boxOf(group: readonly Extent[]): PixelBox {
  const whole = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 };
  for (const { left, top, right, bottom } of group) {
    whole.left = Math.min(whole.left, left);
    whole.top = Math.min(whole.top, top);
    whole.right = Math.max(whole.right, right);
    whole.bottom = Math.max(whole.bottom, bottom);
  }
  return { x: whole.left, y: whole.top, width: whole.right - whole.left + 1, height: whole.bottom - whole.top + 1 };
}

// A perceptual hash: pictures that look alike have hashes that differ in few bits.
import type { Pixels } from './pixels.ts';

const COLUMNS = 9;
const ROWS = 8;

/**
 * 64 bits as 16 hexadecimal digits, by the difference hash (Neal Krawetz, "Kind of Like That", hackerfactor.com, 2013): the picture as
 * 9 x 8 grey cells, one bit for each cell that is darker than its right neighbour. Another size or compression changes few bits.
 */
export function pictureHash(pixels: Pixels): string {
  const cells = greyCells(pixels);
  let hash = '';
  for (let row = 0; row < ROWS; row++) {
    let bits = 0;
    for (let column = 0; column + 1 < COLUMNS; column++) {
      const at = row * COLUMNS + column;
      bits = bits * 2 + ((cells[at] ?? 0) < (cells[at + 1] ?? 0) ? 1 : 0);
    }
    hash += bits.toString(16).padStart(2, '0');
  }
  return hash;
}

/** In how many of their 64 bits two hashes differ; for those of unlike pictures about 32. */
export function hashDistance(a: string, b: string): number {
  let differing = 0;
  for (let bits = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); bits > 0n; bits &= bits - 1n) differing++;
  return differing;
}

/** The mean brightness of each cell (ITU-R BT.601) on white, in whole steps of 1/256: what rounding makes of equal cells decides no bit. */
function greyCells({ width, height, data }: Pixels): number[] {
  return Array.from({ length: COLUMNS * ROWS }, (_, i) => {
    const [column, row] = [i % COLUMNS, Math.floor(i / COLUMNS)];
    const [left, top] = [Math.floor((column * width) / COLUMNS), Math.floor((row * height) / ROWS)];
    const right = Math.max(left + 1, Math.floor(((column + 1) * width) / COLUMNS));
    const bottom = Math.max(top + 1, Math.floor(((row + 1) * height) / ROWS));
    let sum = 0;
    for (let y = top; y < bottom; y++)
      for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
        const grey = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
        sum += 255 + ((grey - 255) * (data[at + 3] ?? 0)) / 255;
      }
    return Math.round(sum / ((bottom - top) * (right - left)));
  });
}

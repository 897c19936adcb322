// The difference of two pictures, pixel by pixel as people see them.
import type { PictureDiff, PixelBox } from '@weft/contract';
import pixelmatch from 'pixelmatch';
import { boxesAround } from './boxes.ts';
import { decodePicture, encodePng } from './decode.ts';
import { hashDistance, pictureHash } from './hash.ts';
import type { Pixels } from './pixels.ts';
import { cropped } from './pixels.ts';

/** What counts as a change. */
export interface PictureOptions {
  /** Boxes whose pixels are not compared; what of them lies outside of the picture means nothing. */
  readonly ignore?: readonly PixelBox[];
  /** From 0 to 1: how far two colours may lie apart as people see them; default 0.1, that of pixelmatch. */
  readonly threshold?: number;
}

export interface ComparedPictures {
  readonly diff: PictureDiff;
  /** A PNG of what was compared: the old picture pale, changes red, what only smooths edges yellow, ignored boxes white. */
  readonly picture: Uint8Array;
}

const THRESHOLD = 0.1;
const WHITE = 0xffffffff;
/** Nothing else in the picture of a difference has this colour: what did not change is grey, smoothed edges are yellow. */
const RED: [number, number, number] = [255, 0, 0];

/** Compares the area that both pictures have. Throws PageError as `decodePicture` does. */
export function comparePictures(oldBytes: Uint8Array, newBytes: Uint8Array, options: PictureOptions = {}): ComparedPictures {
  const [old, fresh] = [decodePicture(oldBytes, 'The old picture'), decodePicture(newBytes, 'The new picture')];
  const [oldHash, newHash] = [pictureHash(old), pictureHash(fresh)];
  const [width, height] = [Math.min(old.width, fresh.width), Math.min(old.height, fresh.height)];
  const [before, after] = [cropped(old, width, height), cropped(fresh, width, height)];
  const ignored = ignore([before, after], options.ignore ?? []);
  const shown = new Uint8Array(width * height * 4);
  const threshold = options.threshold ?? THRESHOLD;
  const changedPixels = pixelmatch(before.data, after.data, shown, width, height, { threshold, diffColor: RED });
  const isChanged = (pixel: number) => shown[pixel * 4] === 255 && shown[pixel * 4 + 1] === 0;
  const { boxes, leftOut } = changedPixels === 0 ? { boxes: [], leftOut: 0 } : boxesAround(width, height, isChanged);
  const comparedPixels = width * height - ignored;
  const diff: PictureDiff = {
    kind: 'pictures',
    old: sizeOf(old),
    new: sizeOf(fresh),
    compared: { width, height },
    same_size: old.width === fresh.width && old.height === fresh.height,
    changed_pixels: changedPixels,
    compared_pixels: comparedPixels,
    share: comparedPixels === 0 ? 0 : changedPixels / comparedPixels,
    boxes,
    boxes_left_out: leftOut,
    old_hash: oldHash,
    new_hash: newHash,
    hash_distance: hashDistance(oldHash, newHash),
  };
  return { diff, picture: encodePng({ width, height, data: shown }) };
}

/** Makes the boxes white in both pictures, which are of one size; answers how many pixels they cover. */
function ignore(pictures: readonly Pixels[], boxes: readonly PixelBox[]): number {
  const [{ width, height } = { width: 0, height: 0 }] = pictures;
  if (boxes.length === 0) return 0;
  const covered = new Uint8Array(width * height);
  for (const box of boxes)
    for (let y = box.y; y < Math.min(height, box.y + box.height); y++)
      covered.fill(1, y * width + Math.min(width, box.x), y * width + Math.min(width, box.x + box.width));
  const views = pictures.map(({ data }) => new Uint32Array(data.buffer, data.byteOffset, width * height));
  let count = 0;
  covered.forEach((isCovered, pixel) => {
    if (isCovered === 0) return;
    count++;
    for (const view of views) view[pixel] = WHITE;
  });
  return count;
}

function sizeOf({ width, height }: Pixels): { width: number; height: number } {
  return { width, height };
}

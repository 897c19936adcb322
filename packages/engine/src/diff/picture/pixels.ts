// Pictures in memory.

/** A picture: four bytes a pixel (red, green, blue, opacity), line by line from the top left; `data` begins at a multiple of four. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The top left part of a picture; the picture itself where it is no larger. */
export function cropped(pixels: Pixels, width: number, height: number): Pixels {
  if (pixels.width === width && pixels.height === height) return pixels;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = y * pixels.width * 4;
    data.set(pixels.data.subarray(start, start + width * 4), y * width * 4);
  }
  return { width, height, data };
}

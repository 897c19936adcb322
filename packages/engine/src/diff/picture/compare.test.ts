import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { encode as encodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import { PageError } from '../../errors.ts';
import { comparePictures } from './compare.ts';
import { PIXELS_MAX, decodePicture } from './decode.ts';
import { hashDistance, pictureHash } from './hash.ts';

type Colour = readonly [red: number, green: number, blue: number];
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
const SMALLEST_BOXES = 100;

/** A white picture with black boxes. */
function drawn(width: number, height: number, boxes: readonly (readonly [x: number, y: number, width: number, height: number])[]) {
  const isIn = (x: number, y: number) => boxes.some(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h);
  return painted(width, height, (x, y) => (isIn(x, y) ? BLACK : WHITE));
}

function painted(width: number, height: number, colour: (x: number, y: number) => Colour): PNG {
  const picture = new PNG({ width, height });
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) picture.data.set([...colour(x, y), 255], (y * width + x) * 4);
  return picture;
}

const png = (picture: PNG) => new Uint8Array(PNG.sync.write(picture));
const failsWith = (code: string, said: RegExp) => (error: unknown) =>
  error instanceof PageError && error.code === code && said.test(error.message);

suite('the difference of two pictures', () => {
  test('names the share of pixels that changed and a box around each change, largest first', () => {
    const { diff } = comparePictures(
      png(drawn(200, 100, [])),
      png(
        drawn(200, 100, [
          [10, 10, 20, 10],
          [150, 60, 30, 30],
        ]),
      ),
    );
    assert.deepEqual(diff.boxes, [
      { x: 150, y: 60, width: 30, height: 30 },
      { x: 10, y: 10, width: 20, height: 10 },
    ]);
    assert.deepEqual([diff.changed_pixels, diff.compared_pixels, diff.share, diff.same_size], [1100, 20_000, 0.055, true]);
  });

  test('equal pictures do not differ, whatever their bytes', () => {
    const picture = drawn(40, 40, [[5, 5, 9, 9]]);
    const other = new Uint8Array(PNG.sync.write(picture, { deflateLevel: 0, colorType: 2 }));
    const { diff } = comparePictures(png(picture), other);
    assert.deepEqual([diff.changed_pixels, diff.share, diff.boxes, diff.hash_distance], [0, 0, [], 0]);
  });

  test('exchanged pictures differ in the same pixels', () => {
    const [a, b] = [png(drawn(60, 50, [[3, 3, 9, 9]])), png(drawn(60, 50, [[30, 20, 9, 20]]))];
    const [there, back] = [comparePictures(a, b).diff, comparePictures(b, a).diff];
    assert.deepEqual([there.changed_pixels, there.boxes], [back.changed_pixels, back.boxes]);
  });

  test('pictures of other sizes are compared where both are, and it says so', () => {
    const { diff } = comparePictures(png(drawn(50, 80, [[40, 70, 5, 5]])), png(drawn(60, 40, [[1, 1, 4, 4]])));
    assert.deepEqual(
      [diff.old, diff.new, diff.compared, diff.same_size],
      [{ width: 50, height: 80 }, { width: 60, height: 40 }, { width: 50, height: 40 }, false],
    );
    assert.deepEqual([diff.changed_pixels, diff.compared_pixels], [16, 2000]);
  });

  test('ignored boxes are not compared and count for nothing, outside of the picture neither', () => {
    const ignore = [
      { x: 0, y: 0, width: 20, height: 10 },
      { x: 10, y: 0, width: 500, height: 10 },
      { x: 900, y: 900, width: 5, height: 5 },
    ];
    const { diff } = comparePictures(
      png(drawn(100, 50, [])),
      png(
        drawn(100, 50, [
          [2, 2, 5, 5],
          [60, 30, 10, 10],
        ]),
      ),
      { ignore },
    );
    assert.deepEqual([diff.changed_pixels, diff.compared_pixels, diff.boxes], [100, 4000, [{ x: 60, y: 30, width: 10, height: 10 }]]);
    const all = comparePictures(png(drawn(9, 9, [])), png(drawn(9, 9, [[0, 0, 9, 9]])), { ignore: [{ x: 0, y: 0, width: 9, height: 9 }] });
    assert.deepEqual([all.diff.compared_pixels, all.diff.share], [0, 0]);
  });

  test('the threshold decides which colours differ', () => {
    const [old, fresh] = [png(painted(20, 20, () => [100, 100, 100])), png(painted(20, 20, () => [130, 130, 130]))];
    assert.equal(comparePictures(old, fresh, { threshold: 0 }).diff.share, 1);
    assert.equal(comparePictures(old, fresh, { threshold: 0.5 }).diff.share, 0);
  });

  test('the picture of the difference is red where pixels changed and nowhere else', () => {
    const old = png(painted(64, 64, (x) => (x < 32 ? [255, 0, 0] : [0, 0, 255])));
    const { diff, picture } = comparePictures(
      old,
      png(painted(64, 64, (x, y) => (y >= 60 ? [0, 255, 0] : x < 32 ? [255, 0, 0] : [0, 0, 255]))),
    );
    const shown = PNG.sync.read(Buffer.from(picture));
    const red = Array.from({ length: 64 * 64 }, (_, i) => shown.data.subarray(i * 4, i * 4 + 3).join() === '255,0,0').filter(
      Boolean,
    ).length;
    assert.deepEqual([shown.width, shown.height, red, diff.changed_pixels], [64, 64, 256, 256]);
  });

  test('more changes than are named are counted', () => {
    const dots = Array.from({ length: 144 }, (_, i) => [(i % 12) * 40, Math.floor(i / 12) * 40, 8, 8] as const);
    const { diff } = comparePictures(png(drawn(480, 480, [])), png(drawn(480, 480, dots)));
    assert.deepEqual([diff.boxes.length, diff.boxes_left_out], [SMALLEST_BOXES, 144 - SMALLEST_BOXES]);
  });
});

suite('decoding', () => {
  test('a JPEG is compared with a PNG', () => {
    const picture = drawn(64, 64, [[8, 8, 24, 24]]);
    const jpeg = new Uint8Array(encodeJpeg({ width: 64, height: 64, data: picture.data }, 95).data);
    assert.equal(comparePictures(png(picture), jpeg).diff.changed_pixels, 0);
  });

  test('what is no picture, broken or cut is refused by name', () => {
    const good = png(drawn(30, 30, [[3, 3, 9, 9]]));
    const jpeg = new Uint8Array(encodeJpeg({ width: 8, height: 8, data: drawn(8, 8, []).data }).data);
    assert.throws(
      () => comparePictures(new TextEncoder().encode('GIF89a'), good),
      failsWith('unsupported_type', /^The old picture is neither/),
    );
    for (const broken of [
      good.slice(0, 40),
      good.slice(0, 12),
      good.map((byte, i) => (i === 50 ? byte ^ 0xff : byte)),
      jpeg.slice(0, 30),
      jpeg.slice(0, 3),
    ])
      assert.throws(() => comparePictures(good, broken), failsWith('page_unreadable', /^The new picture is a broken/));
  });

  test('a picture of too many pixels is refused by its head, before it is unpacked', () => {
    const head = chunk('IHDR', [...uint32(6001), ...uint32(4000), 8, 6, 0, 0, 0]);
    assert.throws(
      () => decodePicture(pngOf([head]), 'It'),
      failsWith('page_too_complex', new RegExp(`6001 x 4000 pixels; at most ${PIXELS_MAX}`)),
    );
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xff, 0xff, 0xff, 0xff, 3]);
    assert.throws(() => decodePicture(jpeg, 'It'), failsWith('page_too_complex', /65535 x 65535/));
    const none = chunk('IHDR', [...uint32(0), ...uint32(9), 8, 6, 0, 0, 0]);
    assert.throws(() => decodePicture(pngOf([none]), 'It'), failsWith('page_unreadable', /0 x 9/));
  });

  test('data that unpack to more than the size allows are not unpacked, interlaced or not', () => {
    const bomb = chunk('IDAT', [...deflateSync(new Uint8Array(60_000_000))]);
    const head = (interlace: number) => chunk('IHDR', [...uint32(10), ...uint32(10), 8, 6, 0, 0, interlace]);
    assert.throws(
      () => decodePicture(pngOf([head(1), bomb, chunk('IEND', [])]), 'It'),
      failsWith('page_too_complex', /unpacks to more than/),
    );
    assert.throws(() => decodePicture(pngOf([head(0), bomb, chunk('IEND', [])]), 'It'), failsWith('page_unreadable', /broken PNG/));
  });
});

suite('the perceptual hash', () => {
  const photo = (width: number, height: number) =>
    painted(
      width,
      height,
      (x, y) =>
        [(x * 255) / width, (255 * (1 + Math.sin((9 * x) / width + (5 * y) / height))) / 2, (y * 255) / height].map(
          Math.round,
        ) as unknown as Colour,
    );
  const hashOf = (bytes: Uint8Array) => pictureHash(decodePicture(bytes, 'It'));

  test('is near for another size and compression, far for another picture', () => {
    const hash = hashOf(png(photo(200, 160)));
    assert.match(hash, /^[0-9a-f]{16}$/);
    const smaller = photo(90, 72);
    const jpeg = new Uint8Array(encodeJpeg({ width: 90, height: 72, data: smaller.data }, 60).data);
    assert.ok(hashDistance(hash, hashOf(jpeg)) <= 4, 'another size as JPEG');
    const wide = photo(200, 160);
    const mirrored = painted(200, 160, (x, y) => [0, 1, 2].map((i) => wide.data[(y * 200 + 199 - x) * 4 + i]) as unknown as Colour);
    assert.ok(hashDistance(hash, hashOf(png(mirrored))) >= 16, 'mirrored');
  });

  test('one colour has one hash, and a picture of one pixel has one', () => {
    assert.equal(hashOf(png(painted(50, 50, () => [9, 99, 200]))), '0000000000000000');
    assert.equal(hashOf(png(painted(1, 1, () => BLACK))), '0000000000000000');
    assert.equal(hashDistance('ffffffffffffffff', '0000000000000000'), 64);
  });
});

function uint32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  return [...uint32(data.length), ...body, ...uint32(crc32(body))];
}

/** ISO 3309, as PNG uses it. */
function crc32(bytes: readonly number[]): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc;
}

function pngOf(chunks: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ...chunks].flat());
}

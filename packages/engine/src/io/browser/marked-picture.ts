// A picture of an open page on which somebody wants to find what selectors find, with nothing in it that is to be hidden.
import type { PixelBox } from '@weft/contract';
import type { Page as Tab } from 'playwright-core';
import { parseElementPath } from '../../html/selectors/elements.ts';
import type { BrowserOptions, Page } from '../../ports.ts';
import type { Budget } from './deadline.ts';
import { within } from './deadline.ts';
import { findLive, handleOf } from './live/find.ts';
import type { LiveElement } from './live/find.ts';
import { pictureOf } from './session/picture.ts';

const BOXES_MAX = 10;
/** Elements that are looked at until so many are found that are shown. */
const LOOKED_AT_MAX = 200;

/** What `options` ask for of a picture: it is painted over before anybody sees it. */
export async function takeMarkedPicture(
  tab: Tab,
  { screenshot: extent, hide = [], boxesOf = [] }: BrowserOptions,
  budget: Budget,
): Promise<Pick<Page, 'screenshot' | 'boxes'>> {
  const isFull = extent === 'full';
  const boxes = await within(boxesIn(tab, boxesOf, isFull, budget), budget.leftMs(), 'looking where the elements are');
  const screenshot = await pictureOf(tab, isFull, hide, [], budget);
  const { width, height } = sizeOf(screenshot);
  return { screenshot, boxes: boxes.flatMap((box) => clipped(box, width, height) ?? []).slice(0, BOXES_MAX) };
}

/** Of elements that are shown, from the upper left corner of the picture. */
async function boxesIn(
  tab: Tab,
  selectors: NonNullable<BrowserOptions['boxesOf']>,
  isFull: boolean,
  budget: Budget,
): Promise<readonly PixelBox[]> {
  const [left = 0, top = 0] = isFull ? ((await tab.evaluate('[scrollX, scrollY]')) as readonly number[]) : [];
  const boxes: PixelBox[] = [];
  for (const live of (await firstFound(tab, selectors, budget)).slice(0, LOOKED_AT_MAX)) {
    const handle = await handleOf(live);
    const box = await handle?.boundingBox();
    if (box) boxes.push({ ...box, x: box.x + left, y: box.y + top });
    if (boxes.length >= BOXES_MAX) break;
  }
  return boxes;
}

/** What the first selector finds that finds anything. */
async function firstFound(tab: Tab, selectors: NonNullable<BrowserOptions['boxesOf']>, budget: Budget): Promise<readonly LiveElement[]> {
  for (const selector of selectors) {
    const found = await findLive(tab.mainFrame(), parseElementPath(selector), budget.leftMs(), 'fresh');
    if (found.length > 0) return found;
  }
  return [];
}

/** Of a PNG (third edition, section 11.2.1). */
function sizeOf(png: Uint8Array): { readonly width: number; readonly height: number } {
  const head = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: head.getUint32(16), height: head.getUint32(20) };
}

/** In whole pixels, what is in the picture; undefined where nothing is. */
function clipped(box: PixelBox, width: number, height: number): PixelBox | undefined {
  const within_ = (value: number, max: number) => Math.min(Math.max(Math.round(value), 0), max);
  const [x, y] = [within_(box.x, width), within_(box.y, height)];
  const [right, bottom] = [within_(box.x + box.width, width), within_(box.y + box.height, height)];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

// Pictures of a page in which nothing secret can be read.
import type { ElementHandle, Page as Tab } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import { takeScreenshot } from '../capture.ts';
import { within } from '../deadline.ts';
import type { Budget } from '../deadline.ts';
import { takeSecretNodes } from '../live/page-world.ts';
import { paintOver } from './paint.ts';
import type { Box } from './paint.ts';

/** A box may show its focus and its shadow a little outside of itself. */
const MARGIN = 2;

/**
 * A PNG of `tab` in which password boxes, what shows one of `secrets`, and `masked` are black: where they were before it was taken, and
 * where they were afterwards.
 */
export async function pictureOf(
  tab: Tab,
  isFull: boolean,
  secrets: readonly string[],
  masked: readonly ElementHandle[],
  budget: Budget,
): Promise<Uint8Array> {
  const before = await boxesOf(tab, secrets, masked, isFull);
  const png = await within(takeScreenshot(tab, isFull ? 'full' : 'viewport', budget.leftMs()), budget.leftMs(), 'taking a screenshot');
  const after = await boxesOf(tab, secrets, masked, isFull);
  return new Uint8Array(await paintOver(new Uint8Array(png), [...before, ...after]));
}

async function boxesOf(tab: Tab, secrets: readonly string[], masked: readonly ElementHandle[], isFull: boolean): Promise<readonly Box[]> {
  const handles = [...masked];
  for (const frame of tab.frames()) handles.push(...(await secretsIn(tab, frame, secrets)));
  const [left, top] = isFull ? await scrolled(tab) : [0, 0];
  const boxes = await Promise.all(handles.map((handle) => handle.boundingBox().catch(() => null)));
  return boxes.flatMap((box) =>
    box ? [{ x: box.x + left - MARGIN, y: box.y + top - MARGIN, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN }] : [],
  );
}

/** A frame that is gone shows nothing; of one that can't be asked no picture is taken. What was asked must not be told. */
export async function secretsIn(
  tab: Tab,
  frame: ReturnType<Tab['frames']>[number],
  secrets: readonly string[],
): Promise<readonly ElementHandle[]> {
  try {
    return await takeSecretNodes(frame, secrets);
  } catch {
    if (frame.isDetached() || tab.isClosed()) return [];
    throw new PageError('browser', 'The picture was not taken, because its secret fields could not be found.');
  }
}

async function scrolled(tab: Tab): Promise<readonly [left: number, top: number]> {
  const [left, top] = (await tab.evaluate('[scrollX, scrollY]')) as readonly unknown[];
  return [Number(left), Number(top)];
}

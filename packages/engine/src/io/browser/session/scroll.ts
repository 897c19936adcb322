// Scrolls a page, or an element in it that scrolls.
import type { ElementHandle, Page as Tab } from 'playwright-core';

/** Left and top in CSS pixels; `end` is as far down as it goes. What is undefined stays as it is. */
export interface ScrollPlace {
  readonly left: number | undefined;
  readonly top: number | 'end' | undefined;
}

/** Brings `handle` into view, or scrolls what it holds to `place`. */
export async function scrollIn(handle: ElementHandle, place: ScrollPlace | undefined, timeout: number): Promise<void> {
  if (place) await handle.evaluate<void, ScrollPlace>(scrollElement, place);
  else await handle.scrollIntoViewIfNeeded({ timeout });
}

export async function scrollPage(tab: Tab, place: ScrollPlace): Promise<void> {
  await tab.evaluate(`(${scrollElement.toString()})(document.scrollingElement ?? document.documentElement, ${JSON.stringify(place)})`);
}

/** Runs in the page. */
function scrollElement(element: unknown, { left, top }: ScrollPlace): void {
  // What the page hands in: an element that scrolls.
  const box = element as { scrollHeight: number; scrollTo(to: { left?: number; top?: number; behavior: 'instant' }): void };
  const y = top === 'end' ? box.scrollHeight : top;
  box.scrollTo({ ...(left === undefined ? {} : { left }), ...(y === undefined ? {} : { top: y }), behavior: 'instant' });
}

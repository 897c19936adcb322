// A person at a recorded session: finds places by what is there, and acts by mouse and keys alone.
import type { ActBounds, BrowserSession } from '../../../run/session.ts';

export interface Person {
  click(path: readonly string[], options?: { readonly alt?: boolean; readonly times?: 1 | 2 }): Promise<void>;
  type(text: string): Promise<void>;
  press(key: string): Promise<void>;
}

/** `path` goes from CSS to CSS through frames and shadow roots. */
export function personAt(session: BrowserSession): Person {
  const bounds = (): ActBounds => ({ timeoutMs: 10_000, signal: AbortSignal.timeout(60_000) });
  /** The page may go elsewhere between the wait and the look. */
  const placeOf = async (path: readonly string[]): Promise<{ readonly x: number; readonly y: number }> => {
    for (;;) {
      await session.waitForExpression(`(${FIND})(${JSON.stringify(path)})`, undefined, bounds());
      const place = (await session.evaluate(FIND, [path], bounds())) as { readonly x: number; readonly y: number } | null;
      if (place) return place;
    }
  };
  return {
    async click(path, { alt = false, times = 1 } = {}) {
      const place = await placeOf(path);
      if (alt) await session.input({ kind: 'keyDown', key: 'Alt' }, bounds());
      for (const clicks of [1, 2] as const) {
        if (clicks > times) break;
        await session.input({ kind: 'down', ...place, clicks }, bounds());
        await session.input({ kind: 'up', ...place, clicks }, bounds());
      }
      if (alt) await session.input({ kind: 'keyUp', key: 'Alt' }, bounds());
    },
    async type(text) {
      for (const key of text) {
        await session.input({ kind: 'keyDown', key }, bounds());
        await session.input({ kind: 'keyUp', key }, bounds());
      }
    },
    async press(key) {
      await session.input({ kind: 'keyDown', key }, bounds());
      await session.input({ kind: 'keyUp', key }, bounds());
    },
  };
}

/** Runs in the page: the middle of an element, or null while it is not there. */
const FIND = String.raw`(path) => {
  let root = document, left = 0, top = 0, element;
  for (const css of path) {
    element = root.querySelector(css);
    if (!element) return null;
    const box = element.getBoundingClientRect();
    if (element.contentDocument) { left += box.x + element.clientLeft; top += box.y + element.clientTop; root = element.contentDocument; }
    else root = element.shadowRoot ?? element;
  }
  if (element.ownerDocument.readyState !== 'complete') return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  return { x: left + box.x + box.width / 2, y: top + box.y + box.height / 2 };
}`;

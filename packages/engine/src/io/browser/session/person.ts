// Passes on to a tab what a person does with mouse and keys.
import type { Page as Tab } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import type { PersonInput } from '../../../run/session.ts';

/** Throws PageError `browser` for a key that there is not. */
export async function passOn(event: PersonInput, tab: Tab): Promise<void> {
  switch (event.kind) {
    case 'move':
      return await tab.mouse.move(event.x, event.y);
    case 'down':
    case 'up':
      await tab.mouse.move(event.x, event.y);
      return await tab.mouse[event.kind]({ button: event.button ?? 'left', clickCount: event.clicks ?? 1 });
    case 'wheel':
      await tab.mouse.move(event.x, event.y);
      return await tab.mouse.wheel(event.dx, event.dy);
    case 'text':
      return await tab.keyboard.insertText(event.text);
    case 'keyDown':
    case 'keyUp':
      return await press(event, tab);
  }
}

async function press({ kind, key }: PersonInput & { readonly kind: 'keyDown' | 'keyUp' }, tab: Tab): Promise<void> {
  try {
    await (kind === 'keyDown' ? tab.keyboard.down(key) : tab.keyboard.up(key));
  } catch (error) {
    if (!(error instanceof Error && /Unknown key/.test(error.message))) throw error;
    throw new PageError('browser', `There is no key "${key.slice(0, 40)}".`, { next: 'drop' });
  }
}

// Gives controls their value, each in the way that a person would.
import type { Keyboard } from 'playwright-core';
import { PageError } from '../../../errors.ts';
import type { ElementPrint } from '../../../run/session.ts';
import type { LiveNode } from '../live/node.ts';

/** Inputs whose value is text that a person types. */
const TYPED: ReadonlySet<string> = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number']);

/** Text into a field, an option by value or label, `true` or `false` for a box. Throws PageError `selector` for what takes no value. */
export async function giveValue(
  node: LiveNode,
  { tag, type = 'text' }: ElementPrint,
  value: string,
  timeout: number,
  keyboard: Keyboard,
): Promise<void> {
  if (tag === 'select') return void (await (await node.handle()).selectOption(value, { timeout }));
  if (tag === 'input' && (type === 'checkbox' || type === 'radio')) return await (await node.handle()).setChecked(isOn(value), { timeout });
  if (tag === 'input' && /^(?:file|button|submit|reset|image|hidden)$/.test(type))
    throw new PageError('selector', `An input of type ${type} takes no value: click it, or upload a file into it.`);
  const isTyped = tag === 'textarea' || (tag === 'input' && TYPED.has(type));
  const last = isTyped ? [...value].at(-1) : undefined;
  // Scripts that listen for keys hear of the last character, and find the whole text.
  if (last === undefined || /\s/.test(last)) return await node.fill(value, { timeout });
  await node.fill(value.slice(0, value.length - last.length), { timeout });
  // It has the focus now, and its caret behind what was filled in.
  await keyboard.type(last);
}

function isOn(value: string): boolean {
  if (value === 'true' || value === 'on') return true;
  if (value === 'false' || value === 'off') return false;
  throw new PageError('selector', `A box is set with true or false, not with "${value.slice(0, 40)}".`);
}

/** Files into a file input, or into the chooser that a click opens. */
export async function giveFiles(
  node: LiveNode,
  { tag, type }: ElementPrint,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  timeout: number,
): Promise<void> {
  const handle = await node.handle();
  const payload = files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) }));
  if (tag === 'input' && type === 'file') return await handle.setInputFiles(payload, { timeout });
  const frame = await handle.ownerFrame();
  const choosing = frame?.page().waitForEvent('filechooser', { timeout });
  choosing?.catch(() => undefined);
  await handle.click({ timeout, noWaitAfter: true });
  const chooser = await choosing;
  if (!chooser) throw new PageError('selector', 'The element is in no page any more.');
  await chooser.setFiles(payload, { timeout });
}

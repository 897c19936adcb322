// Keeps a page from loading what nobody reads.
import type { CDPSession } from 'playwright-core';
import type { BrowserOptions } from '../../ports.ts';

/** A kind of resource that can be left out. */
export type BlockedKind = NonNullable<BrowserOptions['block']>[number];

const ENDINGS: Readonly<Record<BlockedKind, readonly string[]>> = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'ico', 'tif', 'tiff'],
  media: ['mp4', 'webm', 'm4v', 'mov', 'avi', 'mkv', 'mp3', 'm4a', 'ogg', 'oga', 'ogv', 'wav', 'flac', 'aac', 'm3u8', 'ts', 'm4s'],
  font: ['woff', 'woff2', 'ttf', 'otf', 'eot'],
  stylesheet: ['css'],
};

/** What is blocked unless the caller says: what only eyes and ears need, and nothing that a picture of the page would miss. */
export function blockedKinds(options: BrowserOptions): readonly BlockedKind[] {
  if (options.block) return options.block;
  return options.screenshot !== undefined || options.pdf === true ? ['media'] : ['image', 'media', 'font'];
}

/** Blocks `kinds` in the network stack, by the endings of their addresses: routing each request through us would cost half of the speed. */
export async function blockKinds(session: CDPSession, kinds: readonly BlockedKind[]): Promise<void> {
  const urls = kinds.flatMap((kind) => ENDINGS[kind]).flatMap((ending) => [`*.${ending}`, `*.${ending}?*`]);
  await session.send('Network.enable');
  await Promise.all([session.send('Network.setBypassServiceWorker', { bypass: true }), session.send('Network.setBlockedURLs', { urls })]);
}

// Keeps the pictures of a page as files; its record names them.
import type { PageRecord } from '@weft/contract';
import type { Page } from '../../ports.ts';

/** A file that a page brought. */
export interface PageFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Keeps a file; its id. Throws PageError `internal`, with the reason, where the disk takes none: a page is not kept without what was asked for with it. */
export type KeepFile = (file: PageFile, url: string) => Promise<string>;

/** The ids of the files; absent where the page brought no picture. Throws what `keep` throws. */
export async function keepPictures(page: Page, keep: KeepFile): Promise<Pick<PageRecord, 'screenshot' | 'pdf'>> {
  const keepOne = async (bytes: Uint8Array | undefined, extension: string, contentType: string) =>
    bytes && (await keep({ name: `${nameOf(page.url)}.${extension}`, contentType, bytes }, page.url));
  const screenshot = await keepOne(page.screenshot, 'png', 'image/png');
  const pdf = await keepOne(page.pdf, 'pdf', 'application/pdf');
  return { ...(screenshot === undefined ? {} : { screenshot }), ...(pdf === undefined ? {} : { pdf }) };
}

/** Host and path, as far as a file name may hold them. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .replace(/-$/, '')
    .slice(0, 100);
}

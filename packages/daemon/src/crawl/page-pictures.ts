// Keeps the pictures of a page as files; its record names them.
import type { PageRecord } from '@weft/contract';
import type { Page } from '@weft/engine';
import type { Files } from '../files/file.ts';

/** The ids of the files; absent where the page brought no picture. Throws AppError `device_capacity`. */
export async function keepPictures(
  page: Page,
  runId: number,
  files: Pick<Files, 'keepOfRun'>,
): Promise<Pick<PageRecord, 'screenshot' | 'pdf'>> {
  const keep = async (bytes: Uint8Array | undefined, extension: string, contentType: string) =>
    bytes && (await files.keepOfRun({ name: `${nameOf(page.url)}.${extension}`, contentType, bytes }, runId)).id;
  const screenshot = await keep(page.screenshot, 'png', 'image/png');
  const pdf = await keep(page.pdf, 'pdf', 'application/pdf');
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

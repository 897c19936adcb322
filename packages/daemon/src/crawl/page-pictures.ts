// Keeps the pictures of a page as files; its record names them.
import { AppError } from '@weft/contract';
import type { PageRecord } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { Page } from '@weft/engine';
import { explainFault } from '../db/fault.ts';
import type { Files } from '../files/file.ts';

/** The ids of the files; absent where the page brought no picture. Throws PageError `internal`, with the reason, where the disk takes none. */
export async function keepPictures(
  page: Page,
  runId: number,
  files: Pick<Files, 'keepOfRun'>,
): Promise<Pick<PageRecord, 'screenshot' | 'pdf'>> {
  const keep = async (bytes: Uint8Array | undefined, extension: string, contentType: string) => {
    if (!bytes) return undefined;
    const kept = files.keepOfRun({ name: `${nameOf(page.url)}.${extension}`, contentType, bytes }, runId);
    return (await kept.catch((error: unknown) => Promise.reject(pageErrorOf(error, page.url)))).id;
  };
  const screenshot = await keep(page.screenshot, 'png', 'image/png');
  const pdf = await keep(page.pdf, 'pdf', 'application/pdf');
  return { ...(screenshot === undefined ? {} : { screenshot }), ...(pdf === undefined ? {} : { pdf }) };
}

/** A page is not kept without what was asked for with it: its line of the ledger says why. */
function pageErrorOf(error: unknown, url: string): unknown {
  const told = error instanceof AppError ? error : explainFault(error);
  return told ? new PageError('internal', told.message, { url, cause: error }) : error;
}

/** Host and path, as far as a file name may hold them. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .replace(/-$/, '')
    .slice(0, 100);
}

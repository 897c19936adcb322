// The page that a run leaves open, for whoever asked for it: masked like everything that leaves a run, and kept nowhere.
import { PageError } from '../errors.ts';
import { maskBody } from '../mask/mask-page.ts';
import type { Page } from '../ports.ts';
import type { AskBounds } from './asking.ts';
import type { Driver } from './drivers/driver.ts';
import type { Masker } from './masker.ts';

/** A page as it leaves a run. */
export type LastPage = Pick<Page, 'requestedUrl' | 'url' | 'status' | 'contentType' | 'body' | 'xhr'>;

/** As many bytes as the HTTP lane takes of one page. */
const BYTES_MAX = 25_000_000;

/** The page that is open; undefined where none is. Throws PageError: `body_too_large`, and what reading it ends with. */
export async function readLastPage(driver: Driver | undefined, masker: Masker, bounds: AskBounds): Promise<LastPage | undefined> {
  if (driver?.url() === undefined) return undefined;
  const { requestedUrl, url, status, contentType, body, xhr = [] } = await driver.page(bounds);
  const masked = maskBody({ body, contentType }, { text: (html) => masker.value(html), bytes: (bytes) => masker.bytes(bytes) });
  const shownUrl = masker.text(url);
  if (masked.body.byteLength > BYTES_MAX)
    throw new PageError('body_too_large', `The page that is open at the end, ${shownUrl}, has more than ${BYTES_MAX} bytes.`, {
      url: shownUrl,
    });
  return {
    requestedUrl: masker.text(requestedUrl),
    url: shownUrl,
    status,
    ...masked,
    ...(xhr.length > 0 ? { xhr: masker.value(xhr) } : {}),
  };
}

// The page that a run leaves open, for whoever asked for it: masked like everything that leaves a run, and kept nowhere.
import { PageError } from '../errors.ts';
import { isHtmlBody } from '../extract/documents/body-kind.ts';
import { decodeBody } from '../html/encoding/decode.ts';
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
  const masked = maskedBody({ body, contentType }, masker);
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

/** A page of HTML is masked as text, whatever its encoding, and is UTF-8 from then on. */
function maskedBody({ body, contentType }: Pick<Page, 'body' | 'contentType'>, masker: Masker): Pick<Page, 'body' | 'contentType'> {
  if (!isHtmlBody(body, contentType)) return { body: masker.bytes(body), contentType };
  const { html } = decodeBody(body, contentType);
  return { body: new TextEncoder().encode(masker.value(html)), contentType: 'text/html; charset=utf-8' };
}

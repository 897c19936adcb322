// What the scripts of a run's pages asked for, and the page that it ended on: a candidate by HTTP is made of it.
import { decodeBody } from '../../html/encoding/decode.ts';
import type { AskBounds } from '../asking.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Masker } from '../masker.ts';
import type { CapturedRequest } from '../session.ts';

/** Requests in the order in which they were sent, each with its JSON answer; none that holds what is secret. */
export interface AskedByScripts {
  readonly requests: readonly CapturedRequest[];
  readonly page: { readonly url: string; readonly html: string };
}

/** Undefined where scripts asked for nothing, by HTTP, and where the page can't be read any more: then there is nothing to learn. */
export async function takeAsked(driver: Driver | undefined, masker: Masker, bounds: AskBounds): Promise<AskedByScripts | undefined> {
  const session = driver?.session;
  if (!session) return undefined;
  try {
    const isPlain = ({ url, headers, body = '' }: CapturedRequest) =>
      [url, body, ...Object.entries(headers).flat()].every((text) => masker.text(text) === text);
    const requests = (await session.takeRequests(bounds)).filter(isPlain);
    if (requests.length === 0) return undefined;
    const { url, body, contentType } = await session.read(bounds);
    return { requests, page: { url: masker.text(url), html: masker.text(decodeBody(body, contentType).html) } };
  } catch {
    // The run itself went well, and it alone counts.
    return undefined;
  }
}

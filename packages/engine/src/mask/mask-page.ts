// A page with nothing in it that was sent in secret, however its site echoes it (D34): before it is read, kept or told.
import { PageError } from '../errors.ts';
import { isHtmlBody } from '../extract/documents/body-kind.ts';
import { decodeBody } from '../html/encoding/decode.ts';
import type { Fetcher, Page } from '../ports.ts';
import { createMasker } from './masker.ts';
import type { Masker } from './masker.ts';

/** `fetcher`, in whose pages and errors is none of `secrets`. */
export function maskingFetcher(fetcher: Pick<Fetcher, 'fetch'>, secrets: readonly string[]): Pick<Fetcher, 'fetch'> {
  if (secrets.length === 0) return fetcher;
  const masker = createMasker(secrets);
  return {
    async fetch(request, signal) {
      try {
        return maskPage(await fetcher.fetch(request, signal), masker);
      } catch (error) {
        throw maskError(error, masker);
      }
    },
  };
}

type Body = Pick<Page, 'body' | 'contentType'>;

/** The address that was asked for stays; pictures are painted over when they are taken. */
function maskPage(page: Page, masker: Masker): Page {
  const { xhr } = page;
  return {
    ...page,
    ...maskBody(page, masker),
    url: masker.text(page.url),
    headers: page.headers.map(([name, value]) => [name, masker.text(value)] as const),
    redirects: page.redirects.map((hop) => ({ ...hop, url: masker.text(hop.url) })),
    ...(xhr ? { xhr: xhr.map((answer) => ({ ...answer, url: masker.text(answer.url), json: masker.json(answer.json) })) } : {}),
  };
}

/** A page of HTML is masked as text, whatever its encoding, and is UTF-8 from then on where it held anything. */
export function maskBody({ body, contentType }: Body, masker: Pick<Masker, 'text' | 'bytes'>): Body {
  if (!isHtmlBody(body, contentType)) return { body: masker.bytes(body), contentType };
  const { html } = decodeBody(body, contentType);
  const masked = masker.text(html);
  return masked === html ? { body, contentType } : { body: new TextEncoder().encode(masked), contentType: 'text/html; charset=utf-8' };
}

/** What is no PageError is as it was. */
function maskError(error: unknown, masker: Masker): unknown {
  if (!(error instanceof PageError)) return error;
  const { code, message, next, url, status, retryAtMs } = error;
  return new PageError(code, masker.text(message), {
    next,
    ...(url === undefined ? {} : { url: masker.text(url) }),
    ...(status === undefined ? {} : { status }),
    ...(retryAtMs === undefined ? {} : { retryAtMs }),
  });
}

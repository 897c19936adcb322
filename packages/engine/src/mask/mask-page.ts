// A page with nothing in it that was sent in secret, however its site echoes it (D34): before it is read, kept or told.
import { PageError } from '../errors.ts';
import { isArchive } from '../extract/documents/archive.ts';
import { isBinary, isHtmlBody, isPdf, typeOf } from '../extract/documents/body-kind.ts';
import { decodeText } from '../extract/documents/decode.ts';
import { decodeBody } from '../html/encoding/decode.ts';
import type { ViewReader } from '../page/view-work.ts';
import type { Fetcher, Page } from '../ports.ts';
import { createMasker } from './masker.ts';
import type { Masker } from './masker.ts';

/**
 * `fetcher`, in whose pages and errors is none of `secrets`. What a PDF or an archive says can't be taken out of its bytes: one in which
 * `views` reads a secret is refused with `page_unreadable`.
 */
export function maskingFetcher(fetcher: Pick<Fetcher, 'fetch'>, secrets: readonly string[], views: ViewReader): Pick<Fetcher, 'fetch'> {
  if (secrets.length === 0) return fetcher;
  const masker = createMasker(secrets);
  return {
    async fetch(request, signal) {
      try {
        const page = maskPage(await fetcher.fetch(request, signal), masker);
        if (isPacked(page.body) && (await says(page, masker, views, signal))) throw packedAway(page.url);
        return page;
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

/** A page or a document of text is masked whatever its encoding, and is UTF-8 from then on where it held anything. */
export function maskBody({ body, contentType }: Body, masker: Pick<Masker, 'text' | 'bytes'>): Body {
  if (isHtmlBody(body, contentType)) {
    const { html } = decodeBody(body, contentType);
    const masked = masker.text(html);
    return masked === html ? { body, contentType } : { body: new TextEncoder().encode(masked), contentType: 'text/html; charset=utf-8' };
  }
  if (isPacked(body) || isBinary(body)) return { body: masker.bytes(body), contentType };
  const text = new TextEncoder().encode(decodeText(body, contentType));
  const masked = masker.bytes(text);
  return masked === text ? { body, contentType } : { body: masked, contentType: `${typeOf(contentType) || 'text/plain'}; charset=utf-8` };
}

/** True for what holds its text compressed, or in pieces. */
function isPacked(body: Uint8Array): boolean {
  return isPdf(body) || isArchive(body);
}

/** Whether anything that a packed document is read for holds a secret; what nothing can be read out of tells nothing. */
async function says({ body, contentType, url }: Page, masker: Masker, views: ViewReader, signal: AbortSignal): Promise<boolean> {
  const wanted = { source: { url, body, contentType }, formats: READ, onlyMainContent: false };
  try {
    const { result } = await views.run('views', wanted, signal);
    return JSON.stringify(masker.json(result)) !== JSON.stringify(result);
  } catch (error) {
    if (error instanceof PageError && error.code === 'unsupported_type') return false;
    throw error;
  }
}

const READ = ['text', 'markdown', 'links', 'metadata', 'records'] as const;

function packedAway(url: string): PageError {
  return new PageError('page_unreadable', `${url} holds something secret, which can't be taken out of a PDF or an archive.`, { url });
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

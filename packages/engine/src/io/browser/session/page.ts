// What a tab shows, as a page that was fetched: the document as scripts have left it, or the bytes of what is no HTML.
import type { Page } from '../../../ports.ts';
import { DEFAULT_LIMITS } from '../../http/limits.ts';
import { readRaw } from '../capture.ts';
import { within } from '../deadline.ts';
import type { Budget } from '../deadline.ts';
import { readDom } from '../read-dom.ts';
import type { SessionTab } from './tabs.ts';

/** Address, status, headers and body of what `state` shows. Throws PageError `too_large`, `timeout` or `browser`. */
export async function readPage(
  { tab, document, ready }: SessionTab,
  budget: Budget,
): Promise<Pick<Page, 'url' | 'status' | 'headers' | 'body' | 'contentType'>> {
  const dom = await readDom(await ready, DEFAULT_LIMITS.bodyBytesMax, budget);
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(dom.contentType);
  const headers = document ? await within(document.response.headersArray(), budget.leftMs(), 'reading headers') : [];
  const isRead = isHtml || !document;
  return {
    url: tab.url(),
    status: document?.status ?? 200,
    headers: headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
    body: isRead ? new TextEncoder().encode(dom.html) : await readRaw(document.response, DEFAULT_LIMITS.bodyBytesMax, budget),
    contentType: isRead ? `${dom.contentType}; charset=utf-8` : (document.response.headers()['content-type'] ?? dom.contentType),
  };
}

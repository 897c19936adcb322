// What a browser can bring besides the DOM: the JSON that a page fetched, pictures of it, raw bodies and downloads.
import type { Download, Page as Tab, Request, Response } from 'playwright-core';
import type { BrowserOptions, CapturedJson, Page } from '../../ports.ts';
import { CAPTURED_BODY_MAX, isEvidenceHeader } from '../../run/session.ts';
import type { CapturedRequest } from '../../run/session.ts';
import { shownUrl } from '../gate/refusal.ts';
import { bodyTooLarge } from '../http/decompress.ts';
import type { Budget } from './deadline.ts';
import { within } from './deadline.ts';

const JSON_WAIT_MS = 1_000;
const JSON_BYTES_MAX = 1_000_000;
const JSON_TOTAL_MAX = 5_000_000;
/** For one picture, or one PDF. */
export const PICTURE_MS = 15_000;
/** Chromium's own limit for one texture; what is below it is cut. */
const PICTURE_HEIGHT_MAX = 16_000;

/** The JSON of `responses`, in their order; those that are no JSON, too large or still arriving are left out. */
export async function captureJson(responses: readonly Response[], budget: Budget): Promise<readonly CapturedJson[]> {
  const waitMs = Math.min(JSON_WAIT_MS, budget.leftMs());
  const captured = await Promise.all(
    responses.map((response) => within(captureOne(response), waitMs, 'reading JSON').catch(() => undefined)),
  );
  let left = JSON_TOTAL_MAX;
  return captured.flatMap((each) => (each && (left -= each.bytes) >= 0 ? [each.json] : []));
}

async function captureOne(response: Response): Promise<{ readonly json: CapturedJson; readonly bytes: number } | undefined> {
  if (Number(response.headers()['content-length'] ?? 0) > JSON_BYTES_MAX) return undefined;
  const body = await response.body();
  if (body.length > JSON_BYTES_MAX) return undefined;
  const json: unknown = JSON.parse(body.toString('utf8'));
  return { json: { url: response.url(), method: response.request().method(), status: response.status(), json }, bytes: body.length };
}

/** A request with its JSON answer; undefined for one that is answered with something else, too large, or not in time. */
export async function captureRequest(request: Request, atMs: number, budget: Budget): Promise<CapturedRequest | undefined> {
  const response = await within(request.response(), budget.leftMs(), 'waiting for the answer');
  if (!response || !/[/+]json\b/i.test(response.headers()['content-type'] ?? '')) return undefined;
  const body = await within(response.body(), budget.leftMs(), 'reading JSON');
  if (body.length > JSON_BYTES_MAX) return undefined;
  const json: unknown = JSON.parse(body.toString('utf8'));
  const sent = request.postData();
  const headers = Object.entries(request.headers()).filter(([name]) => isEvidenceHeader(name));
  return {
    method: request.method(),
    url: request.url(),
    status: response.status(),
    headers: Object.fromEntries(headers),
    ...(sent === null || sent.length > CAPTURED_BODY_MAX ? {} : { body: sent }),
    json,
    pageUrl: request.frame().url(),
    atMs,
  };
}

/** The picture that `options` ask for. */
export async function captureScreenshot(tab: Tab, options: BrowserOptions, budget: Budget): Promise<Pick<Page, 'screenshot'>> {
  const timeout = Math.min(PICTURE_MS, budget.leftMs());
  const screenshot = options.screenshot && (await within(takeScreenshot(tab, options.screenshot, timeout), timeout, 'taking a screenshot'));
  return screenshot ? { screenshot: new Uint8Array(screenshot) } : {};
}

/** A PNG of what the viewport shows or of the whole page, cut at PICTURE_HEIGHT_MAX. */
export async function takeScreenshot(tab: Tab, extent: 'viewport' | 'full', timeout: number): Promise<Uint8Array> {
  const shared = { type: 'png', timeout, animations: 'disabled' } as const;
  if (extent === 'viewport') return await tab.screenshot(shared);
  const height = Number(await tab.evaluate('document.documentElement.scrollHeight'));
  const width = tab.viewportSize()?.width ?? 1280;
  if (!(height > PICTURE_HEIGHT_MAX)) return await tab.screenshot({ ...shared, fullPage: true });
  return await tab.screenshot({ ...shared, fullPage: true, clip: { x: 0, y: 0, width, height: PICTURE_HEIGHT_MAX } });
}

/** The bytes of a download, which is ended at `bytesMax`. Throws PageError `body_too_large`. */
export async function readDownload(download: Download, bytesMax: number, budget: Budget): Promise<Uint8Array> {
  const work = async () => {
    const stream = await download.createReadStream();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax, shownUrl(download.url()));
      chunks.push(chunk);
    }
    return ownBytes(Buffer.concat(chunks));
  };
  try {
    return await within(work(), budget.leftMs(), 'downloading the file');
  } finally {
    download.cancel().catch(() => undefined);
    download.delete().catch(() => undefined);
  }
}

/** The body of an answer that is no HTML, as it came. Throws PageError `body_too_large`. */
export async function readRaw(response: Response, bytesMax: number, budget: Budget): Promise<Uint8Array> {
  const body = await within(response.body(), budget.leftMs(), 'reading the answer');
  if (body.length > bytesMax) throw bodyTooLarge(bytesMax, shownUrl(response.url()));
  return ownBytes(body);
}

/** In a buffer of its own, which can be handed to a worker. */
function ownBytes(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}

// Ends a page that brings more than is read of one: a document without an end would fill the browser's memory until its time is over.
import type { CDPSession } from 'playwright-core';
import type { PageError } from '../../errors.ts';
import { bodyTooLarge } from '../http/decompress.ts';

/** What a page loads beside its document counts less: most of it is let go. */
const PARTS_PER_DOCUMENT = 4;

/** Counts what the tab behind `session` receives, decompressed; `tooLarge` is called when its document or all parts together pass the cap. */
export async function capBytes(session: CDPSession, bytesMax: number, url: string, tooLarge: (error: PageError) => void): Promise<void> {
  const tree = session.send('Page.getFrameTree');
  let tabFrame = '';
  let documentId: string | undefined;
  let [ofDocument, ofAll] = [0, 0];
  session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId }) => {
    // A navigation's request has the id of the document that it loads.
    if (requestId !== loaderId || frameId !== tabFrame) return;
    documentId = requestId;
    ofDocument = 0;
  });
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    ofAll += dataLength;
    if (requestId === documentId) ofDocument += dataLength;
    if (ofDocument > bytesMax) tooLarge(bodyTooLarge(bytesMax, url));
    else if (ofAll > bytesMax * PARTS_PER_DOCUMENT) tooLarge(bodyTooLarge(bytesMax * PARTS_PER_DOCUMENT, url));
  });
  const [{ frameTree }] = await Promise.all([tree, session.send('Network.enable')]);
  tabFrame = frameTree.frame.id;
}

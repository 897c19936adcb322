// Holds each document that a tab of a session asks for until it may come: in turn with other users of its host, not for ever onward, private ones apart.
import type { CDPSession } from 'playwright-core';
import { homeGuard, webOrigin } from '../document-gate.ts';
import type { PrivateHome } from '../document-gate.ts';

/** What is asked before a document of a tab may come. */
export interface DocumentRules {
  readonly home?: PrivateHome | undefined;
  /** False stops the tab where it is. */
  mayGoOn(): boolean;
  /** False for one that a redirect must not lead to. */
  mayOpen(url: string): boolean;
  /** Answers when the document may be asked for; what it answers is called when that has come. A throw stops the tab. */
  turn(url: string): Promise<() => void>;
}

/** Applies `rules` to the tab behind `session` from now on. */
export async function holdDocuments(session: CDPSession, rules: DocumentRules): Promise<void> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const tabFrame = frameTree.frame.id;
  const isAllowed = rules.home ? homeGuard(rules.home) : () => true;
  let hasCome: (() => void) | undefined;
  const come = () => {
    hasCome?.();
    hasCome = undefined;
  };
  session.on('Fetch.requestPaused', ({ requestId, request, frameId, redirectedRequestId }) => {
    const isTab = frameId === tabFrame;
    const origin = webOrigin(request.url);
    const decide = async () => {
      if (!isAllowed(origin, isTab)) return false;
      if (!isTab || origin === undefined) return true;
      if (redirectedRequestId === undefined ? !rules.mayGoOn() : !rules.mayOpen(request.url)) return false;
      come();
      hasCome = await rules.turn(request.url);
      return true;
    };
    void decide()
      .catch(() => false)
      .then((isIn) =>
        isIn
          ? session.send('Fetch.continueRequest', { requestId })
          : session.send('Fetch.failRequest', { requestId, errorReason: isTab ? 'Aborted' : 'BlockedByClient' }),
      )
      // The tab may be gone by now, and the request with it.
      .catch(() => undefined);
  });
  session.on('Network.responseReceived', ({ frameId, type }) => void (type === 'Document' && frameId === tabFrame && come()));
  session.on('Network.loadingFailed', ({ type }) => void (type === 'Document' && come()));
  session.once('close', come);
  await Promise.all([
    session.send('Network.enable'),
    session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] }),
  ]);
}

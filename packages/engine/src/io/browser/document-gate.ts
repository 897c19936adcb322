// Stands before each document that a tab asks for: answers the one that is known, asks about those that follow, keeps the private ones apart.
import type { CDPSession } from 'playwright-core';
import type { Page } from '../../ports.ts';
import { HOP_BY_HOP } from '../http/hop-by-hop.ts';
import type { Egress } from './egress-proxy.ts';

/** What the caller of a page at a private address has named. */
export interface PrivateHome {
  readonly egress: Pick<Egress, 'closePrivate'>;
  /** Origins that the tab may go through without losing anything. */
  readonly ownOrigins: ReadonlySet<string>;
}

/** What is done with the documents of a tab; a tab without any rule is not held. */
export interface DocumentRules {
  /** A tab that goes elsewhere loses the way to private addresses; a frame of another origin, which nobody reads, stays empty instead. */
  readonly home?: PrivateHome | undefined;
  /** Answers the tab's first document, where that is what the tab asks for; its cookies are in the tab. What follows goes to the network. */
  readonly answer?: Page | undefined;
  /** Asked before the tab goes on to another document, by a redirect or by itself. */
  readonly beforeRedirect?: ((url: string, status: number) => Promise<void>) | undefined;
}

/** The gate of one tab. */
export interface DocumentGate {
  /** True once the answer was given to the tab. */
  isAnswered(): boolean;
  /** Resolves when no document waits for `beforeRedirect`. */
  decided(): Promise<void>;
  /** Rejects with what `beforeRedirect` throws. */
  readonly refused: Promise<never>;
}

interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string; readonly method: string };
  readonly frameId: string;
}

/** What describes the bytes on the wire, what the tab has already, and what asks for the same page again with more headers. */
const LEFT_OUT: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'content-encoding', 'content-length', 'set-cookie', 'critical-ch']);

/** Holds each document of the tab behind `session` until it is decided on, redirects included. */
export async function guardDocuments(session: CDPSession, rules: DocumentRules): Promise<DocumentGate> {
  const { home, answer, beforeRedirect } = rules;
  const tree = session.send('Page.getFrameTree');
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  // It may be refused when nobody waits any more.
  refused.catch(() => undefined);
  const guardHome = home ? homeGuard(home) : () => true;
  let tabFrame = '';
  let lastUrl: string | undefined;
  let lastStatus = 0;
  let isAnswered = false;
  let deciding = Promise.resolve();

  const ask = async (url: string) => {
    const isOnward = lastUrl !== undefined && lastUrl !== url;
    lastUrl = url;
    if (isOnward) await beforeRedirect?.(url, lastStatus);
  };
  const pass = async (paused: Paused) => {
    const { requestId, request, frameId } = paused;
    const isTab = frameId === tabFrame;
    const isFirst = isTab && lastUrl === undefined;
    if (!guardHome(webOrigin(request.url), isTab))
      return await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    if (isTab && webOrigin(request.url) !== undefined) {
      try {
        const asked = ask(request.url);
        deciding = asked.catch(() => undefined);
        await asked;
      } catch (error) {
        refuse(error);
        return await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      }
    }
    if (!isFirst || !answer || !isAnswerTo(answer, request)) return await session.send('Fetch.continueRequest', { requestId });
    isAnswered = await fulfil(session, requestId, answer);
    // Nothing else is to be held.
    if (!home && !beforeRedirect) await session.send('Fetch.disable');
  };

  // The tab may be gone by now, and the request with it.
  session.on('Fetch.requestPaused', (paused) => void pass(paused).catch(() => undefined));
  if (beforeRedirect) {
    session.on('Network.requestWillBeSent', ({ frameId, type, redirectResponse }) => {
      if (redirectResponse && type === 'Document' && frameId === tabFrame) lastStatus = redirectResponse.status;
    });
    session.on('Network.responseReceived', ({ frameId, type, response }) => {
      if (type === 'Document' && frameId === tabFrame) lastStatus = response.status;
    });
  }
  const held = session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
  const [{ frameTree }] = await Promise.all([tree, held]);
  tabFrame = frameTree.frame.id;
  return { isAnswered: () => isAnswered, decided: () => deciding, refused };
}

/** Whether a document may be asked for, by its origin, in a tab or in a frame of it; what the tab itself goes to closes the way behind it. */
export function homeGuard({ egress, ownOrigins }: PrivateHome): (origin: string | undefined, isTab: boolean) => boolean {
  let tabOrigin: string | undefined;
  let isHome = true;
  return (origin, isTab) => {
    if (isTab && origin !== undefined) {
      tabOrigin = origin;
      isHome &&= ownOrigins.has(origin);
      if (!isHome) egress.closePrivate();
    }
    return !isHome || isTab || origin === undefined || origin === tabOrigin;
  };
}

function isAnswerTo(answer: Page, { url, method }: Paused['request']): boolean {
  return method === 'GET' && url === answer.url.replace(/#.*$/s, '');
}

/** Gives the request `answer`; one that the browser does not take goes to the network, and the result is false. */
async function fulfil(session: CDPSession, requestId: string, answer: Page): Promise<boolean> {
  const headers = answer.headers.filter(([name]) => !LEFT_OUT.has(name));
  // As bytes: a header is Latin-1, the protocol's text is UTF-8.
  const binaryResponseHeaders = Buffer.from(headers.map(([name, value]) => `${name}: ${value}`).join('\0'), 'latin1').toString('base64');
  const body = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength).toString('base64');
  try {
    await session.send('Fetch.fulfillRequest', { requestId, responseCode: answer.status, binaryResponseHeaders, body });
    return true;
  } catch {
    await session.send('Fetch.continueRequest', { requestId });
    return false;
  }
}

/** The origin of a web address; undefined for others. */
export function webOrigin(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}

/** The web origins at `host:port`. */
export function originsOf(hostAndPort: string): readonly string[] {
  return ['http', 'https'].flatMap((scheme) => URL.parse(`${scheme}://${hostAndPort}`)?.origin ?? []);
}

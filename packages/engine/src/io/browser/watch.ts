// Watches what a tab does by itself: the documents it goes through, its requests in flight, a download, pop-ups.
import { PageError } from '../../errors.ts';
import type { Download, Page as Tab, Request, Response } from 'playwright-core';

/** One document of the main frame, as its server answered. */
export interface SeenDocument {
  readonly url: string;
  readonly status: number;
  readonly response: Response;
}

/** What has been seen of a tab since it was opened. */
export interface TabWatch {
  /** Answers to navigations of the main frame, redirects included, oldest first. */
  readonly documents: readonly SeenDocument[];
  /** Answers to scripts' own requests that say they are JSON, at most 50. */
  readonly jsonResponses: readonly Response[];
  /** Set when the address itself led to a file; downloads that a page begins are cancelled. */
  download(): Download | undefined;
  /** The address that the main frame was last sent to. */
  lastAsked(): string | undefined;
  /** How often the main frame was sent somewhere. */
  navigationCount(): number;
  /** How many requests the page has begun. */
  startedCount(): number;
  /** True once scripts have asked for something by themselves. */
  isScripted(): boolean;
  /** Resolves once the last document has arrived whole. */
  completed(): Promise<void>;
  /** Rejects with Chromium's own error when a navigation of the main frame fails or its answer is cut, and with PageError `redirect_limit`. */
  readonly broken: Promise<never>;
  /** Ends the visit with `error`, through `broken`. */
  breakOff(error: Error): void;
  /** Resolves when the page has asked for nothing for `quietMs`, or after `maxMs` in any case: true when it was quiet. */
  quiet(quietMs: number, maxMs: number): Promise<boolean>;
}

const JSON_RESPONSES_MAX = 50;
const SCRIPTED: ReadonlySet<string> = new Set(['xhr', 'fetch']);
/** Requests that stay open by design. */
const ENDLESS: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'media', 'ping']);

/** Begins to watch `tab`, and closes every window that it opens. A page may send the browser on by itself `navigationsMax` times. */
export function watchTab(tab: Tab, navigationsMax: number): TabWatch {
  const documents: SeenDocument[] = [];
  const jsonResponses: Response[] = [];
  const inFlight = new Set<Request>();
  const listeners = new Set<() => void>();
  let download: Download | undefined;
  let lastAsked: string | undefined;
  let navigations = 0;
  let started = 0;
  let isScripted = false;
  let isOpen = false;
  let lastFinished: Request | undefined;
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
  // It may break when nobody waits for it.
  broken.catch(() => undefined);
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const settle = (request: Request) => {
    inFlight.delete(request);
    tell();
  };

  tab.on('request', (request) => {
    if (!ENDLESS.has(request.resourceType())) inFlight.add(request);
    started += 1;
    isScripted ||= SCRIPTED.has(request.resourceType());
    if (isDocumentOf(request, tab)) {
      lastAsked = request.url();
      if (!request.redirectedFrom()) navigations += 1;
      if (navigations > navigationsMax + 1) breakOff(tooManyNavigations(navigationsMax));
    }
    tell();
  });
  tab.on('requestfinished', (request) => {
    if (isDocumentOf(request, tab)) lastFinished = request;
    settle(request);
  });
  tab.on('requestfailed', (request) => {
    settle(request);
    const reason = request.failure()?.errorText ?? '';
    // A download, an answer without content and a page that is left before it came are aborted too.
    if (isDocumentOf(request, tab) && !/ERR_ABORTED|ERR_HTTP_RESPONSE_CODE_FAILURE/.test(reason)) breakOff(new Error(reason));
  });
  tab.on('response', (response) => {
    const request = response.request();
    if (isDocumentOf(request, tab)) documents.push({ url: response.url(), status: response.status(), response });
    else if (SCRIPTED.has(request.resourceType()) && jsonResponses.length < JSON_RESPONSES_MAX && isJson(response))
      jsonResponses.push(response);
  });
  tab.on('framenavigated', (frame) => {
    // What the document before asked for ends without a word.
    if (frame !== tab.mainFrame()) return;
    isOpen = true;
    for (const request of inFlight) if (!request.isNavigationRequest()) inFlight.delete(request);
  });
  tab.on('download', (begun) => {
    if (isOpen || download) begun.cancel().catch(() => undefined);
    else download = begun;
  });
  tab.on('popup', (popup) => void popup.close().catch(() => undefined));

  return {
    documents,
    jsonResponses,
    download: () => download,
    lastAsked: () => lastAsked,
    navigationCount: () => navigations,
    startedCount: () => started,
    isScripted: () => isScripted,
    completed: () => until(listeners, () => lastFinished !== undefined && lastFinished === documents.at(-1)?.response.request()),
    broken,
    breakOff,
    quiet: (quietMs, maxMs) => untilQuiet(listeners, () => inFlight.size === 0, quietMs, maxMs),
  };
}

function until(listeners: Set<() => void>, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isTrue()) return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
    look();
  });
}

function tooManyNavigations(limit: number): PageError {
  return new PageError('redirect_limit', `The page sent the browser on more than ${limit} times, which is as often as one is followed.`);
}

function untilQuiet(listeners: Set<() => void>, isIdle: () => boolean, quietMs: number, maxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let quietTimer: NodeJS.Timeout | undefined;
    const end = (isQuiet: boolean) => {
      clearTimeout(quietTimer);
      clearTimeout(lastTimer);
      listeners.delete(look);
      resolve(isQuiet);
    };
    const look = () => {
      clearTimeout(quietTimer);
      quietTimer = isIdle() ? setTimeout(() => end(true), quietMs) : undefined;
    };
    const lastTimer = setTimeout(() => end(false), maxMs);
    listeners.add(look);
    look();
  });
}

/** A navigation of the main frame. The frame is unknown for a moment at its beginning; only that of a new tab is in that state. */
function isDocumentOf(request: Request, tab: Tab): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === tab.mainFrame();
  } catch {
    return true;
  }
}

function isJson(response: Response): boolean {
  return /[/+]json\b/i.test(response.headers()['content-type'] ?? '');
}

// What a run of many steps asks of a browser: pages that it acts on, one after another. Times are milliseconds.
import type { CapturedJson, NameMemory, Page } from '../ports.ts';

/**
 * Where a step finds its element: alternatives, best first. One that is a list goes from part to part into the shadow root or the frame of
 * what the part before it found.
 */
export type SelectorAlternatives = readonly (string | readonly string[])[];

/** An element of the page that a step acts on. */
export interface ElementTarget {
  readonly selectors: SelectorAlternatives;
  /** The child frame to look in, by its index in each frame from the main one down; the main frame unless said. */
  readonly frame?: readonly number[] | undefined;
  /** `main`, or the address (or its beginning) of a pop-up; the newest page unless said. */
  readonly target?: string | undefined;
}

/** What an element shows of itself: recorded once, compared before a later step acts on it. */
export interface ElementPrint {
  readonly tag: string;
  readonly role?: string | undefined;
  /** The accessible name: its label, or what it says. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** An element that was found. */
export interface FoundElement {
  /** Which of the target's alternatives found it. */
  readonly alternative: number;
  /** How many elements that alternative finds. */
  readonly count: number;
  readonly print: ElementPrint;
}

/** Cookies and storage of a browser context, in the form that Playwright writes. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly StoredOrigin[];
}

/** One cookie as Playwright spells it, so that a browser and the HTTP lane can share it. */
export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** With a leading dot when subdomains get it too. */
  readonly domain: string;
  readonly path: string;
  /** Epoch seconds; -1 for a cookie of the session. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}

/** What pages of one origin have stored. */
export interface StoredOrigin {
  readonly origin: string;
  readonly localStorage: readonly { readonly name: string; readonly value: string }[];
  /** As Playwright writes it; handed back as it was read. */
  readonly indexedDB?: readonly unknown[] | undefined;
}

/** What a browser sends by itself, and what proves who asks: neither is evidence. */
const LEFT_OUT_HEADER =
  /^(?::|accept|authorization|cache-control|connection|content-length|cookie|dnt|host|if-|origin|pragma|priority|proxy-|purpose|range|referer|sec-|te$|upgrade|user-agent|x-client-data|x-api-key|api-key)/;

/** Bodies of requests that are longer are left out. */
export const CAPTURED_BODY_MAX = 20_000;

/** True for a header (lower case) that says what is asked for, and not who asks. */
export function isEvidenceHeader(name: string): boolean {
  return name === 'accept' || !LEFT_OUT_HEADER.test(name);
}

/** One request that a page sent by script, as evidence of what its site answers. Nothing of it says who asks. */
export interface CapturedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Lower-case names. Cookies, credentials and what any browser sends are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent, up to 20,000 characters; absent for more, and for nothing. */
  readonly body?: string;
  /** The parsed answer. */
  readonly json: unknown;
  /** The page that sent it. */
  readonly pageUrl: string;
  /** Epoch milliseconds at which it was sent. */
  readonly atMs: number;
}

/** How a session's browser context is made. */
export interface SessionOptions {
  /** BCP 47; `en-US` unless said. */
  readonly locale?: string | undefined;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
  /** True for a window that a person sees; PageError `browser` where there is no screen. */
  readonly isHeaded?: boolean | undefined;
  /** What an earlier session left. */
  readonly state?: StorageState | undefined;
  /** True where requests of scripts are kept whole, for `takeRequests`. */
  readonly gathersRequests?: boolean | undefined;
  /** Private addresses that the workflow or its caller names, as `host:port`. */
  readonly privateTargets?: readonly string[] | undefined;
  readonly names?: NameMemory | undefined;
  /** A proxy of the program's settings, by its name. */
  readonly proxy?: string | undefined;
  /** Asked before each document of the main frame is requested, until it answers; what it answers is called when the document has come. */
  readonly beforeDocument?: ((url: string, signal: AbortSignal) => Promise<() => void>) | undefined;
}

/** How long one act may take, and what stops it. */
export interface ActBounds {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How an element is clicked. */
export interface ClickOptions {
  readonly button?: 'left' | 'middle' | 'right' | undefined;
  /** From the element's upper left corner; its middle unless said. */
  readonly offset?: { readonly x: number; readonly y: number } | undefined;
  readonly clicks?: 1 | 2 | undefined;
  /** How long the button is held. */
  readonly holdMs?: number | undefined;
}

/** What `waitForElement` waits for. */
export interface ElementCondition {
  readonly operator: '>=' | '==' | '<=';
  readonly count: number;
  /** True: counted only when shown; false: only when not. */
  readonly isVisible?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** A file that a page sent. */
export interface DownloadedFile {
  readonly name: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  readonly url: string;
}

/** What a person does with mouse and keys; places are pixels of the page that is shown. */
export type PersonInput =
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  | {
      readonly kind: 'down' | 'up';
      readonly x: number;
      readonly y: number;
      readonly button?: 'left' | 'middle' | 'right' | undefined;
      /** 2 for the second press of a double click. */
      readonly clicks?: 1 | 2 | undefined;
    }
  | { readonly kind: 'wheel'; readonly x: number; readonly y: number; readonly dx: number; readonly dy: number }
  | { readonly kind: 'keyDown' | 'keyUp'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string };

/** What a page is about to send. `document` is one of a tab itself, `frame` one inside of a page, `script` what scripts ask for. */
export interface AskedByPage {
  readonly method: string;
  readonly url: string;
  readonly kind: 'document' | 'frame' | 'script' | 'ping' | 'socket' | 'other';
  /** What is sent, as text; undefined where nothing is. */
  readonly body: string | undefined;
}

/** Opens sessions in the one browser of the program. */
export interface BrowserSessions {
  /** Throws PageError `browser`, and `aborted`. */
  open(options: SessionOptions, signal: AbortSignal): Promise<BrowserSession>;
}

/**
 * Pages of one browser context. Every act waits for its element to be there, shown, still and enabled, and for what it caused to have
 * begun. Throws PageError: `selector` where no alternative finds the element in time, `timeout`, `browser`, `aborted`, and what a
 * navigation can end with.
 */
export interface BrowserSession {
  navigate(
    url: string,
    options: { readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | undefined },
    bounds: ActBounds,
  ): Promise<void>;
  find(target: ElementTarget, bounds: ActBounds): Promise<FoundElement>;
  click(target: ElementTarget, options: ClickOptions, bounds: ActBounds): Promise<FoundElement>;
  hover(target: ElementTarget, bounds: ActBounds): Promise<FoundElement>;
  /** Gives a control its value: text, an option by value or label, `true`/`false` for boxes. With `secret` it is masked in every later picture. */
  change(
    target: ElementTarget,
    value: string,
    options: { readonly isSecret?: boolean | undefined },
    bounds: ActBounds,
  ): Promise<FoundElement>;
  keyDown(key: string, bounds: ActBounds): Promise<void>;
  keyUp(key: string, bounds: ActBounds): Promise<void>;
  /** The page, or the target where one is given, to these pixels; without both, to the end of the page. */
  scroll(
    target: ElementTarget | undefined,
    to: { readonly x?: number | undefined; readonly y?: number | undefined },
    bounds: ActBounds,
  ): Promise<void>;
  upload(
    target: ElementTarget,
    files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
    bounds: ActBounds,
  ): Promise<FoundElement>;
  /** Clicks the target and keeps the file that comes. */
  download(target: ElementTarget, bytesMax: number, bounds: ActBounds): Promise<DownloadedFile>;
  /** Says how the next dialog of the page is answered; others are dismissed. */
  answerDialog(answer: { readonly accept: boolean; readonly text?: string | undefined }): void;
  waitForElement(target: ElementTarget, condition: ElementCondition, bounds: ActBounds): Promise<void>;
  /** Until the expression is true in the page. */
  waitForExpression(expression: string, frame: readonly number[] | undefined, bounds: ActBounds): Promise<void>;
  /** Calls a function (its source) in the page with JSON arguments; what it returns, as JSON. */
  evaluate(source: string, args: readonly unknown[], bounds: ActBounds): Promise<unknown>;
  setViewport(viewport: { readonly width: number; readonly height: number }): Promise<void>;
  emulateNetwork(conditions: { readonly download: number; readonly upload: number; readonly latencyMs: number } | undefined): Promise<void>;
  /** Closes the newest page; with the last one the session goes on with an empty page. */
  closePage(): Promise<void>;
  /** The newest page as it is now, frames and open shadow roots in it, as the browser lane brings pages. */
  read(bounds: ActBounds): Promise<Page>;
  /** JSON answers since the last time this was asked. */
  takeJson(bounds: ActBounds): Promise<readonly CapturedJson[]>;
  /** Requests of scripts that were answered with JSON, since the last time this was asked; empty unless the session gathers them. */
  takeRequests(bounds: ActBounds): Promise<readonly CapturedRequest[]>;
  /** What was asked for last, oldest first: at most 50, without bodies or query values. */
  lastRequests(): readonly { readonly method: string; readonly url: string; readonly status: number | undefined }[];
  /** How many requests its pages sent so far that may change something at the far end: other methods than safe ones, and lines for both ways. */
  writes(): number;
  /** A PNG of the newest page, secret fields and the given ones painted over. */
  screenshot(
    options: { readonly isFull?: boolean | undefined; readonly mask?: readonly ElementTarget[] | undefined },
    bounds: ActBounds,
  ): Promise<Uint8Array>;
  /**
   * From now on everything that pages of the session ask for is put to `mayAsk` first, and not sent where it says false; undefined ends that.
   * What a redirect leads to is asked as well where it is a document of a tab.
   */
  fence(mayAsk: ((asked: AskedByPage) => boolean) | undefined, bounds: ActBounds): Promise<void>;
  /** Passes on what a person does. */
  input(event: PersonInput, bounds: ActBounds): Promise<void>;
  /** A person acts by themselves: what pages may do in one step is counted anew. */
  personActs(): void;
  state(bounds: ActBounds): Promise<StorageState>;
  /** The address of the newest page. */
  url(): string;
  close(): Promise<void>;
}

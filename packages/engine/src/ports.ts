// What the pure engine needs from the outside: the clock, the network, the stores. Programs hand in the implementations.
import type { PixelBox } from '@weft/contract';

/** How a page is brought: by a plain request, or by a browser. */
export type Lane = 'http' | 'browser';

/** A port of time, so that tests own the clock. */
export interface Clock {
  /** Epoch milliseconds, for people and for what is stored; can jump either way at any moment. */
  now(): number;
}

/** Where an answer came from: the public internet, or an address that is not on it. */
export type Reach = 'public' | 'private';

/** One page as it came from the network, before anything was read out of it. */
export interface Page {
  /** The address that was asked for, as written. */
  readonly requestedUrl: string;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names, in the order received; a name can repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body after decompression; the rendered DOM as UTF-8 in the browser lane. */
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly lane: Lane;
  /** Why this lane ran, in a word: `asked`, `static`, `js_shell`, ... */
  readonly laneReason: string;
  /** Each hop that led here, oldest first; empty without redirects. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  readonly timings: PageTimings;
  /** Epoch milliseconds at which the answer was complete. */
  readonly fetchedAtMs: number;
  /** Request options that this lane could not honour. */
  readonly optionsIgnored: readonly string[];
  /** True when a 304 answered, so that the copy that the caller holds still holds. */
  readonly fromCache: boolean;
  /** Where `url` was reached; absent where that is not known, which gives it no more than `public`. */
  readonly reach?: Reach;
  /** What a careful reader should know of how the page came; absent when nothing. */
  readonly warnings?: readonly PageWarning[];
  /** Browser lane: JSON answers that the page fetched by itself. */
  readonly xhr?: readonly CapturedJson[];
  /** Browser lane, when asked for: a PNG of the page. */
  readonly screenshot?: Uint8Array;
  /** Where in it the first ten elements of `boxesOf` are, in pixels. */
  readonly boxes?: readonly PixelBox[];
  /** Browser lane, when asked for. */
  readonly pdf?: Uint8Array;
}

/** `insecure_redirect`: https led to http. `credentials_dropped`: a redirect led to another origin, which got none. */
export type PageWarning = 'insecure_redirect' | 'credentials_dropped';

/** One JSON answer that a page fetched by itself. */
export interface CapturedJson {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  /** The parsed body. */
  readonly json: unknown;
}

/** Milliseconds of each phase; a phase that did not happen is absent. */
export interface PageTimings {
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly firstByteMs?: number;
  readonly downloadMs?: number;
  readonly renderMs?: number;
  readonly totalMs: number;
}

/** What to bring and within which bounds. */
export interface FetchRequest {
  /** An absolute http or https address, fetched exactly as written (without its fragment). */
  readonly url: string;
  readonly lane?: Lane | 'auto';
  /** HTTP lane; default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** HTTP lane: the body to send. */
  readonly body?: Uint8Array;
  /** Extra request headers; hop-by-hop ones, Host and Accept-Encoding are not sent and named in `optionsIgnored`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where cookies come from and go to; without it they live for this request and its redirects. */
  readonly cookies?: CookieStore;
  /** HTTP lane: of `cookies` it sends only what this request's own answers set, unless the host lets nobody in without one. */
  readonly isFresh?: boolean;
  /** Whole-request budget in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Cap on the body after decompression; default 25 MB. */
  readonly bodyBytesMax?: number;
  readonly redirectsMax?: number;
  /** HTTP lane: false makes a redirect's own answer the page; default true. */
  readonly followRedirects?: boolean;
  /**
   * Called before a redirect is followed, and before a page in a browser goes on by itself: with the address, which may be reached in the
   * HTTP lane, the status of the answer that leads there, and where that came from. The budget stands still meanwhile; a throw ends the fetch.
   */
  readonly beforeRedirect?: (url: string, status: number, reach: Reach) => Promise<void>;
  /** Asked before a browser is used for a page of lane `auto`; false leaves it with what came over HTTP, as where there is no browser. */
  readonly beforeBrowser?: () => Promise<boolean>;
  /** For whom it is asked: a browser process serves one tenant at a time. */
  readonly tenant?: string;
  /** Somebody waits for the answer: it comes before what nobody waits for where places are few. */
  readonly isUrgent?: boolean;
  /**
   * HTTP lane: the status is all that counts, and of the body so many bytes are kept, or fewer where it ends, breaks off or takes too long; none
   * of these is an error.
   */
  readonly excerptBytes?: number;
  /** HTTP lane: whether the body of an answer of this type is wanted. One that is not stays on the wire, and the page has an empty body. */
  readonly wantsBody?: (contentType: string | undefined) => boolean;
  /**
   * HTTP lane: given each piece of the body as it comes, where that is not compressed. An error that it answers cuts the rest and
   * ends the fetch.
   */
  readonly checkBody?: (piece: Uint8Array) => Error | undefined;
  /** Validators of a copy that the caller holds; a 304 then answers with an empty body and `fromCache`. */
  readonly validators?: { readonly etag?: string; readonly lastModified?: string };
  /** Private addresses that the caller's own URL names, as `host:port`; nothing else private is reached. */
  readonly privateTargets?: readonly string[];
  /** What is known of the names that those targets go by; told of each look-up, and asked before what it found is dialled. */
  readonly names?: NameMemory;
  /** A proxy of the program's settings, by its name. */
  readonly proxy?: string;
  /** The language that it is asked for in (BCP 47); English unless said. */
  readonly locale?: string;
  readonly browser?: BrowserOptions;
}

/** Values of whoever is acted as. */
export interface ActingValues {
  /** In nothing that is kept or shown (D34). */
  readonly secrets: readonly string[];
  /** In no picture; in what pages say they stay, for sites say by them who did what. */
  readonly names: readonly string[];
}

/** How requests go out for whom they are made. */
export interface Acting {
  /** The language that pages are asked for in (BCP 47). */
  readonly locale?: string | undefined;
  /** A proxy of the program's settings, by its name. */
  readonly proxy?: string | undefined;
}

/** The members of a request that say so; those that are not there leave the program's own. */
export function actingIn({ locale, proxy }: Acting): Pick<FetchRequest, 'locale' | 'proxy'> {
  return { ...(locale === undefined ? {} : { locale }), ...(proxy === undefined ? {} : { proxy }) };
}

/** Remembers for one run where names were found: the owner of one that is public can point it anywhere later. */
export interface NameMemory {
  /** Notes where the host of `url` has just been found. False where it may not be asked there: private now, and public before. */
  admit(url: string, reach: Reach): boolean;
}

/** Cookies of one persona or one job. */
export interface CookieStore {
  /** The Cookie header for a request to `url`; empty when there is nothing to send. */
  headerFor(url: string): string;
  /** Takes the Set-Cookie lines of an answer from `url`; bad ones are passed over. */
  keep(url: string, setCookie: readonly string[]): void;
}

/** What the browser lane waits for, keeps and blocks. */
export interface BrowserOptions {
  readonly waitFor?: 'load' | 'domcontentloaded' | 'networkidle';
  readonly waitForSelector?: string;
  readonly waitMs?: number;
  readonly screenshot?: 'viewport' | 'full';
  readonly pdf?: boolean;
  /** Values that are in no screenshot and no PDF, wherever the page shows them; filled password boxes aren't, either. */
  readonly hide?: readonly string[];
  /** With a screenshot: selectors of elements, of which the first that finds any counts; parts go on into shadow roots and frames. */
  readonly boxesOf?: readonly (string | readonly string[])[];
  /** Resource kinds not to load; default `image media font`. */
  readonly block?: readonly ('image' | 'media' | 'font' | 'stylesheet')[];
}

/** Brings one page. Throws PageError; an HTTP status of 400 or more is a Page, not an error. */
export interface Fetcher {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<Page>;
  /** Releases sockets and browsers. */
  close(): Promise<void>;
}

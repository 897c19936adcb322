// The client of a cloud: metered calls by an API key, keyless ones by a device id, functions by a consumer key. Safe to load in a browser.
import type { CloudTable, PublishedAnswer, Scraped, ScrapedPage } from '@weft/contract';
import { ApiKeyRequiredError, RunWaitTimeoutError, ScrapeError } from './errors.ts';
import { CLOUD_ROUTES } from './generated/cloud-routes.ts';
import { createMethods } from './methods.ts';
import type { CallInput, CallOptions, CallResult, CloudMethods } from './methods.ts';
import type { ClientRoute } from './route.ts';
import { createTransport } from './transport.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** Where a cloud is, and what its calls are made with; each is only needed for the calls that take it. */
export interface CloudClientOptions extends Omit<TransportOptions, 'token'> {
  /** `wt_...`: metered calls and management. */
  readonly apiKey?: string | undefined;
  /** `csk_...`: published functions. */
  readonly consumerKey?: string | undefined;
  /** 16 to 128 letters, digits, `-` and `_`: keyless calls. Keep it; a new one has no allowance of its own. */
  readonly clientId?: string | undefined;
}

type ScrapeBody = CallInput<CloudTable['scrape']['page']>;
type MapBody = CallInput<CloudTable['keyless']['map']>;
/** A site's addresses. */
export type CloudMap = CallResult<CloudTable['keyless']['map']>;
/** A crawl with a part of its pages. */
export type CloudCrawl = CallResult<CloudTable['crawls']['read']>;

/** How a crawl is waited for. */
export interface CrawlWaitOptions {
  /** Seconds; an hour unless said. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Told of the crawl each time that it is looked at. */
  readonly onProgress?: (crawl: Omit<CloudCrawl, 'data' | 'next_cursor'>) => void;
}

/** The typed methods of a cloud by group, and what goes beyond single calls. */
export type CloudClient = CloudMethods & {
  /** With the API key; other calls have transports of their own. */
  readonly transport: Transport;
  /**
   * Reads one page: with the API key where there is one, else within the keyless allowance, where only `formats`, `only_main_content` and
   * `include_hidden` may be said. Throws ScrapeError where it does not come, ApiKeyRequiredError for an option that needs a key.
   */
  scrape(url: string, options?: Omit<ScrapeBody, 'url'>, call?: CallOptions): Promise<ScrapedPage>;
  /** The addresses of a site, keyless. Throws ScrapeError where nothing of it can be reached. */
  map(url: string, options?: Omit<MapBody, 'url'>, call?: CallOptions): Promise<CloudMap>;
  /** Waits until a crawl is settled; what it is then, with its first pages. Throws RunWaitTimeoutError, which carries its id. */
  waitForCrawl(id: string, options?: CrawlWaitOptions): Promise<CloudCrawl>;
  /** Calls the function at `slug/path` with the consumer key. A failed run is an answer. */
  call(place: string, inputs?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<PublishedAnswer>;
};

const WAIT_SECONDS = 3600;
const POLL_MS = { first: 200, most: 2000 } as const;
const SETTLED: readonly string[] = ['succeeded', 'failed', 'cancelled'];

/** A client for the cloud at `options.baseUrl`. Nothing is sent until a method is called. */
export function createCloudClient({ apiKey, consumerKey, clientId, ...options }: CloudClientOptions): CloudClient {
  const keyed = createTransport({ ...options, token: apiKey });
  const byDevice = createTransport({ ...options, headers: { ...options.headers, 'x-service-client-id': clientId ?? '' } });
  const byConsumer = createTransport({ ...options, token: consumerKey });
  const transportOf = ({ by }: Pick<ClientRoute, 'by'>, what: string): Transport => {
    if (by === 'device') return require(clientId, byDevice, what, 'a device id: "clientId", or SERVICE_CLIENT_ID');
    if (by === 'consumer') return require(consumerKey, byConsumer, what, 'a consumer key (csk_...): "consumerKey"');
    return require(apiKey, keyed, what);
  };
  const methods = createMethods<CloudMethods>(CLOUD_ROUTES, transportOf);
  return {
    ...methods,
    transport: keyed,
    // The group of that name has one row, which stands beside it.
    scrape: Object.assign(
      (url: string, asked: Omit<ScrapeBody, 'url'> = {}, call: CallOptions = {}) =>
        scrape(methods, apiKey !== undefined, { ...asked, url }, call),
      methods.scrape,
    ),
    async map(url, asked = {}, call = {}) {
      const found = await methods.keyless.map({ ...asked, url }, call);
      if (found.failure && found.count === 0) throw new ScrapeError(url, found.failure.code, found.failure.message);
      return found;
    },
    waitForCrawl: (id, wait) => waitForCrawl(methods, id, wait),
    async call(place, inputs = {}, { idempotencyKey = crypto.randomUUID(), signal, timeoutSeconds } = {}) {
      const response = await transportOf({ by: 'consumer' }, `The function ${place}`).send({
        method: 'POST',
        path: `/v1/${place.split('/').map(encodeURIComponent).join('/')}`,
        body: inputs,
        headers: { 'idempotency-key': idempotencyKey },
        signal,
        timeoutSeconds,
        isWhole: true,
      });
      // What the operation declares.
      return (await response.json()) as PublishedAnswer;
    },
  };
}

function require(credential: string | undefined, transport: Transport, what: string, needed?: string): Transport {
  if (credential === undefined || credential === '') throw new ApiKeyRequiredError(what, needed);
  return transport;
}

const KEYLESS_OPTIONS: readonly string[] = ['url', 'formats', 'only_main_content', 'include_hidden'];

async function scrape(methods: CloudMethods, hasKey: boolean, body: ScrapeBody, call: CallOptions): Promise<ScrapedPage> {
  const metered = Object.entries(body).find(([name, value]) => value !== undefined && !KEYLESS_OPTIONS.includes(name))?.[0];
  if (!hasKey && metered !== undefined) throw new ApiKeyRequiredError(`A scrape with "${metered}"`);
  const answer: Scraped = hasKey ? await methods.scrape.page(body, call) : await methods.keyless.scrape(body, call);
  if (!('failure' in answer)) return answer;
  throw new ScrapeError(answer.url, answer.failure.code, answer.failure.message);
}

async function waitForCrawl(
  methods: CloudMethods,
  id: string,
  { timeout = WAIT_SECONDS, signal: stop, onProgress }: CrawlWaitOptions = {},
): Promise<CloudCrawl> {
  const budget = AbortSignal.timeout(timeout * 1000);
  const signal = stop ? AbortSignal.any([stop, budget]) : budget;
  try {
    for (let pauseMs: number = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 2, POLL_MS.most)) {
      const crawl = await methods.crawls.read({ id }, { signal });
      const { data: _data, next_cursor: _next, ...told } = crawl;
      onProgress?.(told);
      if (SETTLED.includes(crawl.status)) return crawl;
      await pause(pauseMs, signal);
    }
  } catch (error) {
    if (budget.aborted && stop?.aborted !== true) throw new RunWaitTimeoutError(id, timeout);
    throw error;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}

// What the pages of a session asked for: the last requests by name, and the JSON that they were answered with.
import type { BrowserContext, Request } from 'playwright-core';
import type { CapturedJson, Clock } from '../../../ports.ts';
import type { CapturedRequest } from '../../../run/session.ts';
import { captureJson, captureRequest } from '../capture.ts';
import { startBudget } from '../deadline.ts';

/** One request of a page, without what may be private in it. */
export interface SeenRequest {
  readonly method: string;
  /** Names of a query, not its values; no fragment, no user. */
  readonly url: string;
  readonly status: number | undefined;
}

/** The evidence of one session. */
export interface Evidence {
  /** Oldest first, at most REQUESTS_MAX. */
  lastRequests(): readonly SeenRequest[];
  /** Requests that may change something, those that a page sends about itself left out. */
  writes(): number;
  /** JSON answers to scripts' own requests since the last time, at most JSON_MAX; those that are too large or still arriving are left out. */
  takeJson(): Promise<readonly CapturedJson[]>;
  /** Requests of scripts with their JSON answers since the last time, at most JSON_MAX. */
  takeRequests(): Promise<readonly CapturedRequest[]>;
}

const REQUESTS_MAX = 50;
/** RFC 9110, 9.2.1. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const JSON_MAX = 50;
const READ_MS = 5_000;

/** Gathers evidence in `context` from now on. */
/** `gathering` is given where requests are kept whole. */
export function gatherEvidence(context: BrowserContext, gathering?: Clock): Evidence {
  const requests: { readonly request: WeakRef<Request>; readonly method: string; readonly url: string; status: number | undefined }[] = [];
  let writes = 0;
  context.on('page', (page) => page.on('websocket', () => writes++));
  context.on('request', (request) => {
    if (!SAFE_METHODS.has(request.method()) && request.resourceType() !== 'ping') writes++;
  });
  let json: Promise<readonly CapturedJson[]>[] = [];
  context.on('request', (request) => {
    if (!/^https?:/.test(request.url())) return;
    requests.push({ request: new WeakRef(request), method: request.method(), url: withoutValues(request.url()), status: undefined });
    if (requests.length > REQUESTS_MAX) requests.shift();
  });
  context.on('response', (response) => {
    const request = response.request();
    const seen = requests.findLast((each) => each.request.deref() === request);
    if (seen) seen.status = response.status();
  });
  context.on('requestfinished', (request) => {
    if (!/^(?:xhr|fetch)$/.test(request.resourceType())) return;
    const read = request.response().then((response) => {
      const isJson = response !== null && /[/+]json\b/i.test(response.headers()['content-type'] ?? '');
      return isJson ? captureJson([response], startBudget(READ_MS)) : [];
    });
    json.push(read.catch(() => []));
    if (json.length > JSON_MAX) json.shift();
  });
  let whole: Promise<CapturedRequest | undefined>[] = [];
  if (gathering)
    context.on('request', (request) => {
      if (!/^(?:xhr|fetch)$/.test(request.resourceType()) || !/^https?:/.test(request.url())) return;
      whole.push(captureRequest(request, gathering.now(), startBudget(READ_MS)).catch(() => undefined));
      if (whole.length > JSON_MAX) whole.shift();
    });
  return {
    async takeRequests() {
      const taken = whole;
      whole = [];
      return (await Promise.all(taken)).filter((each) => each !== undefined);
    },
    writes: () => writes,
    lastRequests: () => requests.map(({ method, url, status }) => ({ method, url, status })),
    async takeJson() {
      const taken = json;
      json = [];
      return (await Promise.all(taken)).flat();
    },
  };
}

function withoutValues(address: string): string {
  const url = new URL(address);
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=…`);
  return url.origin + url.pathname + (names.length > 0 ? `?${names.join('&')}` : '');
}

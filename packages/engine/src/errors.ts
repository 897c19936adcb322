// What can go wrong with a page, named for what the engine must do next.

/** What the caller does with the URL after this error. */
export type NextAction = 'retry' | 'retry_later' | 'drop' | 'stop';

/** Stable names of page errors; the sentence beside them is for people. */
export type PageErrorCode =
  | 'address'
  | 'robots'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'redirect_loop'
  | 'redirect_limit'
  | 'body_too_large'
  | 'truncated'
  | 'bad_response'
  | 'http_status'
  | 'server_error'
  | 'rate_limited'
  | 'blocked'
  | 'captcha'
  | 'unsupported_type'
  | 'page_too_complex'
  | 'page_unreadable'
  | 'selector'
  | 'browser'
  | 'aborted'
  | 'internal';

const NEXT_ACTION: Readonly<Record<PageErrorCode, NextAction>> = {
  address: 'drop',
  robots: 'drop',
  dns: 'retry',
  connect: 'retry',
  tls: 'drop',
  timeout: 'retry',
  redirect_loop: 'drop',
  redirect_limit: 'drop',
  body_too_large: 'drop',
  truncated: 'retry',
  bad_response: 'retry',
  http_status: 'drop',
  server_error: 'drop',
  rate_limited: 'retry_later',
  blocked: 'drop',
  captcha: 'drop',
  unsupported_type: 'drop',
  page_too_complex: 'drop',
  page_unreadable: 'drop',
  selector: 'drop',
  browser: 'retry',
  aborted: 'stop',
  internal: 'drop',
};

/** Whether `name` is the code of a page error. */
export function isPageErrorCode(name: string): name is PageErrorCode {
  return Object.hasOwn(NEXT_ACTION, name);
}

/** What a PageError carries beside its code and sentence. */
export interface PageErrorDetails {
  readonly url?: string;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** For `rate_limited`: epoch milliseconds before which the host must not be asked again. */
  readonly retryAtMs?: number;
  readonly cause?: unknown;
  /** Overrides the action that goes with the code, for example a 503 that may be retried. */
  readonly next?: NextAction;
}

/** The one error that leaves the engine. `message` is a public sentence: what, which value, which limit. */
export class PageError extends Error {
  readonly code: PageErrorCode;
  readonly next: NextAction;
  readonly url: string | undefined;
  readonly status: number | undefined;
  readonly retryAtMs: number | undefined;

  constructor(code: PageErrorCode, message: string, details: PageErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'PageError';
    this.code = code;
    this.next = details.next ?? NEXT_ACTION[code];
    this.url = details.url;
    this.status = details.status;
    this.retryAtMs = details.retryAtMs;
  }
}

// The error codes of both surfaces, and the one error class that carries them.

/** HTTP status of each code (specification, Errors; D4). Adding a code here adds it to docs/errors.md. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  captcha_required: 402,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  device_capacity: 409,
  vault_locked: 423,
  too_many_requests: 429,
  keyless_rate_limited: 429,
  internal: 500,
} as const;

/** The stable name of a refusal; programs branch on it. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** What an AppError carries beside its code and sentence. */
export interface AppErrorOptions {
  /** For the log only; never sent. */
  readonly cause?: unknown;
  /** Seconds after which the same call may work; sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** What a surface's errors carry beside `error` and `code`, such as `reset_at` (D4); none on the agent. */
  readonly members?: Readonly<Record<string, string | number>>;
}

/** An expected refusal. `message` is a public sentence: what, which value, which limit, what to do next. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

// Exit codes, and what each kind of failure tells a person and a program.
import { ApiError, ApiKeyRequiredError, CloudAddressError, ConnectionError, DiscoveryError, RunWaitTimeoutError } from '@weft/client/node';
import { fileSentence } from './file-fault.ts';

export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  failed: 3,
  auth: 4,
  notFound: 5,
  allowance: 6,
  human: 7,
  conflict: 8,
  noAgent: 9,
  changed: 10,
  dns: 11,
  connect: 12,
  tls: 13,
  timeout: 14,
  httpStatus: 15,
  serverError: 16,
  robots: 17,
  waitSpent: 124,
  interrupted: 130,
} as const;

/** Thrown by commands for what the caller can mend. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly code: string;
  /** Of the answer that it is about. */
  readonly status: number | undefined;
  readonly next: readonly string[];

  constructor(
    message: string,
    fields: { readonly exitCode: number; readonly code: string; readonly status?: number; readonly next?: readonly string[] },
  ) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = fields.exitCode;
    this.code = fields.code;
    this.status = fields.status;
    this.next = fields.next ?? [];
  }
}

/** What is shown of a failure: for people in three lines, for programs as one object. */
export interface Failure {
  readonly exitCode: number;
  readonly error: string;
  readonly code: string;
  readonly status?: number;
  /** Commands to try, best first. */
  readonly next: readonly string[];
  readonly retryable: boolean;
  readonly run_id?: number | string;
}

const BY_CODE: Readonly<Record<string, { readonly exitCode: number; readonly next: readonly string[] }>> = {
  bad_request: { exitCode: EXIT.usage, next: [] },
  unauthorized: { exitCode: EXIT.auth, next: ['weft token', 'weft status'] },
  forbidden: { exitCode: EXIT.auth, next: ['weft key list'] },
  not_found: { exitCode: EXIT.notFound, next: [] },
  conflict: { exitCode: EXIT.conflict, next: [] },
  device_capacity: { exitCode: EXIT.conflict, next: ['weft status'] },
  vault_locked: { exitCode: EXIT.human, next: ['weft vault unlock', 'weft vault status'] },
  captcha_required: { exitCode: EXIT.human, next: [] },
  insufficient_credits: { exitCode: EXIT.allowance, next: ['weft cloud credits balance'] },
  too_many_requests: { exitCode: EXIT.allowance, next: [] },
  keyless_rate_limited: { exitCode: EXIT.allowance, next: [] },
  internal: { exitCode: EXIT.unexpected, next: ['weft logs', 'weft doctor'] },
};

/** Names any thrown value. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandError)
    return {
      exitCode: error.exitCode,
      error: error.message,
      code: error.code,
      ...(error.status === undefined ? {} : { status: error.status }),
      next: error.next,
      retryable: false,
    };
  if (error instanceof RunWaitTimeoutError)
    return {
      exitCode: EXIT.waitSpent,
      error: `The time to wait is over; run ${error.runId} goes on.`,
      code: 'wait_timeout',
      next: [`weft status`],
      retryable: true,
      run_id: error.runId,
    };
  if (error instanceof CloudAddressError)
    return { exitCode: EXIT.noAgent, error: error.message, code: 'no_cloud', next: ['weft cloud start'], retryable: false };
  if (error instanceof ApiKeyRequiredError)
    return { exitCode: EXIT.auth, error: error.message, code: 'api_key_required', next: ['weft cloud --help'], retryable: false };
  if (error instanceof DiscoveryError)
    return { exitCode: EXIT.noAgent, error: error.message, code: 'no_agent', next: ['weft serve', 'weft doctor'], retryable: true };
  if (error instanceof ConnectionError)
    return { exitCode: EXIT.noAgent, error: error.message, code: 'no_connection', next: ['weft status', 'weft doctor'], retryable: true };
  if (error instanceof ApiError) {
    const known = BY_CODE[error.code] ?? { exitCode: EXIT.unexpected, next: ['weft doctor'] };
    return {
      ...known,
      error: error.message,
      code: error.code,
      status: error.status,
      retryable: error.status === 429 || error.status >= 500,
    };
  }
  if (error instanceof Error && error.name === 'AbortError')
    return { exitCode: EXIT.interrupted, error: 'Interrupted.', code: 'interrupted', next: [], retryable: true };
  const file = fileSentence(error);
  if (file !== undefined) return { exitCode: EXIT.failed, error: file, code: 'file', next: [], retryable: false };
  return {
    exitCode: EXIT.unexpected,
    error: error instanceof Error ? error.message : String(error),
    code: 'unexpected',
    next: ['weft doctor'],
    retryable: false,
  };
}

/** `failure` of the command line `path`, with a next command where it has none: the list of what there is not, else the command's own help. */
export function withNext(failure: Failure, path: string, isCloud = false): Failure {
  // What a cloud refuses, no token of the agent mends.
  if ((isCloud || OF_CLOUD.test(path)) && failure.exitCode === EXIT.auth && failure.status !== undefined)
    return { ...failure, next: failure.status === 401 ? ['weft cloud accounts key', 'weft cloud keys list'] : ['weft cloud keys list'] };
  if (failure.next.length > 0 || (failure.exitCode !== EXIT.usage && failure.exitCode !== EXIT.notFound)) return failure;
  return { ...failure, next: [listOf(failure.error) ?? `${path} --help`] };
}

const OF_CLOUD = /^weft (?:cloud|publish)\b/;

/** What the agent says that there is not, and the command that lists it. */
const LISTS: Readonly<Record<string, string>> = {
  automation: 'weft automation list',
  channel: 'weft notify list',
  crawl: 'weft crawl list',
  dataset: 'weft dataset list',
  delivery: 'weft notify deliveries',
  file: 'weft file list',
  grant: 'weft oauth list',
  key: 'weft key list',
  monitor: 'weft monitor list',
  persona: 'weft persona list',
  record: 'weft dataset list',
  'saved crawl': 'weft crawl saved',
  secret: 'weft secret list',
  tag: 'weft monitor tag list',
  workflow: 'weft workflow list',
};

function listOf(sentence: string): string | undefined {
  const [, noun] = /There is no ([a-z]+(?: [a-z]+)?) (?:"|\d)/.exec(sentence) ?? [];
  return noun === undefined || !Object.hasOwn(LISTS, noun) ? undefined : LISTS[noun];
}

/** What failed, why, and the next command, each on its own line. */
export function failureText(failure: Failure): string {
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  return [`weft: ${failure.error}`, `Cause: ${failure.code}${status}`, ...(failure.next[0] ? [`Try:   ${failure.next[0]}`] : [])].join(
    '\n',
  );
}

/** A failure as programs are told of it. */
export function withoutExit({ exitCode: _exitCode, ...rest }: Failure): Omit<Failure, 'exitCode'> {
  return rest;
}

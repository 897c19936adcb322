// The one path that every request takes, in the order of refusals of D3. Handlers see only calls that passed all of it.
import { randomUUID } from 'node:crypto';
import { AppError, LIMITS, findTokenFamily } from '@weft/contract';
import type { Operation } from '@weft/contract';
import type { Actor } from './actor.ts';
import { decideReach } from './actor.ts';
import { CallerLeft, TransportError, errorAnswer } from './errors.ts';
import { guardSentence, isPlainPath, passesGuard, splitTarget, valuesOf } from './guard.ts';
import type { AnyHandler, AnyReply, Call, Surface } from './handlers.ts';
import type { Idempotency, IdempotencyStore } from './idempotency.ts';
import { createIdempotency } from './idempotency.ts';
import { NO_BODY, hasBody, lastEventId, parseInput, refuseDeclaredSize, takeBody } from './input.ts';
import type { Incoming, Outgoing } from './message.ts';
import { findHeader } from './message.ts';
import { createPartSize } from './part-size.ts';
import type { RateDecision, RateLimiter, RatePolicy } from './rate.ts';
import { createRateLimiter } from './rate.ts';
import type { StreamPorts } from './reply.ts';
import { replyAnswer, wholeReply } from './reply.ts';
import type { Match, Route, Routes } from './routes.ts';
import { createRoutes } from './routes.ts';
import { printable } from './validate.ts';
import type { StreamRegistry } from './streams.ts';

export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly actorId: string | undefined;
  /** What a 500 hides from the caller, or what cut an answer off. */
  readonly error?: unknown;
}

export interface KernelOptions {
  readonly surfaces: readonly Surface[];
  /** Routes that need no token, by path: probe, OpenAPI documents. */
  readonly open: Readonly<Record<string, (request: Incoming) => Outgoing>>;
  /** The token's record, looked up at each request; undefined when it is not known. */
  authenticate(token: string): Actor | undefined;
  /** Who started run `id`; undefined when there is no such run. */
  ownerOfRun(id: number): string | undefined;
  readonly idempotency: IdempotencyStore;
  readonly streams: StreamRegistry;
  /** Monotonic milliseconds. */
  now(): number;
  log(entry: RequestLog): void;
  /** A refusal with a sentence for an error that is known and not an AppError; undefined leaves it `internal`. */
  explain?(error: unknown): AppError | undefined;
  readonly rate?: { readonly key: RatePolicy; readonly runtime: RatePolicy };
  readonly keepAliveMs?: number;
  /** What all readers of long answers together may keep waiting in memory. */
  readonly heldBytesMax?: number;
}

export interface Kernel {
  /** Never rejects: what goes wrong is an answer too. */
  handle(request: Incoming): Promise<Outgoing>;
}

const DEFAULT_RATE = {
  key: { perSecond: LIMITS.ratePerMinute / 60, burst: LIMITS.rateBurst },
  runtime: { perSecond: LIMITS.runtimeRatePerMinute / 60, burst: LIMITS.runtimeRateBurst },
};
const AUTH_FAILURES: RatePolicy = { perSecond: LIMITS.authFailuresPerSecond, burst: LIMITS.authFailuresPerSecond };
const KEEP_ALIVE_MS = 15_000;
/** Small beside the rest of the process, and enough for large parts for dozens of readers. */
const HELD_BYTES_MAX = 64_000_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const INSIDE = /^\/(v1|x)(\/|$)/;

/** What one request has found out so far; the log line and the headers are written from it. */
interface Progress {
  readonly requestId: string;
  readonly startedMs: number;
  operation?: Operation;
  actor?: Actor;
  rate?: { readonly policy: RatePolicy; readonly decision: RateDecision };
}

/** A request that may be served. */
interface Admitted {
  readonly route: Route<AnyHandler>;
  readonly params: Match<AnyHandler>['params'];
  readonly search: string;
  readonly actor: Actor;
  /** Present when only this actor's own runs may be reached. */
  readonly ownerId: string | undefined;
}

export function createKernel(options: KernelOptions): Kernel {
  return new RequestKernel(options);
}

class RequestKernel implements Kernel {
  readonly #options: KernelOptions;
  readonly #routes: Routes<AnyHandler>;
  readonly #limiter: RateLimiter;
  readonly #idempotency: Idempotency;
  readonly #streaming: StreamPorts;
  readonly #rates: { readonly key: RatePolicy; readonly runtime: RatePolicy };

  constructor(options: KernelOptions) {
    this.#options = options;
    this.#routes = createRoutes<AnyHandler>(options.surfaces);
    this.#limiter = createRateLimiter(options.now);
    this.#idempotency = createIdempotency(options.idempotency);
    this.#streaming = {
      keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
      partSize: createPartSize(options.heldBytesMax ?? HELD_BYTES_MAX),
    };
    this.#rates = options.rate ?? DEFAULT_RATE;
  }

  async handle(request: Incoming): Promise<Outgoing> {
    const progress: Progress = { requestId: requestIdOf(request), startedMs: this.#options.now() };
    let outgoing: Outgoing;
    let failure: unknown;
    try {
      outgoing = await this.#answer(request, progress);
    } catch (error) {
      outgoing = errorAnswer(hasLeft(request, error) ? new CallerLeft() : (this.#options.explain?.(error) ?? error));
      if (outgoing.status >= 500) failure = error;
    }
    this.#log(request, progress, outgoing.status, failure);
    return this.#watched({ ...outgoing, headers: headersOf(outgoing, progress) }, request, progress);
  }

  /** D3, line by line. */
  async #answer(request: Incoming, progress: Progress): Promise<Outgoing> {
    const [path, search] = splitTarget(request.target);
    const match = isPlainPath(path) ? this.#routes.find(path) : undefined;
    const route = match?.byMethod.get(request.method === 'HEAD' ? 'GET' : request.method);
    refuseUnspoken(request);
    refuseDeclaredSize(request, route?.operation);
    refuseForeign(request);
    const open = Object.hasOwn(this.#options.open, path) ? this.#options.open[path] : undefined;
    if (open) return openAnswer(open, request);
    if (!match && !INSIDE.test(path)) throw new AppError('not_found', 'There is nothing at this path.');
    const actor = (progress.actor = this.#requireActor(request));
    if (!match) throw new AppError('not_found', 'There is no operation at this path.');
    if (route) progress.operation = route.operation;
    const ownerId = route ? requireScope(actor, route.operation) : undefined;
    this.#takeRate(actor, progress);
    if (!route) throw methodNotAllowed(match);
    return await this.#serve(request, progress, { route, params: match.params, search, actor, ownerId });
  }

  #requireActor(request: Incoming): Actor {
    const token = bearerOf(request);
    const actor = token !== undefined && findTokenFamily(token) ? this.#options.authenticate(token) : undefined;
    if (actor) return actor;
    if (token !== undefined && !this.#limiter.take(`auth ${request.remoteAddress}`, AUTH_FAILURES).allowed)
      throw new AppError('too_many_requests', 'Too many wrong tokens from this address; wait a second.', { retryAfterSeconds: 1 });
    throw new AppError(
      'unauthorized',
      token === undefined
        ? 'Send a token: `Authorization: Bearer <token>`.'
        : 'This token is not known here. `weft token show` prints the one to use.',
    );
  }

  /** The decision is noted before it refuses, because the refusal's headers tell it. */
  #takeRate(actor: Actor, progress: Progress): void {
    const policy = actor.family === 'wlt' ? this.#rates.runtime : this.#rates.key;
    const decision = this.#limiter.take(actor.id, policy);
    progress.rate = { policy, decision };
    if (decision.allowed) return;
    throw new AppError('too_many_requests', `More than ${Math.round(policy.perSecond * 60)} requests a minute; space them out.`, {
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  /** From the content type to the reply. */
  async #serve(request: Incoming, progress: Progress, admitted: Admitted): Promise<Outgoing> {
    const { route, params, search, actor, ownerId } = admitted;
    const { operation } = route;
    const contentType = findHeader(request, 'content-type') ?? '';
    const body = hasBody(request) ? await takeBody(request, operation, contentType) : NO_BODY;
    const input = parseInput(operation, params, search, body.value);
    this.#requireOwned(operation, input.params, ownerId);
    let signal: AbortSignal | undefined;
    // Made on first use: most handlers are done before anybody could leave.
    const signalOf = () => (signal ??= this.#options.streams.signalFor(actor.id, request.closed));
    const call = callOf({ ...input, actor, ownerId, requestId: progress.requestId, contentType }, request, signalOf);
    const reply = await this.#runHandler(route, call, request, body.bytes);
    return replyAnswer(operation, reply, signalOf, this.#streaming);
  }

  #requireOwned(operation: Operation, params: unknown, ownerId: string | undefined): void {
    if (ownerId === undefined || !operation.owned) return;
    const { id } = params as { id: number };
    if (this.#options.ownerOfRun(id) !== ownerId) throw new AppError('not_found', `There is no run ${id} that this key started.`);
  }

  #runHandler({ operation, handler }: Route<AnyHandler>, call: Call<Operation>, request: Incoming, body: Uint8Array) {
    const keys = operation.idempotency ? valuesOf(request.rawHeaders, 'idempotency-key') : [];
    const key = keys[0];
    if (key === undefined || !operation.idempotency) return handler(call);
    if (keys.length > 1) throw new AppError('bad_request', 'Idempotency-Key stands twice; send one.');
    return this.#idempotency.run<AnyReply>(
      { actorId: call.actor.id, target: `${request.method} ${request.target}`, key, body, mode: operation.idempotency },
      async () => wholeReply(await handler(call)),
    );
  }

  #log(request: Incoming, progress: Progress, status: number, error: unknown): void {
    this.#options.log({
      requestId: progress.requestId,
      method: request.method,
      operation: progress.operation?.id,
      status,
      durationMs: this.#options.now() - progress.startedMs,
      actorId: progress.actor?.id,
      ...(error === undefined ? {} : { error }),
    });
  }

  /** A stream that fails after its headers can only be cut off; the log says why. A caller that leaves in the middle is no failure. */
  #watched(outgoing: Outgoing, request: Incoming, progress: Progress): Outgoing {
    const { body, status } = outgoing;
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return outgoing;
    return { ...outgoing, body: watch(body, (error) => request.closed.aborted || this.#log(request, progress, status, error)) };
  }
}

async function* watch<T>(parts: AsyncIterable<T>, onError: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** What was stopped because nobody waits for it any more. */
function hasLeft(request: Incoming, error: unknown): boolean {
  return error instanceof CallerLeft || (error instanceof Error && error.name === 'AbortError' && request.closed.aborted);
}

function requestIdOf(request: Incoming): string {
  const given = findHeader(request, 'x-request-id');
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
}

/** A request in another version, or with an expectation that nobody meets (RFC 9110, 10.1.1). */
function refuseUnspoken(request: Incoming): void {
  if (!request.version.startsWith('1.')) throw new AppError('bad_request', `HTTP/${request.version} is not spoken here; send HTTP/1.1.`);
  const expected = findHeader(request, 'expect');
  if (expected !== undefined && expected.toLowerCase() !== '100-continue')
    throw new TransportError(417, `The expectation "${printable(expected)}" can't be met; leave Expect out.`);
}

function refuseForeign(request: Incoming): void {
  if (!passesGuard(request, request.own)) throw new AppError('forbidden', guardSentence(request.own));
}

function openAnswer(open: KernelOptions['open'][string], request: Incoming): Outgoing {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new TransportError(405, 'Only GET is served here.', { allow: 'GET, HEAD' });
  return open(request);
}

/** The token of exactly one `Authorization: Bearer` header. */
function bearerOf(request: Incoming): string | undefined {
  return /^Bearer +([\x21-\x7e]+)$/i.exec(findHeader(request, 'authorization') ?? '')?.[1];
}

/** The actor's id where it reaches only its own runs, undefined where it reaches all. Throws AppError `forbidden`. */
function requireScope(actor: Actor, operation: Operation): string | undefined {
  const reach = decideReach(actor, operation);
  if (reach === 'none') throw new AppError('forbidden', scopeSentence(operation));
  return reach === 'own' ? actor.id : undefined;
}

function scopeSentence({ id, scopes }: Operation): string {
  if (scopes.length === 1 && scopes[0] === 'runtime')
    return 'Only the runtime token (wlt_) may do this; a restricted key can never widen itself.';
  return `This token's scopes do not cover ${id}; it needs ${[...new Set(scopes.map((scope) => scope.replace(':own', '')))].join(' or ')}.`;
}

function methodNotAllowed(match: Match<AnyHandler>): TransportError {
  const methods = [...match.byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new TransportError(405, `This path takes ${methods.join(', ')}.`, { allow: methods.join(', ') });
}

type Known = Omit<Call<Operation>, 'signal' | 'lastEventId' | 'rawBody' | 'header' | 'origin'>;

function callOf(known: Known, request: Incoming, signalOf: () => AbortSignal): Call<Operation> {
  return {
    ...known,
    origin: request.own.origin,
    lastEventId: lastEventId(request),
    rawBody: request.body,
    header: (name) => findHeader(request, name),
    get signal() {
      return signalOf();
    },
  };
}

/** On every answer (A15): not cached, not sniffed, not embeddable, and traceable. */
const SHARED_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "sandbox; default-src 'none'",
  vary: 'Origin',
};

function headersOf({ headers }: Outgoing, { requestId, rate }: Progress): Readonly<Record<string, string>> {
  if (!rate) return { ...SHARED_HEADERS, 'x-request-id': requestId, ...headers };
  const { policy, decision } = rate;
  return {
    ...SHARED_HEADERS,
    'x-request-id': requestId,
    'ratelimit-policy': `"default";q=${policy.burst};w=${Math.ceil(policy.burst / policy.perSecond)}`,
    ratelimit: `"default";r=${decision.remaining};t=${decision.retryAfterSeconds}`,
    ...headers,
  };
}

// The one path that every request takes, in the order of refusals of D3. Handlers see only calls that passed all of it.
import { randomUUID } from 'node:crypto';
import { AppError, LIMITS, findTokenFamily } from '@weft/contract';
import type { Operation } from '@weft/contract';
import type { Actor } from './actor.ts';
import { decideReach } from './actor.ts';
import { readBody } from './body.ts';
import { TransportError, errorAnswer } from './errors.ts';
import { guardSentence, isPlainPath, passesGuard, splitTarget, valuesOf } from './guard.ts';
import type { AnyHandler, AnyReply, Call, Surface } from './handlers.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { createIdempotency } from './idempotency.ts';
import { parseJsonBody } from './json.ts';
import type { Incoming, Outgoing } from './message.ts';
import { findHeader } from './message.ts';
import type { RateDecision, RatePolicy } from './rate.ts';
import { createRateLimiter } from './rate.ts';
import { replyAnswer } from './reply.ts';
import type { Match, Route } from './routes.ts';
import { createRoutes } from './routes.ts';
import type { StreamRegistry } from './streams.ts';
import { parsePart, printable, queryObject } from './validate.ts';

export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  readonly operation: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly actorId: string | undefined;
  /** What a 500 hides from the caller. */
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
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** What one request has found out so far; the log line is written from it. */
interface Progress {
  readonly requestId: string;
  operation?: Operation;
  actor?: Actor;
  rate?: { readonly policy: RatePolicy; readonly decision: RateDecision };
}

export function createKernel(options: KernelOptions): Kernel {
  const routes = createRoutes<AnyHandler>(options.surfaces);
  const limiter = createRateLimiter(options.now);
  const idempotency = createIdempotency(options.idempotency);
  const rates = options.rate ?? DEFAULT_RATE;

  return { handle };

  async function handle(request: Incoming): Promise<Outgoing> {
    const startedMs = options.now();
    const given = findHeader(request, 'x-request-id');
    const progress: Progress = { requestId: given !== undefined && REQUEST_ID.test(given) ? given : randomUUID() };
    let outgoing: Outgoing;
    let failure: unknown;
    try {
      outgoing = await answer(request, progress);
    } catch (error) {
      outgoing = errorAnswer(options.explain?.(error) ?? error);
      if (outgoing.status >= 500) failure = error;
    }
    options.log({
      requestId: progress.requestId,
      method: request.method,
      operation: progress.operation?.id,
      status: outgoing.status,
      durationMs: options.now() - startedMs,
      actorId: progress.actor?.id,
      ...(failure === undefined ? {} : { error: failure }),
    });
    return { ...outgoing, headers: withHeaders(outgoing.headers, progress) };
  }

  async function answer(request: Incoming, progress: Progress): Promise<Outgoing> {
    const [path, search] = splitTarget(request.target);
    const match = isPlainPath(path) ? routes.find(path) : undefined;
    const route = match?.byMethod.get(request.method === 'HEAD' ? 'GET' : request.method);
    refuseDeclaredSize(request, route);
    if (!passesGuard(request, request.own)) throw new AppError('forbidden', guardSentence(request.own));
    const open = Object.hasOwn(options.open, path) ? options.open[path] : undefined;
    if (open) return openAnswer(open, request);
    if (!match && !isInside(path)) throw new AppError('not_found', 'There is nothing at this path.');

    const actor = requireActor(request);
    progress.actor = actor;
    if (!match) throw new AppError('not_found', 'There is no operation at this path.');
    if (route) progress.operation = route.operation;
    const reach = route ? decideReach(actor, route.operation) : 'all';
    if (reach === 'none') throw new AppError('forbidden', scopeSentence(route as Route<AnyHandler>));
    takeRate(actor, progress);
    if (!route) throw methodNotAllowed(match);
    return await serve(request, progress, { route, match, actor, search, ownerId: reach === 'own' ? actor.id : undefined });
  }

  function requireActor(request: Incoming): Actor {
    const token = bearerOf(request);
    const actor = token !== undefined && findTokenFamily(token) ? options.authenticate(token) : undefined;
    if (actor) return actor;
    if (token !== undefined && !limiter.take(`auth ${request.remoteAddress}`, AUTH_FAILURES).allowed)
      throw new AppError('too_many_requests', 'Too many wrong tokens from this address; wait a second.', { retryAfterSeconds: 1 });
    throw new AppError(
      'unauthorized',
      token === undefined
        ? 'Send a token: `Authorization: Bearer <token>`.'
        : 'This token is not known here. `weft token show` prints the one to use.',
    );
  }

  function takeRate(actor: Actor, progress: Progress): void {
    const policy = actor.family === 'wlt' ? rates.runtime : rates.key;
    const decision = limiter.take(actor.id, policy);
    progress.rate = { policy, decision };
    if (!decision.allowed)
      throw new AppError('too_many_requests', `More than ${Math.round(policy.perSecond * 60)} requests a minute; space them out.`, {
        retryAfterSeconds: decision.retryAfterSeconds,
      });
  }

  interface Served {
    readonly route: Route<AnyHandler>;
    readonly match: Match<AnyHandler>;
    readonly actor: Actor;
    readonly search: string;
    readonly ownerId: string | undefined;
  }

  async function serve(request: Incoming, progress: Progress, served: Served): Promise<Outgoing> {
    const { operation, handler } = served.route;
    const contentType = findHeader(request, 'content-type') ?? '';
    const body = await takeBody(request, operation, contentType);
    const input = parseInput(operation, served, body.value);
    requireOwned(operation, input.params, served.ownerId);
    let signal: AbortSignal | undefined;
    const openSignal = () => (signal ??= options.streams.signalFor(served.actor.id, request.closed));
    const call = {
      ...input,
      actor: served.actor,
      ownerId: served.ownerId,
      requestId: progress.requestId,
      lastEventId: lastEventId(request),
      rawBody: request.body,
      contentType,
      header: (name: string) => findHeader(request, name),
      // Made on first use: most handlers are done before anybody could leave.
      get signal() {
        return openSignal();
      },
    } as Call<Operation>;
    const reply = await runHandler(operation, handler, call, request, body.bytes);
    return replyAnswer(operation, reply, () => ({ signal: openSignal(), keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS }));
  }

  async function runHandler(
    operation: Operation,
    handler: AnyHandler,
    call: Call<Operation>,
    request: Incoming,
    body: Uint8Array,
  ): Promise<AnyReply> {
    const keys = operation.idempotency ? valuesOf(request.rawHeaders, 'idempotency-key') : [];
    const key = keys[0];
    if (key === undefined || !operation.idempotency) return await handler(call);
    if (keys.length > 1) throw new AppError('bad_request', 'Idempotency-Key stands twice; send one.');
    return await idempotency.run(
      { actorId: call.actor.id, operationId: operation.id, key, body, mode: operation.idempotency },
      async () => await handler(call),
    );
  }

  function requireOwned(operation: Operation, params: unknown, ownerId: string | undefined): void {
    if (ownerId === undefined || !operation.owned) return;
    const { id } = params as { id: number };
    if (options.ownerOfRun(id) !== ownerId) throw new AppError('not_found', `There is no run ${id} that this key started.`);
  }

  function isInside(path: string): boolean {
    return /^\/(v1|x)(\/|$)/.test(path);
  }
}

function refuseDeclaredSize(request: Incoming, route: Route<AnyHandler> | undefined): void {
  const declared = Number(findHeader(request, 'content-length') ?? 0);
  const bytesMax = bytesMaxOf(route?.operation);
  if (declared > bytesMax)
    throw new TransportError(413, `The body is declared as ${declared} bytes; at most ${bytesMax} are accepted here.`);
}

function bytesMaxOf(operation: Operation | undefined): number {
  return operation?.bodyBytesMax ?? LIMITS.bodyBytesMax;
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

function scopeSentence(route: Route<AnyHandler>): string {
  const { scopes } = route.operation;
  if (scopes.length === 1 && scopes[0] === 'runtime')
    return 'Only the runtime token (wlt_) may do this; a restricted key can never widen itself.';
  return `This token's scopes do not cover ${route.operation.id}; it needs ${[...new Set(scopes.map((scope) => scope.replace(':own', '')))].join(' or ')}.`;
}

function methodNotAllowed(match: Match<AnyHandler>): TransportError {
  const methods = [...match.byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return new TransportError(405, `This path takes ${methods.join(', ')}.`, { allow: methods.join(', ') });
}

interface TakenBody {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

const NO_BODY: TakenBody = { bytes: new Uint8Array(), value: undefined };

async function takeBody(request: Incoming, operation: Operation, contentType: string): Promise<TakenBody> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return NO_BODY;
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
  if (operation.bodyType === 'multipart') {
    if (mediaType !== 'multipart/form-data') throw new AppError('bad_request', 'Send this as multipart/form-data.');
    return NO_BODY;
  }
  const mayBeAbsent = operation.isBodyOptional === true && mediaType === '';
  if (operation.body && mediaType !== 'application/json' && !mayBeAbsent)
    throw new AppError('bad_request', 'Send a JSON body with `Content-Type: application/json`.');
  const bytes = await readBody(request.body, bytesMaxOf(operation));
  if (mayBeAbsent && bytes.byteLength === 0) return { bytes, value: {} };
  if (operation.body) return { bytes, value: parseJsonBody(bytes) };
  if (bytes.byteLength > 0 && Buffer.from(bytes).toString('latin1').trim() !== '{}')
    throw new AppError('bad_request', 'This operation takes no body.');
  return { bytes, value: undefined };
}

function parseInput(operation: Operation, served: { readonly match: Match<AnyHandler>; readonly search: string }, body: unknown) {
  const query = served.search === '' ? {} : queryObject(new URLSearchParams(served.search));
  const [unknown] = operation.query ? [] : Object.keys(query);
  if (unknown !== undefined) throw new AppError('bad_request', `Unknown query parameter "${printable(unknown)}".`);
  return {
    params: operation.params ? parsePart(operation.params, served.match.params, 'path') : undefined,
    query: operation.query ? parsePart(operation.query, query, 'query') : undefined,
    body: operation.body ? parsePart(operation.body, body, 'body') : undefined,
  };
}

/** `Last-Event-ID` as a sequence number; anything else starts from the beginning. */
function lastEventId(request: Incoming): number {
  const value = findHeader(request, 'last-event-id') ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : 0;
}

/** On every answer (A15): not cached, not sniffed, not embeddable, and traceable. */
function withHeaders(headers: Readonly<Record<string, string>>, progress: Progress): Readonly<Record<string, string>> {
  const shared = {
    'cache-control': 'no-store',
    'x-request-id': progress.requestId,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "sandbox; default-src 'none'",
    vary: 'Origin',
  };
  if (!progress.rate) return { ...shared, ...headers };
  const { policy, decision } = progress.rate;
  return {
    ...shared,
    'ratelimit-policy': `"default";q=${policy.burst};w=${Math.ceil(policy.burst / policy.perSecond)}`,
    ratelimit: `"default";r=${decision.remaining};t=${decision.retryAfterSeconds}`,
    ...headers,
  };
}

// The one path that every request takes, in the order of refusals of D3. Handlers see only calls that passed all of it.
import { randomUUID } from 'node:crypto';
import { AppError } from '@weft/contract';
import type { Method, Operation } from '@weft/contract';
import type { Actor } from './actor.ts';
import { decideReach } from './actor.ts';
import { requireActor } from './credentials.ts';
import { CallerLeft, TransportError, errorAnswer } from '../wire/errors.ts';
import { isPlainPath, passesAsNavigation, passesGuard, splitTarget, valuesOf } from '../wire/guard.ts';
import type { AnyCall, AnyHandler, AnyReply, Surface } from './handlers.ts';
import type { IdempotencyStore, KeyedTurns } from './idempotency.ts';
import { effectOnce } from './idempotency.ts';
import { lastEventId, refuseDeclaredSize, takeInput } from './input.ts';
import type { Awaitable, Incoming, Outgoing } from '../wire/message.ts';
import { findHeader } from '../wire/message.ts';
import { createPartSize } from './part-size.ts';
import type { Policy, Sentences } from './policy.ts';
import type { RateDecision, RateLimiter, RatePolicy } from './rate.ts';
import { createRateLimiter } from './rate.ts';
import type { StreamPorts } from './reply.ts';
import { replyAnswer } from './reply.ts';
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

/** What is answered without a credential: probe, documents, pages for people. Its own headers win over the shared ones. */
export interface OpenRoute {
  /** GET takes HEAD with it. */
  readonly methods: readonly Method[];
  /** True where another site may lead a person here, who changes nothing by coming (D2). */
  readonly isNavigable?: true;
  answer(request: Incoming): Awaitable<Outgoing>;
}

export interface KernelOptions {
  readonly policy: Policy;
  readonly surfaces: readonly Surface[];
  /** By path. */
  readonly open: Readonly<Record<string, OpenRoute>>;
  readonly idempotency: IdempotencyStore;
  readonly streams: StreamRegistry;
  /** Monotonic milliseconds. */
  now(): number;
  log(entry: RequestLog): void;
  /** Runs all that a call does for its actor: a surface that serves many says here whose rows it may see. Directly unless given. */
  enter?<T>(actor: Actor, work: () => Promise<T>): Promise<T>;
  /** A refusal with a sentence for an error that is known and not an AppError; undefined leaves it `internal`. */
  explain?(error: unknown): AppError | undefined;
  /** Of all processes of the surface; in memory unless given. */
  readonly limiter?: RateLimiter;
  readonly keepAliveMs?: number;
  /** What all readers of long answers together may keep waiting in memory. */
  readonly heldBytesMax?: number;
}

export interface Kernel {
  /** Never rejects: what goes wrong is an answer too. */
  handle(request: Incoming): Promise<Outgoing>;
}

const KEEP_ALIVE_MS = 15_000;
/** Small beside the rest of the process, and enough for large parts for dozens of readers. */
const HELD_BYTES_MAX = 64_000_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

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
  private readonly options: KernelOptions;
  private readonly routes: Routes<AnyHandler>;
  private readonly limiter: RateLimiter;
  private readonly streaming: StreamPorts;
  private readonly keyedTurns: KeyedTurns = new Map();

  constructor(options: KernelOptions) {
    this.options = options;
    this.routes = createRoutes<AnyHandler>(options.surfaces);
    this.limiter = options.limiter ?? createRateLimiter(options.now);
    this.streaming = {
      keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
      partSize: createPartSize(options.heldBytesMax ?? HELD_BYTES_MAX),
    };
  }

  async handle(request: Incoming): Promise<Outgoing> {
    const progress: Progress = { requestId: requestIdOf(request), startedMs: this.options.now() };
    let outgoing: Outgoing;
    let failure: unknown;
    try {
      outgoing = await this.answer(request, progress);
    } catch (error) {
      const refusal = hasLeft(request, error) ? new CallerLeft() : (this.options.explain?.(error) ?? error);
      outgoing = errorAnswer(refusal, this.options.policy.sentences.internal);
      if (outgoing.status === 401)
        outgoing = { ...outgoing, headers: { ...outgoing.headers, 'www-authenticate': this.options.policy.challenge(request.own) } };
      if (outgoing.status >= 500) failure = error;
    }
    this.log(request, progress, outgoing.status, failure);
    return this.watched({ ...outgoing, headers: headersOf(outgoing, progress) }, request, progress);
  }

  /** D3, line by line. */
  private async answer(request: Incoming, progress: Progress): Promise<Outgoing> {
    const { policy, open: openRoutes } = this.options;
    const [path, search] = splitTarget(request.target);
    const match = isPlainPath(path) ? this.routes.find(path) : undefined;
    const route = match?.byMethod.get(methodOf(request));
    refuseUnspoken(request);
    refuseDeclaredSize(request, route?.operation);
    const open = Object.hasOwn(openRoutes, path) ? openRoutes[path] : undefined;
    this.refuseForeign(request, open);
    if (open) return await openAnswer(open, request);
    if (!match && !policy.isInside(path)) throw new AppError('not_found', 'There is nothing at this path.');
    const actor = (progress.actor = await requireActor(request, route?.operation, policy, this.limiter));
    if (!match) throw new AppError('not_found', 'There is no operation at this path.');
    if (route) progress.operation = route.operation;
    const ownerId = route ? requireScope(actor, route.operation, policy) : undefined;
    await this.takeRate(actor, progress);
    if (!route) throw methodNotAllowed([...match.byMethod.keys()]);
    return await this.serve(request, progress, { route, params: match.params, search, actor, ownerId });
  }

  private refuseForeign(request: Incoming, open: OpenRoute | undefined): void {
    const { addressesOf, sentences } = this.options.policy;
    const addresses = addressesOf?.(request.own) ?? [request.own];
    const passes = open?.isNavigable ? passesAsNavigation : passesGuard;
    if (!passes(request, addresses)) throw new AppError('forbidden', sentences.foreign(addresses));
  }

  /** The decision is noted before it refuses, because the refusal's headers tell it. */
  private async takeRate(actor: Actor, progress: Progress): Promise<void> {
    const policy = this.options.policy.rateOf(actor);
    const decision = await this.limiter.take(actor.id, policy);
    progress.rate = { policy, decision };
    if (decision.allowed) return;
    throw new AppError('too_many_requests', `More than ${Math.round(policy.perSecond * 60)} requests a minute; space them out.`, {
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }

  /** From the content type to the reply. */
  private async serve(request: Incoming, progress: Progress, admitted: Admitted): Promise<Outgoing> {
    const { route, params, search, actor, ownerId } = admitted;
    const { operation } = route;
    const { bytes, ...input } = await takeInput(request, operation, params, search);
    let signal: AbortSignal | undefined;
    // Made on first use: most handlers are done before anybody could leave.
    const signalOf = () => (signal ??= this.options.streams.signalFor(actor.id, request.closed));
    const call = callOf({ ...input, actor, ownerId, requestId: progress.requestId }, request, signalOf);
    const work = async () => {
      await this.requireOwned(operation, input.params, ownerId);
      return await this.runHandler(route, call, request, bytes);
    };
    const reply = await (this.options.enter?.(actor, work) ?? work());
    return replyAnswer(operation, reply, signalOf, this.streaming);
  }

  private async requireOwned(operation: Operation, params: unknown, ownerId: string | undefined): Promise<void> {
    if (ownerId === undefined || !operation.owned) return;
    const { id } = params as { id: number | string };
    if ((await this.options.policy.ownerOfRun(id)) !== ownerId)
      throw new AppError('not_found', `There is no run ${id} that this key started.`);
  }

  private async runHandler(
    { operation, handler }: Route<AnyHandler>,
    call: AnyCall,
    request: Incoming,
    body: Uint8Array,
  ): Promise<AnyReply> {
    if (typeof handler === 'function') return await handler(call);
    const keys = valuesOf(request.rawHeaders, 'idempotency-key');
    const [key] = keys;
    if (keys.length > 1) throw new AppError('bad_request', 'Idempotency-Key stands twice; send one.');
    const { method, target } = request;
    const keyed =
      key === undefined
        ? undefined
        : { actorId: call.actor.id, target: `${method} ${target}`, key, body, mode: operation.idempotency ?? 'replay' };
    const effect = keyed
      ? await effectOnce(this.options.idempotency, keyed, handler, call, this.keyedTurns)
      : await handler.effect(call, await handler.prepare?.(call));
    return await handler.answer(effect, call);
  }

  private log(request: Incoming, progress: Progress, status: number, error: unknown): void {
    this.options.log({
      requestId: progress.requestId,
      method: request.method,
      operation: progress.operation?.id,
      status,
      durationMs: this.options.now() - progress.startedMs,
      actorId: progress.actor?.id,
      ...(error === undefined ? {} : { error }),
    });
  }

  /** A stream that fails after its headers can only be cut off; the log says why. A caller that leaves in the middle is no failure. */
  private watched(outgoing: Outgoing, request: Incoming, progress: Progress): Outgoing {
    const { body, status } = outgoing;
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return outgoing;
    return { ...outgoing, body: watch(body, (error) => request.closed.aborted || this.log(request, progress, status, error)) };
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

async function openAnswer({ methods, answer }: OpenRoute, request: Incoming): Promise<Outgoing> {
  if (methods.some((method) => method === methodOf(request))) return await answer(request);
  throw methodNotAllowed(methods);
}

/** HEAD is asked for as GET is. */
function methodOf({ method }: Incoming): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** The actor's id where it reaches only its own runs, undefined where it reaches all. Throws AppError `forbidden`. */
function requireScope(actor: Actor, operation: Operation, { sentences }: Policy): string | undefined {
  const reach = decideReach(actor, operation);
  if (reach === 'none') throw new AppError('forbidden', scopeSentence(operation, sentences));
  return reach === 'own' ? actor.id : undefined;
}

function scopeSentence(operation: Operation, { runtimeOnly, uncovered }: Sentences): string {
  const { id, scopes } = operation;
  if (scopes.length === 1 && scopes[0] === 'runtime') return runtimeOnly;
  const own = uncovered?.(operation);
  if (own !== undefined) return own;
  return `This token's scopes do not cover ${id}; it needs ${[...new Set(scopes.map((scope) => scope.replace(':own', '')))].join(' or ')}.`;
}

function methodNotAllowed(taken: readonly string[]): TransportError {
  const methods = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new TransportError(405, `This path takes ${methods}.`, { allow: methods });
}

type Known = Omit<AnyCall, 'signal' | 'lastEventId' | 'rawBody' | 'header' | 'origin' | 'contentType' | 'remoteAddress'>;

function callOf(known: Known, request: Incoming, signalOf: () => AbortSignal): AnyCall {
  return {
    ...known,
    origin: request.own.origin,
    remoteAddress: request.remoteAddress,
    lastEventId: lastEventId(request),
    rawBody: request.body,
    contentType: findHeader(request, 'content-type') ?? '',
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

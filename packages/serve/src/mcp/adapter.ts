// Speaks the Model Context Protocol for a surface, both revisions on one address and nothing kept between requests (D47).
import { AppError } from '@weft/contract';
import type { McpHttpHandler, McpServer, RequestId, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Actor } from '../kernel/actor.ts';
import type { McpOutcome, McpProgress, McpTools } from './tools.ts';

/** How a surface introduces itself. */
export interface McpSurface {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: McpTools;
}

/** A call of the row that carries the protocol. */
export interface McpCall {
  readonly actor: Actor;
  readonly body: unknown;
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
}

/** As the row answers it: JSON, a stream of events, or nothing. */
export interface McpReply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Headers that the protocol reads; the rest of a request is the kernel's. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'last-event-id'];

/** The library of the protocol. */
export type McpLibrary = typeof import('@modelcontextprotocol/server');

export class McpAdapter {
  private readonly surface: McpSurface | ((sdk: McpLibrary) => Server | McpServer);
  private handler: Promise<McpHttpHandler> | undefined;
  /** Calls under way, by caller and the id that the request has. */
  private readonly live = new LiveCalls();

  /** Offers a surface, or a server of the library that is made for each request. */
  constructor(surface: McpSurface | ((sdk: McpLibrary) => Server | McpServer)) {
    this.surface = surface;
  }

  /** Answers one request; who leaves before the end has stopped the call. */
  async answer({ actor, body, signal, header }: McpCall): Promise<McpReply> {
    const headers = new Headers();
    for (const name of HEADERS) {
      const value = header(name);
      if (value !== undefined) headers.set(name, value);
    }
    this.handler ??= this.open();
    const handler = await this.handler;
    const request = new Request('http://mcp.invalid/mcp', { method: 'POST', headers, signal, body: JSON.stringify(body) });
    // The kernel has authenticated the caller; nothing here reads the token again.
    const caller: Caller = { actor, signal };
    const authInfo = { token: '', clientId: actor.id, scopes: [...actor.scopes], extra: { caller } };
    const response = await handler.fetch(request, { parsedBody: body, authInfo });
    if ('failure' in caller) throw caller.failure;
    return { status: response.status, type: response.headers.get('content-type') ?? undefined, body: partsOf(response) };
  }

  async close(): Promise<void> {
    await (await this.handler)?.close();
  }

  /** Loaded with the first request: most agents never see one. */
  private async open(): Promise<McpHttpHandler> {
    const sdk = await import('@modelcontextprotocol/server');
    return sdk.createMcpHandler(({ authInfo }) => {
      // `answer` put it there.
      const caller = authInfo?.extra?.['caller'] as Caller;
      return typeof this.surface === 'function' ? this.surface(sdk) : serverFor(caller, this.surface, this.live, sdk);
    });
  }
}

async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body) yield* body;
}

/** For whom a request is served. */
interface Caller {
  readonly actor: Actor;
  /** Aborts when it has left. */
  readonly signal: AbortSignal;
  /** What nobody expected: for the kernel and its log, because the protocol would tell its text. */
  failure?: unknown;
}

/** A server that knows one caller: no answer can reach another. */
function serverFor(caller: Caller, { name, version, instructions, tools }: McpSurface, live: LiveCalls, sdk: McpLibrary): Server {
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} }, instructions });
  const { actor } = caller;
  const unexpected = (error: unknown): never => {
    caller.failure = error;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'It failed.');
  };
  const list = async () => await tools.list(actor);
  server.setRequestHandler('tools/list', async () => ({
    tools: (await list().catch(unexpected)).map(({ outputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { ...tool.inputSchema, type: 'object' as const },
      ...(outputSchema ? { outputSchema: { ...outputSchema, type: 'object' as const } } : {}),
    })),
  }));
  // The revision of 2025 cancels by a message of its own, which comes with another request.
  server.setNotificationHandler('notifications/cancelled', ({ params }) => live.cancel(actor.id, params.requestId));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const own = live.begin(actor.id, mcpReq.id);
    const signal = AbortSignal.any([mcpReq.signal, caller.signal, own.signal]);
    const tell = progressOf(mcpReq, signal);
    const outcome = await outcomeOf(() => tools.call(actor, params.name, params.arguments ?? {}, signal, tell))
      .catch(unexpected)
      .finally(() => own.end());
    if (!outcome) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool "${params.name.slice(0, 130)}".`);
    return {
      isError: outcome.isError,
      content: [{ type: 'text' as const, text: JSON.stringify(outcome.value) }],
      structuredContent: outcome.value,
    };
  });
  return server;
}

/** Tells progress to who sent a token for it; it only grows, as the protocol wants it. */
function progressOf({ _meta: meta, notify }: ServerContext['mcpReq'], signal: AbortSignal): McpProgress {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, ...more }) => {
    if (progress <= last || signal.aborted) return;
    last = progress;
    // Who has left hears no more.
    void notify({ method: 'notifications/progress', params: { progressToken, progress, ...more } }).catch(() => undefined);
  };
}

/** Calls that can be cancelled by a message. A message that could mean several calls, of clients with one token, cancels none. */
class LiveCalls {
  private readonly calls = new Map<string, Set<AbortController>>();

  begin(actorId: string, requestId: RequestId): { readonly signal: AbortSignal; end(): void } {
    const key = keyOf(actorId, requestId);
    const call = new AbortController();
    const calls = this.calls.get(key) ?? new Set();
    this.calls.set(key, calls.add(call));
    const end = () => {
      calls.delete(call);
      if (calls.size === 0) this.calls.delete(key);
    };
    return { signal: call.signal, end };
  }

  cancel(actorId: string, requestId: RequestId | undefined): void {
    const calls = requestId === undefined ? undefined : this.calls.get(keyOf(actorId, requestId));
    if (calls?.size === 1) for (const call of calls) call.abort();
  }
}

function keyOf(actorId: string, requestId: RequestId): string {
  return JSON.stringify([actorId, requestId]);
}

/** What a refusal says is for the model to read: it can mend its input. */
async function outcomeOf(call: () => Promise<McpOutcome | undefined>): Promise<McpOutcome | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { isError: true, value: { error: error.message, code: error.code } };
  }
}

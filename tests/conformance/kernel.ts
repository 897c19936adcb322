// The agent's kernel without a port: the same services on a home of its own, called with a method, a target and headers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@weft/contract';
import type { Operation } from '@weft/contract';
import type { BrowserRecordings, BrowserSessions, Fetcher } from '@weft/engine';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { Actor, AnyHandler, IdempotencyStore, Incoming, Kernel, KernelOptions, Outgoing, OwnAddress, Policy } from '@weft/serve';
import { createKernel, createStreamRegistry } from '@weft/serve';
import { agentPolicy } from '../../packages/daemon/src/auth/policy.ts';
import { readConfig } from '../../packages/daemon/src/config.ts';
import { readSettings } from '../../packages/daemon/src/settings.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { prepareHome } from '../../packages/daemon/src/home.ts';
import type { Services } from '../../packages/daemon/src/services.ts';
import { createServices } from '../../packages/daemon/src/services.ts';
import { findPrivate } from '../../packages/serve/src/base/private-files.ts';
import type { TestClock } from '../agent.ts';
import { testClock } from '../agent.ts';
import { testViews } from '../views.ts';

export const OWN = { host: '127.0.0.1:8131', origin: 'http://127.0.0.1:8131' } as const;

export interface KernelCall {
  readonly method?: string;
  readonly target: string;
  readonly token?: string | undefined;
  /** Names and values in turn; `Host` is the kernel's own unless it stands here. */
  readonly headers?: readonly string[];
  /** Sent as it is where it is text or bytes, else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The listener that takes it; OWN unless said. */
  readonly own?: OwnAddress;
}

/** Calls a kernel as its listener does. */
export async function callKernel(kernel: Kernel, call: KernelCall): Promise<Response> {
  const { method = 'GET', own = OWN } = call;
  const given = call.headers ?? [];
  const names = new Set(given.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()));
  const body = bodyBytes(call.body);
  const rawHeaders = [
    ...(names.has('host') ? [] : ['Host', own.host]),
    ...(call.token === undefined ? [] : ['Authorization', `Bearer ${call.token}`]),
    ...(body === undefined || names.has('content-type') ? [] : ['Content-Type', 'application/json']),
    ...given,
  ];
  const closed = new AbortController();
  call.signal?.addEventListener('abort', () => closed.abort(), { once: true });
  const incoming: Incoming = {
    method,
    target: call.target,
    rawHeaders,
    own,
    version: '1.1',
    remoteAddress: '127.0.0.1',
    body: (async function* () {
      if (body) yield body;
    })(),
    closed: closed.signal,
  };
  return toResponse(await kernel.handle(incoming), method === 'HEAD', closed);
}

function bodyBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** What the caller would see; the connection closes when the answer has been read, left, or has no body to read. */
function toResponse({ status, headers, body }: Outgoing, isHead: boolean, closed: AbortController): Response {
  if (isHead || body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    closed.abort();
    return new Response(isHead || body === undefined ? null : (body as string | Uint8Array<ArrayBuffer>), { status, headers });
  }
  const iterator = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await iterator.next().catch((error: unknown) => {
          closed.abort();
          throw error;
        });
        if (!step.done) return controller.enqueue(Buffer.from(step.value));
        closed.abort();
        controller.close();
      },
      async cancel() {
        closed.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}

export interface KernelAgent extends AsyncDisposable {
  readonly services: Services;
  readonly database: Database;
  readonly home: string;
  readonly token: string;
  /** Rates follow it too. */
  readonly clock: TestClock;
  readonly logged: readonly unknown[][];
  call(call: KernelCall): Promise<Response>;
  /** A call with the runtime token whose answer is read as JSON. */
  json(method: string, target: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** The token of a new restricted key. */
  mint(scopes: string): Promise<{ readonly id: string; readonly token: string }>;
  /** Rows of every table by its name, for finding out whether a call changed anything. */
  rowCounts(): Readonly<Record<string, number>>;
}

export interface KernelAgentOptions {
  /** Left alone in the end when it is given. */
  readonly home?: string;
  /** Stands for the network. */
  readonly fetcher?: Fetcher;
  /** Stands for the browser. */
  readonly sessions?: BrowserSessions & BrowserRecordings;
  readonly clock?: TestClock;
  readonly monotonicMs?: () => number;
}

/** A network that never answers. */
export const silentFetcher: Fetcher = {
  fetch: async (_request, signal) =>
    await new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  close: async () => undefined,
};

/** Makes the services, on a home of their own unless one is given. Time stands still unless the test moves it. */
export async function startKernelAgent(options: KernelAgentOptions = {}): Promise<KernelAgent> {
  const home = prepareHome(options.home ?? mkdtempSync(join(tmpdir(), 'weft-kernel-')));
  const clock = options.clock ?? testClock();
  const monotonicMs = options.monotonicMs ?? (() => clock.now());
  const logged: unknown[][] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => void logged.push(line),
    close: async () => undefined,
  };
  const fetcher = options.fetcher ?? createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  const database = openDatabase({ path: home.file('weft.db'), backups: home.file('backups'), nowMs: clock.now() });
  const config = { ...readConfig({ SERVICE_HOME: home.path }), port: 0 };
  const browser = options.sessions ? { sessions: options.sessions } : {};
  const services = createServices(
    { ...browser, config, settings: readSettings(home.file('config.json')), clock, log, fetcher, views: testViews, monotonicMs },
    home,
    database,
  );
  services.publish({ baseUrl: OWN.origin, httpsUrl: undefined });
  services.executor.takeOver();
  services.executor.start();
  const token = (findPrivate(home.file('token')) ?? '').trim();
  const call = (one: KernelCall) => callKernel(services.kernel, one);
  const json = async (method: string, target: string, body?: unknown) => {
    const response = await call({ method, target, token, body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  return {
    services,
    database,
    home: home.path,
    token,
    clock,
    logged,
    call,
    json,
    async mint(scopes) {
      const { body } = await json('POST', '/v1/keys', { name: 'for a test', scopes });
      return body as { id: string; token: string };
    },
    rowCounts: () => rowCounts(database),
    async [Symbol.asyncDispose]() {
      await services.executor.stop(1000);
      services.streams.endAll();
      await services.close();
      await fetcher.close();
      if (database.fast.isOpen) database.close();
      if (options.home === undefined) rmSync(home.path, { recursive: true, force: true });
    },
  };
}

/** Those that the schema names; the full-text index keeps more of its own, which follow from them. */
export const OWN_TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`;

function rowCounts({ fast }: Database): Readonly<Record<string, number>> {
  const tables = fast.prepare(OWN_TABLES).all() as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => [name, (fast.prepare(`SELECT count(*) AS n FROM "${name}"`).get() as { n: number }).n]),
  );
}

export const RUNTIME: Actor = { id: 'runtime', family: 'wlt', scopes: ['read', 'run', 'admin'] };

/** The agent's policy for whomever `authenticate` knows; nobody has started a run. */
export function policyOf(authenticate: (token: string) => Actor | undefined): Policy {
  const rate = { per_minute: LIMITS.runtimeRatePerMinute, burst: LIMITS.runtimeRateBurst };
  return agentPolicy({
    identity: { authenticate },
    ownerOfRun: () => undefined,
    ownerOfBuild: () => undefined,
    rates: { key: rate, runtime: rate },
  });
}

/** Notes nothing: each call has its effect. */
export const NO_NOTES: IdempotencyStore = {
  printKey: new Uint8Array(32),
  find: () => undefined,
  once: async (_, work) => ({ isRepeated: false, effect: await work() }),
};

/** A kernel of one table row whose handler is `handler`; every token is the runtime's. For what no real handler does. */
export function kernelOf(
  operation: Operation,
  handler: AnyHandler,
  options: Partial<Pick<KernelOptions, 'streams' | 'now' | 'log' | 'heldBytesMax'>> = {},
): Kernel {
  return createKernel({
    surfaces: [{ table: { test: { row: operation } }, handlers: { test: { row: handler } } }],
    open: {},
    policy: policyOf(() => RUNTIME),
    idempotency: NO_NOTES,
    streams: createStreamRegistry(),
    now: () => 0,
    log: () => undefined,
    ...options,
  });
}

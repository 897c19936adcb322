// The kernel in front of the cloud's operations: its policy, its documents, and what it tells of each call.
import { performance } from 'node:perf_hooks';
import { ABOUT_CLOUD_GROUPS, ACCOUNT_TABLE, AppError, CLOUD_TABLE } from '@weft/contract';
import { createKernel, createRequestLog, createStreamRegistry, documentRoute, findHeader, jsonAnswer } from '@weft/serve';
import type { Incoming, Kernel, Log, RatePolicy } from '@weft/serve';
import { cloudPolicy } from './auth/policy.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import { GROUPS } from './generated/groups.ts';
import { handlersOf } from './group.ts';
import type { Nouns } from './group.ts';
import type { Tracer } from './observe/tracer.ts';

/** PostgreSQL, Appendix A. */
const FOREIGN_KEY_VIOLATION = '23503';

/** What only the program knows of its kernel. */
export interface CloudKernelOptions {
  readonly log: Log;
  /** Of each caller; what D9 says unless given. */
  readonly rate?: RatePolicy;
}

/** `ready` says what is in the way of calls; undefined where nothing is. */
export function createCloudKernel(nouns: Nouns, { log, rate }: CloudKernelOptions, ready: () => Promise<string | undefined>): Kernel {
  const { config, database, secrets, accountKeys, consumerKeys, sharedRate, metrics, tracer } = nouns;
  const { keyless, ...metered } = CLOUD_TABLE;
  const table = config.isKeyless ? { ...metered, keyless } : metered;
  const document = { version: config.version, address: nouns.baseUrl, groups: ABOUT_CLOUD_GROUPS };
  const monotonicMs = () => performance.now();
  const write = createRequestLog(log, monotonicMs);
  const kernel = createKernel({
    policy: cloudPolicy({ account: accountKeys, consumer: consumerKeys }, { publicUrls: config.listening.publicUrls, rate }),
    surfaces: [
      { table, handlers: handlersOf(nouns, GROUPS, 'specified') },
      { table: ACCOUNT_TABLE, handlers: handlersOf(nouns, GROUPS, 'account') },
    ],
    open: {
      '/livez': { methods: ['GET'], answer: () => jsonAnswer(200, { status: 'ok' }) },
      '/readyz': {
        methods: ['GET'],
        async answer() {
          const hindrance = await ready();
          return jsonAnswer(hindrance === undefined ? 200 : 503, { status: hindrance ?? 'ok' });
        },
      },
      '/openapi.json': documentRoute(table, {
        ...document,
        title: 'Weft cloud',
        description: 'The operations of the interface specification that this cloud serves.',
      }),
      '/openapi-extra.json': documentRoute(ACCOUNT_TABLE, {
        ...document,
        title: 'Weft cloud: accounts',
        description: 'Operations under /api/account/.',
      }),
    },
    limiter: sharedRate,
    idempotency: createIdempotencyStore(database, secrets.idempotency),
    enter: ({ account }, work) => database.as(account, work),
    explain: explainDeleted,
    streams: createStreamRegistry(),
    now: monotonicMs,
    log(entry) {
      write(entry);
      metrics.answered(entry);
      const span = tracer.current();
      span?.rename(entry.operation ?? entry.method);
      span?.set({ 'http.response.status_code': entry.status, 'weft.request_id': entry.requestId, 'weft.actor': entry.actorId });
    },
  });
  return { handle: (request) => traced(kernel, request, tracer) };
}

/** A call as a span, in the trace of whoever calls. */
function traced(kernel: Kernel, request: Incoming, tracer: Tracer) {
  if (request.target === '/livez' || request.target === '/readyz') return kernel.handle(request);
  const attributes = { 'http.request.method': request.method };
  return tracer.trace(request.method, { kind: 'server', parent: findHeader(request, 'traceparent'), attributes }, () =>
    kernel.handle(request),
  );
}

/** A call that was under way while its account was deleted. */
function explainDeleted(error: unknown): AppError | undefined {
  const { code, constraint } = (error ?? {}) as { readonly code?: unknown; readonly constraint?: unknown };
  const isOrphan = code === FOREIGN_KEY_VIOLATION && String(constraint).endsWith('_account_id_fkey');
  return isOrphan ? new AppError('unauthorized', 'The account of this key was deleted.') : undefined;
}

// The kernel in front of the cloud's operations: its policy, its documents, and what it tells of each call.
import { performance } from 'node:perf_hooks';
import { ABOUT_CLOUD_GROUPS, ACCOUNT_TABLE, CLOUD_TABLE } from '@weft/contract';
import { createKernel, createRequestLog, createStreamRegistry, documentRoute, findHeader, jsonAnswer } from '@weft/serve';
import type { Incoming, Kernel, Log } from '@weft/serve';
import { cloudPolicy } from './auth/policy.ts';
import { createIdempotencyStore } from './db/idempotency.ts';
import { GROUPS } from './generated/groups.ts';
import { handlersOf } from './group.ts';
import type { Nouns } from './group.ts';
import type { Tracer } from './observe/tracer.ts';

/** `ready` says what is in the way of calls; undefined where nothing is. */
export function createCloudKernel(nouns: Nouns, log: Log, ready: () => Promise<string | undefined>): Kernel {
  const { config, database, secrets, accountKeys, sharedRate, metrics, tracer } = nouns;
  const { keyless, ...metered } = CLOUD_TABLE;
  const table = config.isKeyless ? { ...metered, keyless } : metered;
  const document = { version: config.version, address: nouns.baseUrl, groups: ABOUT_CLOUD_GROUPS };
  const monotonicMs = () => performance.now();
  const write = createRequestLog(log, monotonicMs);
  const kernel = createKernel({
    policy: cloudPolicy(accountKeys, config.listening.publicUrls),
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

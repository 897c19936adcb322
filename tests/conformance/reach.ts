// How to bring each operation to each status that it declares. A row of the operation table without an entry here fails the test.
import type { Crawl, CrawlDefinition, FileDescriptor, Key } from '@weft/contract';
import { LIMITS } from '@weft/contract';
import type { Fetcher, Page } from '@weft/engine';
import type { KernelAgent, KernelCall } from './kernel.ts';

/** One way to a status, prepared on a fresh agent, and what the call must do to the rows of the database. */
export interface Way {
  prepare(agent: KernelAgent): Promise<KernelCall> | KernelCall;
  /** Table -> rows more or fewer; left out, not one byte of any row may change. */
  readonly rows?: Readonly<Record<string, number>>;
}

export interface Reach {
  /** A well-formed call; the statuses that every operation shares are reached from it. */
  readonly base: KernelCall;
  /** Statuses that need more than the base call. */
  readonly ways: Readonly<Record<number, Way>>;
}

/** A page that is never answered: its run stays live until it is cancelled. */
export const STUCK_URL = 'http://site.test/stuck';
export const PAGE_URL = 'http://site.test/page';

const get = (target: string): KernelCall => ({ target });
const post = (target: string, body?: unknown): KernelCall => ({ method: 'POST', target, ...(body === undefined ? {} : { body }) });
const patch = (target: string, body: unknown): KernelCall => ({ method: 'PATCH', target, body });
const plain = (call: KernelCall, rows?: Way['rows']): Way => ({ prepare: () => call, ...(rows ? { rows } : {}) });
const withRun = (call: (id: number) => KernelCall, url: string, rows?: Way['rows']): Way => ({
  prepare: async (agent) => call(await startCrawl(agent, url)),
  ...(rows ? { rows } : {}),
});

const NEW_CRAWL = { run: 1, crawl: 1, dataset: 1 };
const SAVED_CRAWL = { slug: 'shelf', url: PAGE_URL, limit: 1 };
const FROM_DATA = { dataset_id: 1, format: 'csv' };
const UPLOAD: KernelCall = {
  method: 'POST',
  target: '/v1/files',
  headers: ['Content-Type', 'multipart/form-data; boundary=edge'],
  body: '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--edge--\r\n',
};
const MINT = { name: 'reader', scopes: 'read' };
/** Cancelling writes one event, `finished`, and no other row. */
const CANCELLED = { run_event: 1 };

export const REACH: Readonly<Record<string, Reach>> = {
  'agent.status': { base: get('/v1/agent'), ways: { 200: plain(get('/v1/agent')) } },
  'agent.health': { base: get('/v1/health'), ways: { 200: plain(get('/v1/health')) } },

  'runs.list': { base: get('/v1/runs'), ways: { 200: withRun(() => get('/v1/runs?kind=crawl&limit=1'), PAGE_URL) } },
  'runs.read': {
    base: get('/v1/runs/1'),
    ways: { 200: withRun((id) => get(`/v1/runs/${id}`), PAGE_URL), 404: plain(get('/v1/runs/999')) },
  },
  'runs.events': {
    base: get('/v1/runs/1/events'),
    ways: {
      200: withRun((id) => get(`/v1/runs/${id}/events`), PAGE_URL),
      204: withRun((id) => ({ ...get(`/v1/runs/${id}/events`), headers: ['Last-Event-ID', '99'] }), PAGE_URL),
      404: plain(get('/v1/runs/999/events')),
    },
  },
  'runs.cancel': {
    base: post('/v1/runs/1/cancel'),
    ways: {
      200: withRun((id) => post(`/v1/runs/${id}/cancel`), STUCK_URL, CANCELLED),
      404: plain(post('/v1/runs/999/cancel')),
      409: withRun((id) => post(`/v1/runs/${id}/cancel`), PAGE_URL),
    },
  },

  'crawl.list': { base: get('/v1/crawl'), ways: { 200: withRun(() => get('/v1/crawl?status=succeeded'), PAGE_URL) } },
  'crawl.start': {
    base: post('/v1/crawl', { url: PAGE_URL }),
    ways: {
      200: plain(post('/v1/crawl', { url: PAGE_URL, limit: 1, wait: true }), { ...NEW_CRAWL, crawl_url: 1, record: 1, run_event: 4 }),
      202: plain(post('/v1/crawl', { url: STUCK_URL, limit: 1 }), { ...NEW_CRAWL, crawl_url: 1, run_event: 1 }),
      409: { prepare: fillQueue },
    },
  },
  'crawl.read': {
    base: get('/v1/crawl/1'),
    ways: { 200: withRun((id) => get(`/v1/crawl/${id}`), PAGE_URL), 404: plain(get('/v1/crawl/999')) },
  },
  'crawl.cancel': {
    base: post('/v1/crawl/1/cancel'),
    ways: {
      200: withRun((id) => post(`/v1/crawl/${id}/cancel`), STUCK_URL, CANCELLED),
      404: plain(post('/v1/crawl/999/cancel')),
      409: withRun((id) => post(`/v1/crawl/${id}/cancel`), PAGE_URL),
    },
  },

  'crawlDefinitions.list': {
    base: get('/v1/crawl/definitions'),
    ways: { 200: withSavedCrawl(() => get('/v1/crawl/definitions?limit=1')) },
  },
  'crawlDefinitions.create': {
    base: post('/v1/crawl/definitions', SAVED_CRAWL),
    ways: {
      201: plain(post('/v1/crawl/definitions', SAVED_CRAWL), { crawl_definition: 1, dataset: 1 }),
      409: withSavedCrawl(() => post('/v1/crawl/definitions', SAVED_CRAWL)),
    },
  },
  'crawlDefinitions.read': {
    base: get('/v1/crawl/definitions/shelf'),
    ways: { 200: withSavedCrawl((id) => get(`/v1/crawl/definitions/${id}`)), 404: plain(get('/v1/crawl/definitions/none')) },
  },
  'crawlDefinitions.update': {
    base: patch('/v1/crawl/definitions/shelf', { limit: 2 }),
    ways: {
      200: withSavedCrawl(() => patch('/v1/crawl/definitions/shelf', { name: 'Two shelves', limit: null }), {}),
      404: plain(patch('/v1/crawl/definitions/none', { limit: 2 })),
      409: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL);
          await agent.json('POST', '/v1/crawl/definitions', { ...SAVED_CRAWL, slug: 'other' });
          return patch('/v1/crawl/definitions/other', { slug: 'shelf' });
        },
      },
    },
  },
  'crawlDefinitions.delete': {
    base: { method: 'DELETE', target: '/v1/crawl/definitions/shelf' },
    ways: {
      204: withSavedCrawl(() => ({ method: 'DELETE', target: '/v1/crawl/definitions/shelf' }), { crawl_definition: -1 }),
      404: plain({ method: 'DELETE', target: '/v1/crawl/definitions/none' }),
    },
  },
  'crawlDefinitions.run': {
    base: post('/v1/crawl/definitions/shelf/run', {}),
    ways: {
      200: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL);
          await agent.json('POST', '/v1/crawl/definitions/shelf/run', { wait: true });
          return post('/v1/crawl/definitions/shelf/run', { max_age: 60 });
        },
      },
      202: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', { ...SAVED_CRAWL, url: STUCK_URL });
          return post('/v1/crawl/definitions/shelf/run', { max_age: 0 });
        },
        rows: { run: 1, crawl: 1, crawl_url: 1, run_event: 1 },
      },
      404: plain(post('/v1/crawl/definitions/none/run', {})),
      409: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL);
          await fillQueue(agent);
          return post('/v1/crawl/definitions/shelf/run', {});
        },
      },
    },
  },
  'crawlDefinitions.data': {
    base: get('/v1/crawl/definitions/shelf/data'),
    ways: {
      200: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL);
          await agent.json('POST', '/v1/crawl/definitions/shelf/run', { wait: true });
          return get('/v1/crawl/definitions/shelf/data?limit=1');
        },
      },
      404: plain(get('/v1/crawl/definitions/none/data')),
    },
  },
  'crawl.ledger': {
    base: get('/x/crawl/1/ledger'),
    ways: { 200: withRun((id) => get(`/x/crawl/${id}/ledger?outcome=fetched`), PAGE_URL), 404: plain(get('/x/crawl/999/ledger')) },
  },
  'crawl.reasons': {
    base: get('/x/crawl/1/reasons'),
    ways: { 200: withRun((id) => get(`/x/crawl/${id}/reasons`), PAGE_URL), 404: plain(get('/x/crawl/999/reasons')) },
  },
  'crawl.explain': {
    base: post('/x/crawl/explain', { options: { url: PAGE_URL }, urls: [PAGE_URL] }),
    ways: { 200: plain(post('/x/crawl/explain', { options: { url: PAGE_URL, exclude_paths: ['/page'] }, urls: [PAGE_URL] })) },
  },

  'keys.list': { base: get('/v1/keys'), ways: { 200: withKey(() => get('/v1/keys?limit=500')) } },
  'keys.create': {
    base: post('/v1/keys', MINT),
    ways: { 201: plain(post('/v1/keys', MINT), { api_key: 1 }), 409: { prepare: spendIdempotencyKey } },
  },
  'keys.read': {
    base: get('/v1/keys/key_1'),
    ways: { 200: withKey(({ id }) => get(`/v1/keys/${id}`)), 404: plain(get('/v1/keys/key_none')) },
  },
  'keys.delete': {
    base: { method: 'DELETE', target: '/v1/keys/key_1' },
    ways: {
      204: withKey(({ id }) => ({ method: 'DELETE', target: `/v1/keys/${id}` }), { api_key: -1 }),
      404: plain({ method: 'DELETE', target: '/v1/keys/key_none' }),
    },
  },

  'datasets.list': { base: get('/v1/datasets'), ways: { 200: withRun(() => get('/v1/datasets?kind=pages'), PAGE_URL) } },
  'datasets.searchAll': {
    base: get('/v1/datasets/search?q=books&limit=1'),
    ways: { 400: plain(get('/v1/datasets/search?q=***')), 200: withRun(() => get('/v1/datasets/search?q=books&limit=1'), PAGE_URL) },
  },
  'datasets.read': {
    base: get('/v1/datasets/1'),
    ways: { 200: withRun(() => get('/v1/datasets/1'), PAGE_URL), 404: plain(get('/v1/datasets/999')) },
  },
  'datasets.records': {
    base: get('/v1/datasets/1/records'),
    ways: { 200: withRun(() => get('/v1/datasets/1/records?limit=1'), PAGE_URL), 404: plain(get('/v1/datasets/999/records')) },
  },
  'datasets.export': {
    base: get('/v1/datasets/1/export'),
    ways: { 200: withRun(() => get('/v1/datasets/1/export'), PAGE_URL), 404: plain(get('/v1/datasets/999/export')) },
  },
  'datasets.search': {
    base: get('/v1/datasets/1/search?q=books'),
    ways: {
      200: withRun(() => get('/v1/datasets/1/search?q=books'), PAGE_URL),
      400: withRun(() => get('/v1/datasets/1/search?q=***'), PAGE_URL),
      404: plain(get('/v1/datasets/999/search?q=books')),
    },
  },

  'files.list': { base: get('/v1/files'), ways: { 200: withFile(() => get('/v1/files?limit=1')) } },
  'files.upload': { base: UPLOAD, ways: { 201: plain(UPLOAD, { file: 1, blob: 1 }), 409: { prepare: spendUploadKey } } },
  'files.fromData': {
    base: post('/v1/files/from-data', FROM_DATA),
    ways: {
      201: withRun(() => post('/v1/files/from-data', FROM_DATA), PAGE_URL, { file: 1, blob: 1 }),
      404: plain(post('/v1/files/from-data', { workflow_id: 999, format: 'csv' })),
      409: { prepare: spendExportKey },
    },
  },
  'files.read': {
    base: get('/v1/files/file_1'),
    ways: { 200: withFile((id) => get(`/v1/files/${id}`)), 404: plain(get('/v1/files/file_none')) },
  },
  'files.delete': {
    base: { method: 'DELETE', target: '/v1/files/file_1' },
    ways: {
      204: withFile((id) => ({ method: 'DELETE', target: `/v1/files/${id}` }), { file: -1, blob: -1 }),
      404: plain({ method: 'DELETE', target: '/v1/files/file_none' }),
    },
  },
  'files.content': {
    base: get('/v1/files/file_1/content'),
    ways: {
      200: withFile((id) => get(`/v1/files/${id}/content`)),
      206: withFile((id) => ({ ...get(`/v1/files/${id}/content`), headers: ['Range', 'bytes=0-0'] })),
      404: plain(get('/v1/files/file_none/content')),
      416: withFile((id) => ({ ...get(`/v1/files/${id}/content`), headers: ['Range', 'bytes=99-'] })),
    },
  },

  'wsTicket.create': { base: post('/v1/ws-ticket'), ways: { 201: plain(post('/v1/ws-ticket')) } },
  'map.run': { base: post('/x/map', { url: PAGE_URL }), ways: { 200: plain(post('/x/map', { url: PAGE_URL, search: 'shelf' })) } },
  'extract.run': {
    base: post('/x/extract', { url: PAGE_URL, css: 'h1' }),
    ways: { 200: plain(post('/x/extract', { url: PAGE_URL, css: 'h1' })) },
  },
  'files.verify': { base: post('/x/files/verify'), ways: { 200: plain(post('/x/files/verify')) } },
  'token.rotate': { base: post('/x/token/rotate'), ways: { 200: plain(post('/x/token/rotate')) } },
};

/** The id of a new crawl; one of a page that answers is settled. */
async function startCrawl(agent: KernelAgent, url: string): Promise<number> {
  const { body } = await agent.json('POST', '/v1/crawl', { url, limit: 1, wait: url !== STUCK_URL });
  return (body as Crawl).id;
}

function withSavedCrawl(call: (id: number) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => call(((await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL)).body as CrawlDefinition).id),
    ...(rows ? { rows } : {}),
  };
}

function withKey(call: (key: Key) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => call((await agent.json('POST', '/v1/keys', MINT)).body as Key),
    ...(rows ? { rows } : {}),
  };
}

function withFile(call: (id: string) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      const response = await agent.call({ ...UPLOAD, token: agent.token });
      return call(((await response.json()) as FileDescriptor).id);
    },
    ...(rows ? { rows } : {}),
  };
}

/** Occupies every place in which a run executes, then writes as many waiting rows as may wait. */
async function fillQueue(agent: KernelAgent): Promise<KernelCall> {
  const id = await startCrawl(agent, STUCK_URL);
  agent.database.fast
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO run (kind, status, source_kind, source_name, owner_id, created_at)
       SELECT kind, 'queued', source_kind, source_name, owner_id, created_at FROM run, n WHERE id = ?`,
    )
    .run(LIMITS.queuedRunsMax, id);
  return post('/v1/crawl', { url: PAGE_URL });
}

async function spendIdempotencyKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...post('/v1/keys', MINT), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return call;
}

async function spendUploadKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...UPLOAD, headers: [...(UPLOAD.headers ?? []), 'Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return call;
}

/** The same key with another body. */
async function spendExportKey(agent: KernelAgent): Promise<KernelCall> {
  await startCrawl(agent, PAGE_URL);
  const call = { ...post('/v1/files/from-data', FROM_DATA), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return { ...call, body: { ...FROM_DATA, format: 'json' } };
}

/** The network of these tests: one address answers a page, the other nothing until its run ends. */
export function twoPages(): Fetcher {
  return {
    fetch: async ({ url }, signal) => {
      if (url !== STUCK_URL) return page(url);
      return await new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
    close: async () => undefined,
  };
}

function page(url: string): Page {
  return {
    requestedUrl: url,
    url,
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    body: new TextEncoder().encode('<title>Shelf</title><main><h1>Shelf</h1><p>Three books stand on it.</p></main>'),
    contentType: 'text/html; charset=utf-8',
    lane: 'http',
    laneReason: 'static',
    redirects: [],
    timings: { totalMs: 1 },
    fetchedAtMs: Date.parse('2026-01-01T00:00:00Z'),
    optionsIgnored: [],
    fromCache: false,
  };
}

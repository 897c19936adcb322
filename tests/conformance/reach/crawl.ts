// How to bring each operation of crawl to each status that it declares.
import type { CrawlDefinition, Persona } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { CANCELLED, PAGE_URL, STUCK_URL, fillQueue, get, lockVault, patch, plain, post, withRun } from '../ways.ts';

const NEW_CRAWL = { run: 1, crawl: 1, dataset: 1 };
const SAVED_CRAWL = { slug: 'shelf', url: PAGE_URL, limit: 1 };

export const reach: Readonly<Record<string, Reach>> = {
  'crawl.list': { base: get('/v1/crawl'), ways: { 200: withRun(() => get('/v1/crawl?status=succeeded'), PAGE_URL) } },
  'crawl.start': {
    base: post('/v1/crawl', { url: PAGE_URL }),
    ways: {
      200: plain(post('/v1/crawl', { url: PAGE_URL, limit: 1, wait: true }), { ...NEW_CRAWL, crawl_url: 1, record: 1, run_event: 4 }),
      202: plain(post('/v1/crawl', { url: STUCK_URL, limit: 1 }), { ...NEW_CRAWL, crawl_url: 1, run_event: 1 }),
      409: { prepare: fillQueue },
      423: { prepare: async (agent) => post('/v1/crawl', await asLockedPersona(agent)) },
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
  'crawl.ledger': {
    base: get('/x/crawl/1/ledger'),
    ways: { 200: withRun((id) => get(`/x/crawl/${id}/ledger?outcome=fetched`), PAGE_URL), 404: plain(get('/x/crawl/999/ledger')) },
  },
  'crawl.reasons': {
    base: get('/x/crawl/1/reasons'),
    ways: { 200: withRun((id) => get(`/x/crawl/${id}/reasons`), PAGE_URL), 404: plain(get('/x/crawl/999/reasons')) },
  },
  'crawl.delete': {
    base: { method: 'DELETE', target: '/x/crawl/1' },
    ways: {
      204: withRun((id) => ({ method: 'DELETE', target: `/x/crawl/${id}` }), PAGE_URL, {
        run: -1,
        crawl: -1,
        crawl_url: -1,
        record: -1,
        run_event: -4,
      }),
      404: plain({ method: 'DELETE', target: '/x/crawl/999' }),
      409: withRun((id) => ({ method: 'DELETE', target: `/x/crawl/${id}` }), STUCK_URL),
    },
  },
  'crawl.explain': {
    base: post('/x/crawl/explain', { options: { url: PAGE_URL }, urls: [PAGE_URL] }),
    ways: { 200: plain(post('/x/crawl/explain', { options: { url: PAGE_URL, exclude_paths: ['/page'] }, urls: [PAGE_URL] })) },
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
      423: {
        prepare: async (agent) => {
          await agent.json('POST', '/v1/crawl/definitions', { slug: 'shelf', ...(await asLockedPersona(agent)) });
          return post('/v1/crawl/definitions/shelf/run', {});
        },
      },
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
};

function withSavedCrawl(call: (id: number) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => call(((await agent.json('POST', '/v1/crawl/definitions', SAVED_CRAWL)).body as CrawlDefinition).id),
    ...(rows ? { rows } : {}),
  };
}

/** The options of a crawl as a persona, whose vault is locked. */
async function asLockedPersona(agent: KernelAgent): Promise<object> {
  const { body } = await agent.json('POST', '/v1/personas', { name: 'Grace' });
  await lockVault(agent);
  return { url: PAGE_URL, limit: 1, persona_id: (body as Persona).id };
}

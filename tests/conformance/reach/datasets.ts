// How to bring each operation of datasets to each status that it declares.
import type { Reach } from '../ways.ts';
import { PAGE_URL, STUCK_URL, get, patch, plain, startCrawl, withRun } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
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
  'datasets.rename': {
    base: patch('/x/datasets/1', { name: 'Books' }),
    ways: {
      200: withRun(() => patch('/x/datasets/1', { name: 'Books' }), PAGE_URL, {}),
      404: plain(patch('/x/datasets/999', { name: 'Books' })),
    },
  },
  'datasets.delete': {
    base: { method: 'DELETE', target: '/x/datasets/1' },
    ways: {
      204: withRun(() => ({ method: 'DELETE', target: '/x/datasets/1' }), PAGE_URL, { dataset: -1, record: -1 }),
      404: plain({ method: 'DELETE', target: '/x/datasets/999' }),
      409: withRun(() => ({ method: 'DELETE', target: '/x/datasets/1' }), STUCK_URL),
    },
  },
  'datasets.record': {
    base: get('/x/datasets/1/records/1'),
    ways: { 200: withRun(() => get('/x/datasets/1/records/1'), PAGE_URL), 404: plain(get('/x/datasets/999/records/1')) },
  },
  'datasets.diff': {
    base: get('/x/datasets/1/diff'),
    ways: {
      200: {
        prepare: async (agent) => {
          await startCrawl(agent, PAGE_URL);
          await startCrawl(agent, PAGE_URL);
          return get('/x/datasets/1/diff?limit=1');
        },
      },
      404: plain(get('/x/datasets/999/diff')),
    },
  },
  'datasets.search': {
    base: get('/v1/datasets/1/search?q=books'),
    ways: {
      200: withRun(() => get('/v1/datasets/1/search?q=books'), PAGE_URL),
      400: withRun(() => get('/v1/datasets/1/search?q=***'), PAGE_URL),
      404: plain(get('/v1/datasets/999/search?q=books')),
    },
  },
};

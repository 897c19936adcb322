// How to bring each operation of datasets to each status that it declares.
import type { Reach } from '../ways.ts';
import { PAGE_URL, get, plain, withRun } from '../ways.ts';

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
  'datasets.search': {
    base: get('/v1/datasets/1/search?q=books'),
    ways: {
      200: withRun(() => get('/v1/datasets/1/search?q=books'), PAGE_URL),
      400: withRun(() => get('/v1/datasets/1/search?q=***'), PAGE_URL),
      404: plain(get('/v1/datasets/999/search?q=books')),
    },
  },
};

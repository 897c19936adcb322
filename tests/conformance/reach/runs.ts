// How to bring each operation of runs to each status that it declares.
import type { Reach } from '../ways.ts';
import { CANCELLED, PAGE_URL, STUCK_URL, get, plain, post, withRun } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
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
};

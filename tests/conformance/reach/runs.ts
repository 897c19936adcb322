// How to bring each operation of runs to each status that it declares.
import { setImmediate } from 'node:timers/promises';
import type { Run, Workflow } from '@weft/contract';
import type { KernelAgent } from '../kernel.ts';
import type { Reach } from '../ways.ts';
import { CANCELLED, PAGE_URL, STUCK_URL, get, plain, post, withRun } from '../ways.ts';

export const reach: Readonly<Record<string, Reach>> = {
  'runs.list': { base: get('/v1/runs'), ways: { 200: withRun(() => get('/v1/runs?kind=crawl&limit=1'), PAGE_URL) } },
  'runs.read': {
    base: get('/v1/runs/1'),
    ways: { 200: withRun((id) => get(`/v1/runs/${id}`), PAGE_URL), 404: plain(get('/v1/runs/999')) },
  },
  'runs.results': {
    base: get('/v1/runs/1/results'),
    ways: { 200: withRun((id) => get(`/v1/runs/${id}/results`), PAGE_URL), 404: plain(get('/v1/runs/999/results')) },
  },
  'runs.data': {
    base: get('/v1/runs/1/data'),
    ways: { 200: withRun((id) => get(`/v1/runs/${id}/data?limit=1`), PAGE_URL), 404: plain(get('/v1/runs/999/data')) },
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
  'runs.question': {
    base: get('/x/runs/1/question'),
    ways: { 200: withRun((id) => get(`/x/runs/${id}/question`), PAGE_URL), 404: plain(get('/x/runs/999/question')) },
  },
  'runs.answer': {
    base: post('/x/runs/1/answer'),
    ways: {
      200: {
        prepare: async (agent) => {
          const { body } = await agent.json('POST', '/v1/workflows', {
            name: 'Asks',
            steps: [{ id: 'ask', type: 'pause', reason: 'approval', instructions: 'Say yes.' }],
          });
          const run = (await agent.json('POST', `/v1/workflows/${(body as Workflow).id}/run`)).body as Run;
          await untilItWaits(agent, run.id);
          return post(`/x/runs/${run.id}/answer`, { text: 'yes' });
        },
        rows: { run_event: 1 },
      },
      404: plain(post('/x/runs/999/answer')),
      409: withRun((id) => post(`/x/runs/${id}/answer`), PAGE_URL),
    },
  },
  'runs.screen': {
    base: post('/x/runs/1/screen'),
    ways: {
      201: {
        prepare: async (agent) => {
          const { body } = await agent.json('POST', '/v1/workflows', {
            name: 'Looks',
            lane: 'browser',
            steps: [
              { id: 'open', type: 'navigate', url: PAGE_URL },
              { id: 'ask', type: 'pause', reason: 'captcha', instructions: 'Say that you are a person.' },
            ],
          });
          const run = (await agent.json('POST', `/v1/workflows/${(body as Workflow).id}/run`)).body as Run;
          await untilItWaits(agent, run.id);
          return post(`/x/runs/${run.id}/screen`);
        },
      },
      404: plain(post('/x/runs/999/screen')),
      409: withRun((id) => post(`/x/runs/${id}/screen`), PAGE_URL),
    },
  },
};

/** Looks at its row: what is asked for so often by HTTP is refused. */
async function untilItWaits({ database }: KernelAgent, runId: number): Promise<void> {
  const look = database.fast.prepare('SELECT status FROM run WHERE id = ?');
  while (['queued', 'running'].includes((look.get(runId) as Pick<Run, 'status'>).status)) await setImmediate();
}

// How to bring each operation of extractors to each status that it declares.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { CAPTCHA_URL, PAGE_URL, get, patch, plain, post } from '../ways.ts';
import { makeLocked, makeSelector } from './selectors.ts';

const remove = (target: string): KernelCall => ({ method: 'DELETE', target });

export const reach: Readonly<Record<string, Reach>> = {
  'extractors.list': {
    base: get('/v1/selectors/1/extractors'),
    ways: { 200: withExtractor(() => get('/v1/selectors/1/extractors?limit=1')), 404: plain(get('/v1/selectors/999/extractors')) },
  },
  'extractors.create': {
    base: post('/v1/extractors', { selector_id: 1, type: 'number' }),
    ways: {
      201: withExtractor(() => post('/v1/extractors', { selector_id: 1, type: 'number' }), { monitor_extractor: 1 }),
      404: plain(post('/v1/extractors', { selector_id: 999, type: 'number' })),
    },
  },
  'extractors.read': {
    base: get('/v1/extractors/1'),
    ways: { 200: withExtractor(() => get('/v1/extractors/1')), 404: plain(get('/v1/extractors/999')) },
  },
  'extractors.update': {
    base: patch('/v1/extractors/1', { name: 'title' }),
    ways: {
      200: withExtractor(() => patch('/v1/extractors/1', { name: 'title' }), {}),
      404: plain(patch('/v1/extractors/999', { name: 'title' })),
    },
  },
  'extractors.delete': {
    base: remove('/v1/extractors/1'),
    ways: { 204: withExtractor(() => remove('/v1/extractors/1'), { monitor_extractor: -1 }), 404: plain(remove('/v1/extractors/999')) },
  },
  'extractors.toggle': {
    base: toggle(1),
    ways: { 200: withExtractor(() => toggle(1), {}), 404: plain(toggle(999)) },
  },
  'extractors.test': {
    base: post('/v1/extractors/1/test'),
    ways: {
      200: withExtractor(() => post('/v1/extractors/1/test')),
      402: withExtractor(() => post('/v1/extractors/1/test'), undefined, CAPTCHA_URL),
      404: plain(post('/v1/extractors/999/test')),
      423: {
        prepare: async (agent) => {
          await makeLocked(agent);
          return post('/v1/extractors/1/test');
        },
      },
    },
  },
};

function toggle(id: number): KernelCall {
  return { method: 'PATCH', target: `/v1/extractors/${id}/toggle` };
}

/** On a fresh agent the first selector has the first extractor. */
function withExtractor(call: (agent: KernelAgent) => KernelCall, rows?: Way['rows'], url = PAGE_URL): Way {
  return {
    prepare: async (agent) => {
      await makeSelector(agent, url);
      return call(agent);
    },
    ...(rows ? { rows } : {}),
  };
}

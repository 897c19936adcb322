// How to bring each operation of recordings to each status that it declares.
import type { Recording } from '@weft/contract';
import type { KernelAgent } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { PAGE_URL, get, plain, post } from '../ways.ts';

const begin = { url: PAGE_URL };
/** A recording in which a person can act. */
const open = (call: (id: number) => ReturnType<typeof get>, rows?: Way['rows']): Way => ({
  prepare: async (agent) => call(await openRecording(agent)),
  ...(rows ? { rows } : {}),
});
/** One that is over. */
const ended: (call: (id: number) => ReturnType<typeof get>) => Way = (call) => ({
  prepare: async (agent) => {
    const id = await openRecording(agent);
    await agent.json('POST', `/x/recordings/${id}/finish`);
    return call(id);
  },
});

export const reach: Readonly<Record<string, Reach>> = {
  'recordings.create': {
    base: post('/x/recordings', begin),
    ways: {
      201: plain(post('/x/recordings', begin)),
      404: plain(post('/x/recordings', { ...begin, persona_id: 999 })),
      409: {
        prepare: async (agent) => {
          await openRecording(agent);
          await openRecording(agent, {}, 'beside');
          return post('/x/recordings', begin);
        },
      },
    },
  },
  'recordings.read': {
    base: get('/x/recordings/1'),
    ways: { 200: open((id) => get(`/x/recordings/${id}`)), 404: plain(get('/x/recordings/999')) },
  },
  'recordings.screen': {
    base: post('/x/recordings/1/screen'),
    ways: {
      201: open((id) => post(`/x/recordings/${id}/screen`)),
      404: plain(post('/x/recordings/999/screen')),
      409: ended((id) => post(`/x/recordings/${id}/screen`)),
    },
  },
  'recordings.finish': {
    base: post('/x/recordings/1/finish'),
    ways: {
      200: open((id) => post(`/x/recordings/${id}/finish`), { workflow: 1, workflow_revision: 1, dataset: 1 }),
      404: plain(post('/x/recordings/999/finish')),
      409: {
        prepare: async (agent) => post(`/x/recordings/${await openRecording(agent, { window: true })}/finish`),
      },
    },
  },
  'recordings.discard': {
    base: { method: 'DELETE', target: '/x/recordings/1' },
    ways: {
      204: open((id) => ({ method: 'DELETE', target: `/x/recordings/${id}` })),
      404: plain({ method: 'DELETE', target: '/x/recordings/999' }),
    },
  },
};

/** Of each agent; as many may be open as two. */
const opened = new WeakMap<KernelAgent, number[]>();

async function openRecording(agent: KernelAgent, more: { window?: boolean } = {}, place: 'alone' | 'beside' = 'alone'): Promise<number> {
  const earlier = opened.get(agent) ?? [];
  if (place === 'alone') for (const id of earlier.splice(0)) await agent.json('DELETE', `/x/recordings/${id}`);
  const { body } = await agent.json('POST', '/x/recordings', { ...begin, ...more });
  const { id } = body as Recording;
  opened.set(agent, [...earlier, id]);
  for (;;) {
    const { body: now } = await agent.json('GET', `/x/recordings/${id}`);
    if ((now as Recording).status !== 'opening') return id;
  }
}

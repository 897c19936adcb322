// How to bring each operation of automations to each status that it declares.
import type { Automation } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { STUCK_URL, fillQueue, get, patch, plain, post } from '../ways.ts';
import { makeMonitor } from './monitors.ts';

const SLEEPER = { name: 'Sleeper', triggers: [{ type: 'call' }], actions: [{ type: 'notify', body: 'It was called.' }] };
/** Its trigger is a listener. */
const MADE = { automation: 1, automation_listener: 1 };
const DISPATCHED = { run: 1, automation_run: 1 };
const remove = (target: string): KernelCall => ({ method: 'DELETE', target });

export const reach: Readonly<Record<string, Reach>> = {
  'automations.list': {
    base: get('/v1/automations'),
    ways: { 200: withAutomation(() => get('/v1/automations?q=sleep&limit=1&enabled=true')) },
  },
  'automations.create': {
    base: post('/v1/automations', SLEEPER),
    ways: {
      201: plain(post('/v1/automations', SLEEPER), MADE),
      404: plain(post('/v1/automations', { ...SLEEPER, actions: [{ type: 'check', monitor_id: 999 }] })),
    },
  },
  'automations.read': {
    base: get('/v1/automations/1'),
    ways: { 200: withAutomation((id) => get(`/v1/automations/${id}`)), 404: plain(get('/v1/automations/999')) },
  },
  'automations.update': {
    base: patch('/v1/automations/1', { name: 'Waker' }),
    ways: {
      200: withAutomation((id) => patch(`/v1/automations/${id}`, { name: 'Waker' }), {}),
      404: plain(patch('/v1/automations/999', { name: 'Waker' })),
    },
  },
  'automations.delete': {
    base: remove('/v1/automations/1'),
    ways: {
      204: withAutomation((id) => remove(`/v1/automations/${id}`), { automation: -1, automation_listener: -1 }),
      404: plain(remove('/v1/automations/999')),
    },
  },
  'automations.enable': {
    base: post('/v1/automations/1/enable', { enabled: false }),
    ways: {
      200: withAutomation((id) => post(`/v1/automations/${id}/enable`, { enabled: false }), { automation_listener: -1 }),
      404: plain(post('/v1/automations/999/enable', { enabled: false })),
    },
  },
  'automations.run': {
    base: post('/v1/automations/1/run'),
    ways: {
      200: withAutomation((id) => post(`/v1/automations/${id}/run?wait=true&timeout=60`, { payload: { by: 'hand' } }), {
        ...DISPATCHED,
        run_event: 4,
        automation_action: 1,
      }),
      // It waits for a check that is never answered.
      202: {
        prepare: async (agent) => {
          const monitor = await makeMonitor(agent, STUCK_URL, { active: false });
          return post(`/v1/automations/${await makeAutomation(agent, [{ type: 'check', monitor_id: monitor }])}/run`);
        },
        rows: { run: 2, automation_run: 1, automation_action: 1, run_event: 3 },
      },
      404: plain(post('/v1/automations/999/run')),
      409: {
        prepare: async (agent) => {
          const id = await makeAutomation(agent);
          await fillQueue(agent);
          return post(`/v1/automations/${id}/run`);
        },
      },
    },
  },
};

async function makeAutomation(agent: KernelAgent, actions: readonly object[] = SLEEPER.actions): Promise<number> {
  const { body } = await agent.json('POST', '/v1/automations', { ...SLEEPER, actions });
  return (body as Automation).id;
}

function withAutomation(call: (id: number) => KernelCall, rows?: Way['rows']): Way {
  return { prepare: async (agent) => call(await makeAutomation(agent)), ...(rows ? { rows } : {}) };
}

// How to bring each operation of selectors to each status that it declares.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { CAPTCHA_URL, PAGE_URL, get, lockVault, patch, plain, post } from '../ways.ts';
import { makeMonitor } from './monitors.ts';

const SELECTOR = { selector: 'h1', extractors: [{ type: 'text' }] };
const remove = (target: string): KernelCall => ({ method: 'DELETE', target });
const NONE = '/v1/monitors/999/selectors/1';
const BEYOND = '/x/monitors/999/selectors/1';
const PROPOSAL = JSON.stringify({ selector: 'h2', score: 0.99, gap: 0.9, evidence: ['the same text'] });

export const reach: Readonly<Record<string, Reach>> = {
  'selectors.list': {
    base: get('/v1/monitors/1/selectors'),
    ways: { 200: withSelector((at) => get(`${at.replace(/\/\d+$/, '')}?limit=1`)), 404: plain(get('/v1/monitors/999/selectors')) },
  },
  'selectors.create': {
    base: post('/v1/monitors/1/selectors', SELECTOR),
    ways: {
      201: withSelector((at) => post(at.replace(/\/\d+$/, ''), SELECTOR), { monitor_selector: 1, monitor_extractor: 1 }),
      404: plain(post('/v1/monitors/999/selectors', SELECTOR)),
    },
  },
  'selectors.read': { base: get('/v1/monitors/1/selectors/1'), ways: { 200: withSelector((at) => get(at)), 404: plain(get(NONE)) } },
  'selectors.update': {
    base: patch('/v1/monitors/1/selectors/1', { name: 'Title' }),
    ways: { 200: withSelector((at) => patch(at, { name: 'Title' }), {}), 404: plain(patch(NONE, { name: 'Title' })) },
  },
  'selectors.delete': {
    base: remove('/v1/monitors/1/selectors/1'),
    ways: { 204: withSelector((at) => remove(at), { monitor_selector: -1, monitor_extractor: -1 }), 404: plain(remove(NONE)) },
  },
  'selectors.toggle': {
    base: post('/v1/monitors/1/selectors/1/toggle'),
    ways: { 200: withSelector((at) => post(`${at}/toggle`), {}), 404: plain(post(`${NONE}/toggle`)) },
  },
  'selectors.test': {
    base: post('/v1/monitors/1/selectors/1/test'),
    ways: {
      200: withSelector((at) => post(`${at}/test`)),
      402: withSelector((at) => post(`${at}/test`), undefined, CAPTCHA_URL),
      404: plain(post(`${NONE}/test`)),
      409: withSelector((at) => post(`${at}/test`, { screenshot: true })),
      423: locked((at) => post(`${at}/test`)),
    },
  },
  'selectors.setBaseline': {
    base: post('/v1/monitors/1/selectors/1/set-baseline'),
    ways: {
      200: withSelector((at) => post(`${at}/set-baseline`), {}),
      402: withSelector((at) => post(`${at}/set-baseline`), undefined, CAPTCHA_URL),
      404: plain(post(`${NONE}/set-baseline`)),
      409: withSelector((at) => post(`${at}/set-baseline`), undefined, PAGE_URL, 'blink'),
      423: locked((at) => post(`${at}/set-baseline`)),
    },
  },
  'selectors.clearBaseline': {
    base: post('/v1/monitors/1/selectors/1/clear-baseline'),
    ways: { 200: withSelector((at) => post(`${at}/clear-baseline`), {}), 404: plain(post(`${NONE}/clear-baseline`)) },
  },
  'selectors.accept': {
    base: post('/x/monitors/1/selectors/1/accept'),
    ways: {
      200: withProposal((at) => post(`${at}/accept`)),
      404: plain(post(`${BEYOND}/accept`)),
      409: withSelector((at) => post(`${beyond(at)}/accept`)),
    },
  },
  'selectors.dismiss': {
    base: post('/x/monitors/1/selectors/1/dismiss'),
    ways: {
      200: withProposal((at) => post(`${at}/dismiss`)),
      404: plain(post(`${BEYOND}/dismiss`)),
      409: withSelector((at) => post(`${beyond(at)}/dismiss`)),
    },
  },
};

/** Where a new selector is, on a new monitor of `url`. */
export async function makeSelector(agent: KernelAgent, url: string, selector = 'h1', more: object = {}): Promise<string> {
  const id = await makeMonitor(agent, url, more);
  const { body } = await agent.json('POST', `/v1/monitors/${id}/selectors`, { ...SELECTOR, selector });
  return `/v1/monitors/${id}/selectors/${(body as { id: number }).id}`;
}

function withSelector(call: (at: string) => KernelCall, rows?: Way['rows'], url = PAGE_URL, selector = 'h1'): Way {
  return { prepare: async (agent) => call(await makeSelector(agent, url, selector)), ...(rows ? { rows } : {}) };
}

function beyond(at: string): string {
  return at.replace(/^\/v1/, '/x');
}

/** One with a proposed repair, as a check leaves it. */
function withProposal(call: (at: string) => KernelCall): Way {
  return {
    prepare: async (agent) => {
      const at = await makeSelector(agent, PAGE_URL);
      agent.database.fast.prepare('UPDATE monitor_selector SET proposal = ?').run(PROPOSAL);
      return call(beyond(at));
    },
    rows: {},
  };
}

/** Of a monitor that looks as a persona. */
export async function makeLocked(agent: KernelAgent): Promise<string> {
  const persona = await agent.json('POST', '/v1/personas', { name: 'Ada', origins: ['http://site.test'] });
  const at = await makeSelector(agent, PAGE_URL, 'h1', { persona_id: (persona.body as { id: number }).id });
  await lockVault(agent);
  return at;
}

function locked(call: (at: string) => KernelCall): Way {
  return { prepare: async (agent) => call(await makeLocked(agent)) };
}

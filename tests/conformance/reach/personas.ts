// How to bring each operation of personas to each status that it declares.
import type { Persona } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { PAGE_URL, get, lockVault, patch, plain, post } from '../ways.ts';

const NEW = { name: 'shop', origins: ['https://shop.test'], username: 'alice', password: 'hunter2' };
const CHANGE = { password: 'hunter3' };
const VALIDATE = post('/v1/personas/validate-totp', { totp_seed: 'JBSWY3DPEHPK3PXP' });
const LOGIN = { id: 'in', type: 'login', url: PAGE_URL, success: { page: { selectors: ['h1'] }, op: 'exists' } };
const APPROVAL = { id: 'wait', type: 'pause', reason: 'approval', instructions: 'Look at it.' };
const test2fa = (id: number) => post(`/v1/personas/${id}/test-2fa`);
const STATE = { cookies: [], origins: [] };
const storageState = (id: number, body?: object): KernelCall => (body ? post : get)(`/x/personas/${id}/storage-state`, body);
const remove = (id: number): KernelCall => ({ method: 'DELETE', target: `/v1/personas/${id}` });

export const reach: Readonly<Record<string, Reach>> = {
  'personas.list': { base: get('/v1/personas'), ways: { 200: withPersona(() => get('/v1/personas?limit=1')) } },
  'personas.create': {
    base: post('/v1/personas', NEW),
    ways: {
      201: plain(post('/v1/personas', NEW), { persona: 1, vault_value: 2, vault_index: 1 }),
      409: { prepare: spendIdempotencyKey },
      423: { prepare: (agent) => lockFor(agent, post('/v1/personas', NEW)) },
    },
  },
  'personas.read': {
    base: get('/v1/personas/1'),
    ways: { 200: withPersona((id) => get(`/v1/personas/${id}`)), 404: plain(get('/v1/personas/999')) },
  },
  'personas.update': {
    base: patch('/v1/personas/1', CHANGE),
    ways: {
      200: withPersona((id) => patch(`/v1/personas/${id}`, CHANGE), {}),
      404: plain(patch('/v1/personas/999', CHANGE)),
      423: withPersona((id) => patch(`/v1/personas/${id}`, CHANGE), undefined, lockVault),
    },
  },
  'personas.delete': {
    base: remove(1),
    ways: {
      204: withPersona(remove, { persona: -1, vault_value: -2 }),
      404: plain(remove(999)),
      423: withPersona(remove, undefined, lockVault),
    },
  },
  'personas.runs': {
    base: get('/v1/personas/1/runs'),
    ways: { 200: withPersona((id) => get(`/v1/personas/${id}/runs`)), 404: plain(get('/v1/personas/999/runs')) },
  },
  'personas.test2fa': {
    base: test2fa(1),
    ways: {
      200: withPersona(test2fa, {}, (agent, id) => makeWorkflow(agent, id, [LOGIN])),
      402: withPersona(test2fa, undefined, (agent, id) => makeWorkflow(agent, id, [APPROVAL, LOGIN])),
      404: plain(test2fa(999)),
      423: withPersona(test2fa, undefined, async (agent, id) => {
        await makeWorkflow(agent, id, [LOGIN]);
        await lockVault(agent);
      }),
    },
  },
  'personas.exportStorageState': {
    base: storageState(1),
    ways: { 200: withPersona(storageState), 404: plain(storageState(999)), 423: withPersona(storageState, undefined, lockVault) },
  },
  'personas.importStorageState': {
    base: storageState(1, STATE),
    ways: {
      200: withPersona((id) => storageState(id, STATE), { persona_profile: 1, vault_value: 1 }),
      404: plain(storageState(999, STATE)),
      423: withPersona((id) => storageState(id, STATE), undefined, lockVault),
    },
  },
  'personas.validateTotp': { base: VALIDATE, ways: { 200: plain(VALIDATE) } },
};

function withPersona(call: (id: number) => KernelCall, rows?: Way['rows'], then?: (agent: KernelAgent, id: number) => Promise<void>): Way {
  return {
    prepare: async (agent) => {
      const { id } = (await agent.json('POST', '/v1/personas', NEW)).body as Persona;
      await then?.(agent, id);
      return call(id);
    },
    ...(rows ? { rows } : {}),
  };
}

async function makeWorkflow(agent: KernelAgent, persona_id: number, steps: readonly object[]): Promise<void> {
  await agent.json('POST', '/v1/workflows', { name: 'Log in', persona_id, steps });
}

async function lockFor(agent: KernelAgent, call: KernelCall): Promise<KernelCall> {
  await lockVault(agent);
  return call;
}

/** The same key with another body. */
async function spendIdempotencyKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...post('/v1/personas', NEW), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return { ...call, body: { ...NEW, name: 'another' } };
}

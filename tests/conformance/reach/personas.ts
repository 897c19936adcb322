// How to bring each operation of personas to each status that it declares.
import type { Persona } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { get, lockVault, patch, plain, post } from '../ways.ts';

const NEW = { name: 'shop', origins: ['https://shop.test'], username: 'alice', password: 'hunter2' };
const CHANGE = { password: 'hunter3' };
const VALIDATE = post('/v1/personas/validate-totp', { totp_seed: 'JBSWY3DPEHPK3PXP' });
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
  'personas.validateTotp': { base: VALIDATE, ways: { 200: plain(VALIDATE) } },
};

function withPersona(call: (id: number) => KernelCall, rows?: Way['rows'], then?: (agent: KernelAgent) => Promise<void>): Way {
  return {
    prepare: async (agent) => {
      const { body } = await agent.json('POST', '/v1/personas', NEW);
      await then?.(agent);
      return call((body as Persona).id);
    },
    ...(rows ? { rows } : {}),
  };
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

// How to bring each operation of keys to each status that it declares.
import type { Key } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { get, plain, post } from '../ways.ts';

const MINT = { name: 'reader', scopes: 'read' };

export const reach: Readonly<Record<string, Reach>> = {
  'keys.list': { base: get('/v1/keys'), ways: { 200: withKey(() => get('/v1/keys?limit=500')) } },
  'keys.create': {
    base: post('/v1/keys', MINT),
    ways: { 201: plain(post('/v1/keys', MINT), { api_key: 1 }), 409: { prepare: spendIdempotencyKey } },
  },
  'keys.read': {
    base: get('/v1/keys/key_1'),
    ways: { 200: withKey(({ id }) => get(`/v1/keys/${id}`)), 404: plain(get('/v1/keys/key_none')) },
  },
  'keys.delete': {
    base: { method: 'DELETE', target: '/v1/keys/key_1' },
    ways: {
      204: withKey(({ id }) => ({ method: 'DELETE', target: `/v1/keys/${id}` }), { api_key: -1 }),
      404: plain({ method: 'DELETE', target: '/v1/keys/key_none' }),
    },
  },
};

function withKey(call: (key: Key) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => call((await agent.json('POST', '/v1/keys', MINT)).body as Key),
    ...(rows ? { rows } : {}),
  };
}

async function spendIdempotencyKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...post('/v1/keys', MINT), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return call;
}

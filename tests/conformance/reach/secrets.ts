// How to bring each operation of secrets to each status that it declares.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { get, lockVault, plain, post } from '../ways.ts';

const NEW = { key: 'api', value: 'hunter2', origins: ['https://site.test'] };
const remove = (key: string): KernelCall => ({ method: 'DELETE', target: `/v1/secrets/${key}` });

export const reach: Readonly<Record<string, Reach>> = {
  'secrets.list': { base: get('/v1/secrets'), ways: { 200: withSecret(get('/v1/secrets?limit=1')) } },
  'secrets.create': {
    base: post('/v1/secrets', NEW),
    ways: {
      200: withSecret(post('/v1/secrets', { ...NEW, value: 'another' }), {}),
      201: plain(post('/v1/secrets', NEW), { secret: 1, vault_value: 1, vault_index: 1 }),
      409: { prepare: spendIdempotencyKey },
      423: { prepare: (agent) => lockFor(agent, post('/v1/secrets', NEW)) },
    },
  },
  'secrets.read': {
    base: get('/v1/secrets/api'),
    ways: { 200: withSecret(get('/v1/secrets/api')), 404: plain(get('/v1/secrets/none')) },
  },
  'secrets.delete': {
    base: remove('api'),
    ways: {
      204: withSecret(remove('api'), { secret: -1, vault_value: -1 }),
      404: plain(remove('none')),
      423: withSecret(remove('api'), undefined, lockVault),
    },
  },
};

function withSecret(call: KernelCall, rows?: Way['rows'], then?: (agent: KernelAgent) => Promise<void>): Way {
  return {
    prepare: async (agent) => {
      await agent.json('POST', '/v1/secrets', NEW);
      await then?.(agent);
      return call;
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
  const call = { ...post('/v1/secrets', NEW), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return { ...call, body: { ...NEW, value: 'another' } };
}

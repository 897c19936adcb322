// How to bring each operation of the vault to each status that it declares.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach } from '../ways.ts';
import { get, lockVault, plain, post } from '../ways.ts';

const UNLOCK = post('/v1/vault/unlock', { passphrase: 'not this one' });
const ROTATE = post('/x/vault/rotate', { passphrase: 'not this one' });

export const reach: Readonly<Record<string, Reach>> = {
  'vault.status': { base: get('/v1/vault/status'), ways: { 200: plain(get('/v1/vault/status')) } },
  'vault.lock': { base: post('/v1/vault/lock'), ways: { 200: plain(post('/v1/vault/lock')) } },
  'vault.unlock': { base: UNLOCK, ways: { 200: { prepare: unlockWithout }, 423: { prepare: (agent) => lockFor(agent, UNLOCK) } } },
  'vault.rotate': { base: ROTATE, ways: { 200: plain(post('/x/vault/rotate')), 423: { prepare: (agent) => lockFor(agent, ROTATE) } } },
};

async function unlockWithout(agent: KernelAgent): Promise<KernelCall> {
  await agent.json('POST', '/v1/vault/lock');
  return post('/v1/vault/unlock');
}

async function lockFor(agent: KernelAgent, call: KernelCall): Promise<KernelCall> {
  await lockVault(agent);
  return call;
}

// Random Host, Origin and path triples against a running agent (A33). One round is ten thousand of them; a hundred make a million.
import assert from 'node:assert/strict';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startTestAgent } from '../agent.ts';
import { fuzzGuard } from '../conformance/fuzz.ts';

const REQUESTS = 10_000;

/** Every answer must be a refusal, and the agent must be alive after each round. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  await using agent = await startTestAgent();
  for (let round = 0; round < rounds; round++) {
    const counts = await fuzzGuard({ port: agent.port, count: REQUESTS, seed: seed + round });
    assert.equal((await agent.client.agent.status()).name, 'weft');
    if ((round + 1) % 10 === 0 || round === rounds - 1)
      log(`${(round + 1) * REQUESTS} requests, the last round answered ${JSON.stringify(counts)}`);
  }
  assert.deepEqual(agent.logged, []);
}

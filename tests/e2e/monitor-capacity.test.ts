// What a full machine refuses, and what it lets be (D40).
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Monitor } from '@weft/contract';
import { startKernelAgent } from '../conformance/kernel.ts';
import type { KernelAgent } from '../conformance/kernel.ts';

describe('a machine that is full', () => {
  let agent: KernelAgent;
  let at: string;
  before(async () => {
    agent = await startKernelAgent();
    const { body } = await agent.json('POST', '/v1/monitors', { url: 'http://site.test/', tags: ['slow'] });
    at = `/v1/monitors/${(body as Monitor).id}`;
    // One check was measured that took six weeks: not even this monitor fits any more.
    agent.database.fast.exec("INSERT INTO monitor_cost VALUES ('http', 3600000, 1)");
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
  });

  const status = async (method: string, target: string, body: object) => (await agent.json(method, target, body)).status;

  test('lets be what asks for no more than before', async () => {
    assert.equal(await status('PATCH', at, { name: 'Shelf' }), 200);
    assert.equal(await status('PATCH', at, { schedule: { every: 86_400 } }), 200);
    assert.equal(await status('PATCH', at, { active: false }), 200);
    assert.equal(await status('POST', '/x/monitors/tags', { name: 'slow', schedule: { every: 604_800 } }), 201);
  });

  test('refuses what asks for more', async () => {
    assert.equal(await status('PATCH', at, { active: true, schedule: { every: 5 } }), 409);
    assert.equal(await status('POST', '/v1/monitors', { url: 'http://site.test/', schedule: { every: 5 } }), 409);
  });

  test('says whether it was measured or assumed what the machine makes', async () => {
    const refusal = async () =>
      ((await agent.json('POST', '/v1/monitors', { url: 'http://site.test/', schedule: { every: 5 } })).body as { error: string }).error;
    assert.match(
      await refusal(),
      /is taken to make [\d.]+ until 50 checks were measured on it \(1 so far\): make some, and the rest after them\./,
    );
    agent.database.fast.exec('UPDATE monitor_cost SET measured = 50');
    assert.match(await refusal(), /and this machine makes [\d.]+\. Check less often, /);
  });
});

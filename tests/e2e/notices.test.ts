// Notices of a whole agent: what is wired together of them.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Channel, Delivery, Health } from '@weft/contract';
import { startKernelAgent } from '../conformance/kernel.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { SECRET } from '../noticing.ts';
import { serveReceiver } from '../sites/receiver.ts';
import { until } from '../until.ts';

async function addWebhook(agent: KernelAgent, name: string, url: string): Promise<number> {
  const { status, body } = await agent.json('POST', '/x/notices/channels', {
    name,
    to: { kind: 'webhook', url },
    secrets: { secret: SECRET },
  });
  assert.equal(status, 201);
  return (body as Channel).id;
}

/** A delivery that was once told to `channel`; its id. */
function addDelivery(agent: KernelAgent, channel: number, createdMs = agent.clock.now()): number {
  const insert = agent.database.fast.prepare(
    `INSERT INTO delivery (message_id, channel_id, status, event, level, subject, data, created_at, settled_at)
     VALUES ('msg_1', ?, 'sent', 'monitor.changed', 'info', '{"kind":"monitor","id":1}', '{}', ?, 0)`,
  );
  return Number(insert.run(channel, createdMs).lastInsertRowid);
}

suite('the notices of an agent', () => {
  test('a channel that is switched off is told of to the others, and by the health', async () => {
    await using gone = await serveReceiver(() => ({ status: 410 }));
    await using well = await serveReceiver(() => ({ status: 200 }));
    await using agent = await startKernelAgent();
    const off = await addWebhook(agent, 'gone', gone.url);
    await addWebhook(agent, 'well', well.url);
    const { status } = await agent.json('POST', `/x/notices/deliveries/${addDelivery(agent, off)}/redeliver`);
    assert.equal(status, 200);
    await until(() => well.calls.length === 1);
    const { type, data } = JSON.parse(well.calls[0]?.body ?? '{}') as { type: string; data: { message: string; level: string } };
    assert.deepEqual([type, data.level], ['channel.disabled', 'error']);
    assert.match(data.message, /"gone".*410/);
    const health = (await agent.json('GET', '/v1/health')).body as Health;
    const part = health.parts.find(({ name }) => name === 'notices');
    assert.deepEqual([part?.status, part?.message], ['warn', `Nothing arrives at channel ${off} (gone).`]);
    const { body } = await agent.json('GET', `/x/notices/deliveries?channel_id=${off}`);
    assert.deepEqual(
      (body as { data: Delivery[] }).data.map((delivery) => delivery.status),
      ['failed'],
    );
  });

  test('a list of deliveries goes on behind its cursor, whatever comes meanwhile', async () => {
    await using agent = await startKernelAgent();
    const channel = await addWebhook(agent, 'a', 'http://127.0.0.1:9/');
    const ids = Array.from({ length: 5 }, () => addDelivery(agent, channel)).toReversed();
    type Page = { data: Delivery[]; next_cursor?: string };
    const first = (await agent.json('GET', '/x/notices/deliveries?limit=2')).body as Page;
    addDelivery(agent, channel);
    const rest = (await agent.json('GET', `/x/notices/deliveries?limit=3&status=sent&cursor=${first.next_cursor}`)).body as Page;
    assert.deepEqual(
      [...first.data, ...rest.data].map(({ id }) => id),
      ids,
    );
    assert.equal(rest.next_cursor, undefined);
    assert.equal((await agent.json('GET', '/x/notices/deliveries?cursor=x')).status, 400);
  });

  test('deliveries are kept for thirty days', async () => {
    await using agent = await startKernelAgent();
    const channel = await addWebhook(agent, 'a', 'http://127.0.0.1:9/');
    const DAY = 86_400_000;
    const [old, young] = [
      addDelivery(agent, channel, agent.clock.now() - 31 * DAY),
      addDelivery(agent, channel, agent.clock.now() - 29 * DAY),
    ];
    await agent.services.prune();
    assert.equal((await agent.json('GET', `/x/notices/deliveries/${old}`)).status, 404);
    assert.equal((await agent.json('GET', `/x/notices/deliveries/${young}`)).status, 200);
  });

  test('a repeated creation makes one channel', async () => {
    await using agent = await startKernelAgent();
    const call = {
      method: 'POST',
      target: '/x/notices/channels',
      token: agent.token,
      headers: ['Idempotency-Key', 'once'],
      body: { name: 'a', to: { kind: 'desktop' } },
    };
    const [first, second] = [await (await agent.call(call)).json(), await (await agent.call(call)).json()];
    assert.deepEqual(first, second);
    assert.equal(((await agent.json('GET', '/x/notices/channels')).body as { count: number }).count, 1);
  });
});

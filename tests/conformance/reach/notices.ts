// How to bring each operation of notices to each status that it declares. Channels are muted, so that the loop leaves their rows alone.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { get, lockVault, patch, plain, post } from '../ways.ts';

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NEW = { name: 'hook', to: { kind: 'webhook', url: 'http://127.0.0.1:9/hook' }, secrets: { secret: SECRET } };
const CHANNELS = '/x/notices/channels';
const DELIVERIES = '/x/notices/deliveries';
const UNTIL = '2026-12-31T00:00:00Z';
const CHANGE = { name: 'other', secrets: { secret: SECRET } };
const remove = (id: number): KernelCall => ({ method: 'DELETE', target: `${CHANNELS}/${id}` });

export const reach: Readonly<Record<string, Reach>> = {
  'notices.channels': { base: get(CHANNELS), ways: { 200: withChannel(() => get(`${CHANNELS}?limit=1`)) } },
  'notices.createChannel': {
    base: post(CHANNELS, NEW),
    ways: {
      201: plain(post(CHANNELS, NEW), { notice_channel: 1, vault_value: 1, vault_index: 1 }),
      409: { prepare: spendIdempotencyKey },
      423: { prepare: (agent) => lockFor(agent, post(CHANNELS, NEW)) },
    },
  },
  'notices.channel': {
    base: get(`${CHANNELS}/1`),
    ways: { 200: withChannel((id) => get(`${CHANNELS}/${id}`)), 404: plain(get(`${CHANNELS}/999`)) },
  },
  'notices.updateChannel': {
    base: patch(`${CHANNELS}/1`, CHANGE),
    ways: {
      200: withChannel((id) => patch(`${CHANNELS}/${id}`, CHANGE), { vault_value: 1 }),
      404: plain(patch(`${CHANNELS}/999`, CHANGE)),
      423: withChannel((id) => patch(`${CHANNELS}/${id}`, CHANGE), undefined, lockVault),
    },
  },
  'notices.deleteChannel': {
    base: remove(1),
    ways: {
      204: withDelivery((_id, channel) => remove(channel), { notice_channel: -1, delivery: -1, vault_value: -1 }),
      404: plain(remove(999)),
      423: withChannel(remove, undefined, lockVault),
    },
  },
  'notices.testChannel': {
    base: post(`${CHANNELS}/1/test`),
    ways: {
      200: withChannel((id) => post(`${CHANNELS}/${id}/test`)),
      404: plain(post(`${CHANNELS}/999/test`)),
      423: withChannel((id) => post(`${CHANNELS}/${id}/test`), undefined, lockVault),
    },
  },
  'notices.muteChannel': {
    base: post(`${CHANNELS}/1/mute`, { until: UNTIL }),
    ways: {
      200: withChannel((id) => post(`${CHANNELS}/${id}/mute`, { until: '2026-11-30T00:00:00Z' }), {}),
      404: plain(post(`${CHANNELS}/999/mute`, { until: UNTIL })),
    },
  },
  'notices.deliveries': { base: get(DELIVERIES), ways: { 200: withDelivery(() => get(`${DELIVERIES}?status=pending`)) } },
  'notices.delivery': {
    base: get(`${DELIVERIES}/1`),
    ways: { 200: withDelivery((id) => get(`${DELIVERIES}/${id}`)), 404: plain(get(`${DELIVERIES}/999`)) },
  },
  'notices.redeliver': {
    base: post(`${DELIVERIES}/1/redeliver`),
    ways: {
      200: withDelivery((id) => post(`${DELIVERIES}/${id}/redeliver`), {}),
      404: plain(post(`${DELIVERIES}/999/redeliver`)),
      409: withDelivery((id) => post(`${DELIVERIES}/${id}/redeliver`), undefined, switchOff),
    },
  },
};

function withChannel(call: (id: number) => KernelCall, rows?: Way['rows'], then?: (agent: KernelAgent, id: number) => Promise<void>): Way {
  return {
    prepare: async (agent) => {
      const id = await makeChannel(agent);
      await then?.(agent, id);
      return call(id);
    },
    ...(rows ? { rows } : {}),
  };
}

/** A delivery that waits, as `tell` writes it. */
function withDelivery(
  call: (id: number, channel: number) => KernelCall,
  rows?: Way['rows'],
  then?: (agent: KernelAgent, channel: number) => Promise<void>,
): Way {
  return {
    prepare: async (agent) => {
      const channel = await makeChannel(agent);
      const insert = agent.database.fast.prepare(
        `INSERT INTO delivery (message_id, channel_id, status, event, level, subject, data, due_at, created_at)
         VALUES ('msg_1', ?, 'pending', 'monitor.changed', 'info', '{"kind":"monitor","id":1}', '{}', 0, 0)`,
      );
      const id = Number(insert.run(channel).lastInsertRowid);
      await then?.(agent, channel);
      return call(id, channel);
    },
    ...(rows ? { rows } : {}),
  };
}

async function makeChannel(agent: KernelAgent): Promise<number> {
  const { body } = await agent.json('POST', CHANNELS, NEW);
  const { id } = body as { id: number };
  await agent.json('POST', `${CHANNELS}/${id}/mute`, { until: UNTIL });
  return id;
}

async function switchOff(agent: KernelAgent, channel: number): Promise<void> {
  await agent.json('PATCH', `${CHANNELS}/${channel}`, { enabled: false });
}

async function lockFor(agent: KernelAgent, call: KernelCall): Promise<KernelCall> {
  await lockVault(agent);
  return call;
}

/** The same key with another body. */
async function spendIdempotencyKey(agent: KernelAgent): Promise<KernelCall> {
  const call = { ...post(CHANNELS, NEW), headers: ['Idempotency-Key', 'spent'] };
  await agent.call({ ...call, token: agent.token });
  return { ...call, body: { ...NEW, name: 'another' } };
}

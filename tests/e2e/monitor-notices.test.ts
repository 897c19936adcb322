// What monitors tell, as the receiver of a webhook hears it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Check, Monitor, Run } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { SECRET } from '../noticing.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { serveReceiver } from '../sites/receiver.ts';
import { startVersionedSite } from '../sites/versions.ts';
import { until } from '../until.ts';

interface Heard {
  readonly type: string;
  readonly data: {
    readonly message: string;
    readonly change?: { readonly old?: string; readonly new?: string; readonly difference?: string };
  };
}

describe('what monitors tell', () => {
  test('a change is told once, with what was and what is', async () => {
    await using ears = await listen();
    await using agent = await startTestAgent();
    await using site = await startVersionedSite();
    const call = caller(agent);
    await call('POST', '/x/notices/channels', ears.channel);
    site.set('/', '<title>Shop</title><p>red</p><p>blue</p>');
    const { id } = (await call('POST', '/v1/monitors', { url: `${site.origin}/`, active: false })) as Monitor;
    await check(call, id);
    site.set('/', '<title>Shop</title><p>red</p><p>green</p>');
    await check(call, id);
    await check(call, id);
    await until(() => ears.heard.length > 0);
    assert.deepEqual(
      ears.heard.map(({ type, data }) => [type, data.change?.old, data.change?.new, data.change?.difference]),
      [['monitor.changed', 'red\nblue', 'red\ngreen', '- blue\n+ green']],
    );
  });

  test('trouble is told after three checks, once, and once more at its end', async () => {
    await using ears = await listen();
    await using agent = await startTestAgent();
    await using site = await startVersionedSite();
    const call = caller(agent);
    await call('POST', '/x/notices/channels', ears.channel);
    site.set('/', '<p>red</p>');
    const { id } = (await call('POST', '/v1/monitors', { url: `${site.origin}/`, active: false })) as Monitor;
    await check(call, id);
    site.set('/', { body: 'Internal error', status: 500 });
    for (let i = 0; i < 5; i++) assert.equal((await check(call, id)).state, 'error');
    site.set('/', '<p>red</p>');
    assert.equal((await check(call, id)).verdict, 'changed');
    await until(() => ears.heard.length >= 2);
    assert.deepEqual(
      ears.heard.map(({ type }) => type),
      ['monitor.error', 'monitor.recovered'],
    );
  });

  test('a locked vault is trouble of its own, and no change', async () => {
    await using agent = await startTestAgent();
    await using site = await startVersionedSite();
    const call = caller(agent);
    site.set('/', '<p>red</p>');
    const { id: persona } = (await call('POST', '/v1/personas', { name: 'Ada', origins: [site.origin] })) as { id: number };
    const { id } = (await call('POST', '/v1/monitors', {
      url: `${site.origin}/`,
      persona_id: persona,
      schedule: { every: 60 },
    })) as Monitor;
    await call('POST', '/v1/vault/unlock', { new_passphrase: 'correct horse battery' });
    await call('POST', '/v1/vault/lock');
    agent.clock.advance(60_000);
    const state = async () => ((await call('GET', `/v1/monitors/${id}`)) as Monitor).state.kind;
    await until(async () => (await state()) === 'vault_locked');
    await call('POST', '/v1/vault/unlock', { passphrase: 'correct horse battery' });
    assert.equal((await check(call, id)).verdict, 'first');
  });

  test('a machine without network tells that once, and nothing of single sites', async () => {
    await using ears = await listen();
    await using agent = await startTestAgent();
    await using site = await startVersionedSite();
    const call = caller(agent);
    await call('POST', '/x/notices/channels', ears.channel);
    const silent = await Promise.all([1, 2, 3].map(closedPort));
    const ids: number[] = [];
    for (const url of [...silent, `${site.origin}/`])
      ids.push(((await call('POST', '/v1/monitors', { url, active: false, respect_robots: false, trouble: { after: 2 } })) as Monitor).id);
    const [first = 0, second = 0, third = 0, reached = 0] = ids;
    assert.equal((await check(call, first)).state, 'error');
    assert.equal((await check(call, second)).state, 'error');
    assert.equal((await check(call, third)).state, 'offline');
    // The others are put off until somebody finds that there is a network.
    assert.equal((await check(call, first)).state, 'offline');
    agent.clock.advance(15_000);
    site.set('/', '<p>red</p>');
    assert.equal((await check(call, reached)).verdict, 'first');
    await until(() => ears.heard.length >= 2);
    assert.deepEqual(
      ears.heard.map(({ type }) => type),
      ['agent.offline', 'agent.online'],
    );
  });
});

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

function caller(agent: TestAgent): Call {
  return async (method, path, body) => {
    const response = await fetch(`${agent.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${agent.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    assert.ok(response.status < 300, JSON.stringify(answer));
    return answer;
  };
}

async function check(call: Call, id: number): Promise<Check> {
  const run = (await call('POST', `/v1/monitors/${id}/run?wait=true`)) as Run;
  return ((await call('GET', `/v1/runs/${run.id}/results`)) as { output: Check }).output;
}

/** A receiver of webhooks, and the body that makes a channel of it. */
async function listen() {
  const receiver = await serveReceiver(() => ({ status: 204 }));
  return {
    get heard() {
      return receiver.calls.map(({ body }) => JSON.parse(body) as Heard);
    },
    channel: { name: 'ears', to: { kind: 'webhook', url: receiver.url }, secrets: { secret: SECRET } },
    [Symbol.asyncDispose]: async () => await receiver[Symbol.asyncDispose](),
  };
}

/** An address at which nobody listens any more. */
async function closedPort(): Promise<string> {
  await using server = await serveOnLoopback(() => undefined);
  return server.url;
}

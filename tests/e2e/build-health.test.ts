// Functions of the agent that were published are proved again: how they stand, what is told, and what replaces them.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { BuildHealth, BuildView } from '@weft/contract';
import { ApiError } from '@weft/client';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { SECRET } from '../noticing.ts';
import { startEditedShop } from '../sites/edited-shop.ts';
import type { EditedShop } from '../sites/edited-shop.ts';
import { startFailingHosts } from '../sites/failing-hosts.ts';
import { serveReceiver } from '../sites/receiver.ts';
import type { Receiver } from '../sites/receiver.ts';
import { until } from '../until.ts';

const HOUR_MS = 3_600_000;
const SEARCH = 'search_products';

interface Heard {
  readonly type: string;
  readonly data: {
    readonly message: string;
    readonly functions?: readonly { readonly name: string; readonly change?: { readonly kind: string } }[];
  };
}

suite('health of what the agent has built', { timeout: 600_000 }, () => {
  let shop: EditedShop;
  let agent: TestAgent;
  let ears: Receiver;
  let built: BuildView;
  before(async () => {
    shop = await startEditedShop();
    ears = await serveReceiver(() => ({ status: 204 }));
    agent = await startTestAgent();
    const to = { kind: 'webhook', url: ears.url } as const;
    await agent.client.notices.createChannel({ name: 'hook', to, secrets: { secret: SECRET } });
    built = await agent.client.builds.start({ url: `${shop.origin}/`, objective: 'search products by name', wait: true });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await shop.close();
    await ears[Symbol.asyncDispose]();
    assert.deepEqual(agent.logged, []);
  });
  const heard = () => ears.calls.map(({ body }) => JSON.parse(body) as Heard);
  const health = async (id = built.build_id): Promise<BuildHealth> => {
    const view = await agent.client.builds.read({ id });
    assert.ok(view.health);
    return view.health;
  };
  /** Moves the clock to when the build is due, and waits until it was proved again. */
  const due = async () => {
    const before = await health();
    assert.ok(before.next_check_at);
    agent.clock.advance(Date.parse(before.next_check_at) - agent.clock.now());
    await until(async () => (await health()).next_check_at !== before.next_check_at && (await live()) === 0);
    return await health();
  };
  const live = async () => (await agent.client.runs.list({ kind: 'build', status: 'running' })).count;
  const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

  test('the end of a build is told', async () => {
    await until(() => ears.calls.length > 0);
    assert.deepEqual(
      heard().map(({ type }) => type),
      ['build.succeeded'],
    );
    assert.match(heard()[0]?.data.message ?? '', /became an API: search_products/);
  });

  test('nothing is due before it is published, and a day later after that', async () => {
    assert.equal((await health()).next_check_at, undefined);
    await agent.client.builds.publish({ id: built.build_id, slug: 'teas', functions: [SEARCH] });
    const { state, check_hours: hours, next_check_at: next = '' } = await health();
    assert.deepEqual([state, hours, Date.parse(next) - agent.clock.now()], ['healthy', 24, 24 * HOUR_MS]);
  });

  test('one broken proof degrades, three in a row fail, and each turn is told with what has changed', async () => {
    const first = await due();
    assert.deepEqual([first.state, first.functions.map(({ name }) => name)], ['healthy', [SEARCH]]);
    shop.spoil('login');
    const states: [string, string | undefined, number][] = [];
    for (let i = 0; i < 3; i++) {
      const { state, functions, next_check_at: next = '' } = await due();
      states.push([state, functions[0]?.change?.kind, (Date.parse(next) - Date.parse(functions[0]?.checked_at ?? '')) / 60_000]);
    }
    assert.deepEqual(states, [
      ['degraded', 'login', 10],
      ['degraded', 'login', 20],
      ['failed', 'login', 40],
    ]);
    shop.spoil();
    assert.equal((await due()).state, 'healthy');
    await until(() => ears.calls.length >= 4);
    const told = heard().slice(1);
    assert.deepEqual(
      told.map(({ type, data }) => [type, data.functions?.[0]?.change?.kind]),
      [
        ['build.degraded', 'login'],
        ['build.failed', 'login'],
        ['build.recovered', undefined],
      ],
    );
    assert.match(told[0]?.data.message ?? '', /search_products is degraded: .* asks to log in/);
  });

  test('a site that can not be reached degrades nothing until it was silent three times', async () => {
    await shop.close();
    const silent: [string, boolean, string | undefined][] = [];
    for (let i = 0; i < 3; i++) {
      const { state, unchecked = '', functions } = await due();
      silent.push([state, unchecked !== '', functions[0]?.change?.kind]);
    }
    assert.deepEqual(silent, [
      ['healthy', true, undefined],
      ['healthy', true, undefined],
      ['degraded', false, 'unreachable'],
    ]);
    await shop.open();
    const { state, unchecked } = await due();
    assert.deepEqual([state, unchecked], ['healthy', undefined]);
    await until(() => ears.calls.length >= 6);
    assert.deepEqual(
      heard()
        .slice(4)
        .map(({ type }) => type),
      ['build.degraded', 'build.recovered'],
    );
  });

  test('where this machine reaches no host, that is said and counts for nothing', async () => {
    const hosts = await startFailingHosts(2, () => '<p>a</p>');
    for (const host of hosts) await host.set('refused');
    await shop.close();
    for (const { origin } of hosts) {
      const { id } = await agent.client.monitors.create({ url: `${origin}/`, active: false });
      await agent.client.monitors.run({ id, wait: true });
    }
    for (let i = 0; i < 4; i++) {
      const { state, unchecked, functions } = await due();
      assert.deepEqual([state, unchecked, functions[0]?.failures], ['healthy', 'This machine reaches no host.', 0]);
    }
    await shop.open();
    assert.equal((await due()).state, 'healthy');
  });

  test('what is built again is a proposal that names what has changed, and replaces nothing until it is accepted', async () => {
    shop.spoil('field_renamed');
    const checked = await agent.client.builds.check({ id: built.build_id, wait: true });
    assert.deepEqual([checked.status, checked.failure?.code], ['failed', 'assert']);
    assert.equal((await health()).functions[0]?.change?.kind, 'field_renamed');
    const [published] = (await agent.client.workflows.list({ q: 'teas' })).data;
    assert.ok(published);
    const { id, slug } = published;
    const before = await agent.client.workflows.read({ id });
    const again = async () => {
      const begun = await agent.client.builds.rebuild({ id: built.build_id });
      await agent.client.waitForRun(begun.run_id ?? 0);
      return await agent.client.builds.read({ id: begun.build_id });
    };
    const declined = await again();
    assert.deepEqual([declined.proposal, declined.rebuild_of], ['open', built.build_id]);
    const change = declined.diff?.changed.find(({ name }) => name === SEARCH);
    assert.ok(change?.what.includes('steps'), JSON.stringify(declined.diff));
    assert.equal((await agent.client.builds.decline({ id: declined.build_id })).proposal, 'declined');
    await assert.rejects(agent.client.builds.accept({ id: declined.build_id }), refused('conflict'));
    assert.equal((await agent.client.workflows.read({ id })).revision, before.revision);
    const accepted = await again();
    const { data } = await agent.client.builds.accept({ id: accepted.build_id });
    assert.deepEqual(
      data.map(({ name, workflow_slug: at }) => [name, at]),
      [[SEARCH, slug]],
    );
    const after = await agent.client.workflows.read({ id });
    assert.equal(after.revision, before.revision + 1);
    const run = await agent.client.workflows.run({ id: after.id, inputs: { q: 'iced' }, wait: true });
    assert.equal(run.status, 'succeeded');
    assert.equal((await health()).next_check_at, undefined, 'the build before is looked at no more');
    const { state, next_check_at: next } = await health(accepted.build_id);
    assert.deepEqual([state, next !== undefined], ['healthy', true]);
    built = accepted;
    assert.equal((await due()).state, 'healthy');
    shop.spoil();
  });

  test('null switches it off', async () => {
    const off = await agent.client.builds.update({ id: built.build_id, check_hours: null });
    assert.deepEqual([off.health?.check_hours, off.health?.next_check_at], [null, undefined]);
    await assert.rejects(agent.client.builds.update({ id: built.build_id, check_hours: 0 }), refused('bad_request'));
    assert.equal((await agent.client.builds.update({ id: built.build_id, check_hours: 6 })).health?.check_hours, 6);
  });
});

// Monitors of other programs in, and all configuration out and in, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import type { NewMonitor } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { SECRET } from '../noticing.ts';

const RUNS = 15;
const URL = 'http://127.0.0.1:9/';
let agent: TestAgent;
before(async () => {
  agent = await startTestAgent();
});
after(async () => await agent[Symbol.asyncDispose]());

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((value) => value.trim() !== '' && !value.startsWith('/'));
/** Texts that YAML could take for something else. */
const word = fc.oneof(text, fc.constantFrom('yes', 'null', '~', '1.0', '2026-01-01', '- a', 'a: b', '#x', '"', "'", 'a\nb ', ' x'));
const phrases = fc.array(
  word.filter((value) => value.trim() !== ''),
  { minLength: 1, maxLength: 3 },
);

const EXTRACTORS = [
  { type: 'price', currency: 'EUR', alert: { percent: 5, against: 'baseline', direction: 'down' } },
  { type: 'availability', alert: { in_stock_only: true } },
  { type: 'regex', pattern: '/(\\d+)/i', name: 'found: it' },
  { type: 'json', path: "$['a b'][0]" },
  { type: 'list', item_key: 'name', fields: { name: 'h3', link: 'a@href' } },
  { type: 'text', active: false },
] as const;

const selector = fc.record(
  {
    selector: fc.constantFrom<string | string[]>('.price', 'xpath///a[@title="x: y"]', ['iframe', '#a'], 'jsonpath/$.a'),
    name: word,
    active: fc.boolean(),
    many: fc.boolean(),
    allow_missing: fc.boolean(),
    missing_after: fc.integer({ min: 1, max: 100 }),
    extractors: fc.subarray([...EXTRACTORS], { minLength: 1 }).map((all) => all.map((one) => ({ ...one }))),
  },
  { requiredKeys: ['selector'] },
);

const filter = fc.record(
  {
    subtract: fc.constant(['.ad', 'xpath///footer']),
    ignore: phrases,
    trigger: phrases,
    only: fc.constant(['added' as const]),
    steps: fc.constant([
      { keep: ['a'] },
      { find: ['/(x)/'], as: '$1' },
      { replace: 'a', with: '' },
      { sort: 'down' as const, separator: '\n\n' },
    ]),
    keep_whitespace: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Bodies that make monitors, of every kind of member. */
const monitor = fc.record(
  {
    url: fc.webUrl({ withQueryParameters: true }),
    name: word,
    active: fc.boolean(),
    schedule: fc.constantFrom(
      { every: 3600 },
      { every: 86_400, jitter: 0.2, windows: [{ days: ['mon' as const], from: '22:00', to: '06:00' }], timezone: 'Asia/Tokyo' },
      { cron: '0 9 * * 1-5', missed: 'skip' as const },
    ),
    lane: fc.constantFrom('http' as const, 'auto' as const),
    headers: fc.dictionary(fc.constantFrom('Accept-Language', 'X-A'), fc.constantFrom('de', '1', 'a: b')),
    accept_statuses: fc.constant([404, 410]),
    filter,
    confirm: fc.constant({ times: 2, every: 60 }),
    known_states: fc.integer({ min: 0, max: 50 }),
    trouble: fc.constant({ after: 5, repeat: 3600 }),
    when: fc.constant({
      all: [{ value: '{{values.price}}', op: 'lt' as const, with: 20 }, { not: { value: '{{text}}', op: 'contains' as const, with: 'x' } }],
    }),
    tags: fc.subarray(['shops', 'ops']),
    channels: fc.constant([] as number[]),
    respect_robots: fc.boolean(),
    selectors: fc.array(selector, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['url'] },
);

async function exported(): Promise<string> {
  const response = await agent.client.transport.send({ method: 'GET', path: '/x/monitors/export?format=yaml' });
  assert.equal(response.headers.get('content-type'), 'application/yaml; charset=utf-8');
  return await response.text();
}

/** All that people said of their monitors, oldest first. */
async function said(): Promise<unknown> {
  const monitors = await agent.client.monitors.list({});
  return JSON.parse(JSON.stringify(monitors.toReversed(), (name, value: unknown) => (OWN.has(name) ? undefined : value)));
}

/** Members that the agent gives by itself. */
const OWN = new Set(['id', 'monitor_id', 'selector_id', 'dataset_id', 'state', 'created_at', 'updated_at', 'next_check_at']);

async function removeAll(): Promise<void> {
  for (const { id } of await agent.client.monitors.list({})) await agent.client.monitors.delete({ id });
}

/** A monitor that has the id which another has in the document. */
async function monitorOf(one: TestAgent): Promise<void> {
  await one.client.monitors.create({ url: URL, active: false });
}

async function channelsOf(one: TestAgent) {
  return (await one.client.notices.channels({})).data;
}

describe('configuration', () => {
  test('goes out and in again without a change, as YAML and as JSON', async () => {
    await agent.client.monitorTags.put({ name: 'shops', schedule: { every: 600 }, filter: { ignore: ['visits: 1'] } });
    const property = fc.asyncProperty(fc.array(monitor, { minLength: 1, maxLength: 4 }), async (bodies) => {
      await removeAll();
      for (const body of bodies) await agent.client.monitors.create(JSON.parse(JSON.stringify(body)) as NewMonitor);
      const before = await said();
      const [yaml, json] = [await exported(), JSON.stringify(await agent.client.monitors.export({}))];
      for (const content of [yaml, json]) {
        await removeAll();
        const { monitors, left_out: leftOut } = await agent.client.monitors.import({ content });
        assert.deepEqual([monitors.length, leftOut], [bodies.length, []]);
        assert.deepEqual(await said(), before);
        assert.equal(await exported(), yaml);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test('automations and channels go with it, and come in to an agent that has neither, without what is sealed', async () => {
    await using from = await startTestAgent();
    const { client } = from;
    const monitor = async (name: string) =>
      (await client.monitors.create({ name, url: URL, active: false, selectors: [{ selector: '.p', extractors: [{ type: 'price' }] }] }))
        .id;
    await monitor('not named');
    const [first, second] = [await monitor('same name'), await monitor('same name')];
    const hook = await client.notices.createChannel({
      name: 'hook',
      to: { kind: 'webhook', url: 'https://hook.example/' },
      secrets: { secret: SECRET },
      level_min: 'warning',
      quiet: { from: '22:00', to: '06:00', drop: false },
    });
    await client.notices.createChannel({ name: 'screen', to: { kind: 'desktop' }, default: false });
    await client.monitors.update({ id: second, channels: [hook.id] });
    const workflow = await client.workflows.create({ name: 'Shelf', steps: [{ id: 'go', type: 'navigate', url: URL }] });
    const crawl = await client.crawlDefinitions.create({ url: URL, name: 'Shop' });
    const called = await client.automations.create({
      name: 'called',
      triggers: [{ type: 'call' }],
      actions: [{ type: 'pause', seconds: 1 }],
      enabled: false,
    });
    await client.automations.create({
      name: 'all of it',
      mode: 'queued',
      max: 3,
      triggers: [
        { type: 'value', monitor_id: second, name: 'price', below: 20 },
        { type: 'run_finished', ref: crawl.slug, status: ['failed'] },
        { type: 'schedule', schedule: { cron: '0 9 * * 1' } },
      ],
      conditions: [{ value: `{{values.${first}.price}}`, op: 'lt', with: 20 }, { windows: [{ from: '08:00', to: '20:00' }] }],
      actions: [
        { type: 'check', monitor_id: first },
        {
          type: 'run_workflow',
          workflow_id: workflow.id,
          inputs: { monitor_id: `{{values.${second}.price}} of {{states.${first}}}, values.${first}` },
        },
        { type: 'set', monitor_id: second, patch: { active: true, channels: [hook.id] } },
        { type: 'set', automation_id: called.id, patch: { enabled: true } },
        { type: 'notify', channels: [hook.id], title: 'Cheaper', body: `{{ values.${second}.price }}` },
      ],
    });
    const yaml = async (agent: TestAgent) =>
      await (await agent.client.transport.send({ method: 'GET', path: '/x/monitors/export?format=yaml' })).text();
    const before = await yaml(from);
    assert.doesNotMatch(before, /whsec_/);
    for (const part of [
      'monitor: 3\n',
      '{{values.3.price}} of {{states.2}}',
      '{{values.2.price}}',
      'workflow: shelf',
      'ref: shop',
      'automation: 1',
    ])
      assert.ok(before.includes(part), `${part}\n${before}`);

    await using to = await startTestAgent();
    await monitorOf(to);
    await to.client.workflows.create({ name: 'Shelf', steps: [{ id: 'go', type: 'navigate', url: URL }] });
    await to.client.crawlDefinitions.create({ url: URL, name: 'Shop' });
    const dry = await to.client.monitors.import({ content: before, dry_run: true });
    const namesIn = ({ channels, automations }: typeof dry) => [channels, automations].map((all) => all.map(({ name }) => name));
    assert.deepEqual([...namesIn(dry), dry.left_out], [['hook', 'screen'], ['called', 'all of it'], []]);
    assert.deepEqual(await to.client.automations.list({}), []);
    const made = await to.client.monitors.import({ content: before });
    assert.deepEqual([...namesIn(made), made.left_out], [...namesIn(dry), []]);
    await to.client.monitors.delete({ id: 1 });
    assert.equal(await yaml(to), before);
    const [kept] = await channelsOf(to);
    assert.deepEqual([kept?.enabled, kept?.secrets, kept?.level_min], [false, [], 'warning']);
    assert.match(kept?.disabled_reason ?? '', /came in without its secret/);
    await assert.rejects(to.client.notices.updateChannel({ id: kept?.id ?? 0, enabled: true }), { status: 400 });
    await to.client.notices.updateChannel({ id: kept?.id ?? 0, enabled: true, secrets: { secret: SECRET } });
    const again = await to.client.monitors.import({ content: before });
    assert.deepEqual([again.channels, again.left_out], [[], []], 'a channel is there once');
    await to.client.crawlDefinitions.delete({ ref: 'shop' });
    assert.match(await yaml(to), /ref: "?0"?\n/, 'what names something that is gone goes out, and does not come in');
  });

  test('an automation that can not be made is left out with its reason, and whatever names it', async () => {
    await using agent = await startTestAgent();
    const actions = [{ type: 'pause', seconds: 1 }];
    const automations = [
      { number: 1, name: 'no such monitor', triggers: [{ type: 'change', monitor: 7 }], actions },
      { number: 2, name: 'names it', triggers: [{ type: 'call' }], actions: [{ type: 'set', automation: 1, patch: { enabled: true } }] },
      { number: 3, name: 'no such value', triggers: [{ type: 'value', monitor: 1, name: 'price', below: 1 }], actions },
      { number: 4, name: 'no such channel', triggers: [{ type: 'call' }], actions: [{ type: 'notify', channels: ['nobody'] }] },
      { number: 5, name: 'fits', triggers: [{ type: 'change', monitor: 1 }], actions },
      'none',
    ];
    const content = JSON.stringify({ weft: 1, monitors: [{ number: 1, url: URL, active: false }], automations });
    const made = await agent.client.monitors.import({ content });
    assert.deepEqual(made.automations, [{ id: 1, path: 'automations[4]', name: 'fits' }]);
    assert.deepEqual(made.left_out.map(({ path, message }) => [path, message.split(/[;:,]/)[0]]).toSorted(), [
      ['automations[0]', 'There is no monitor of number 7 in the document. It is left out as a whole.'],
      ['automations[1]', 'It names an automation that is not in the document or left out'],
      ['automations[2]', '"triggers[0].name"'],
      ['automations[3]', 'There is no channel "nobody". It is left out as a whole.'],
      ['automations[5]', 'It is no object.'],
    ]);
    const screen = { name: 'screen', to: { kind: 'desktop' } };
    const monitors = [
      { url: URL, active: false, channels: ['screen', 'nobody'] },
      { url: URL, active: false, channels: ['screen'] },
    ];
    const named = await agent.client.monitors.import({ content: JSON.stringify({ weft: 1, channels: [screen, screen], monitors }) });
    assert.deepEqual([named.channels.length, named.left_out.map(({ path }) => path)], [1, ['channels[1]', 'monitors[0]']]);
    assert.deepEqual((await agent.client.monitors.read({ id: named.monitors[0]?.id ?? 0 })).channels, [named.channels[0]?.id]);
  });

  test('names what else it needs, and leaves out what is not there', async () => {
    await removeAll();
    const workflow = await agent.client.workflows.create({ name: 'Shelf', steps: [{ id: 'go', type: 'navigate', url: URL }] });
    await agent.client.monitors.create({ workflow_id: workflow.id });
    const { monitors } = JSON.parse(JSON.stringify(await agent.client.monitors.export({}))) as { monitors: object[] };
    assert.deepEqual(monitors, [{ name: `workflow ${workflow.id}`, workflow: workflow.slug }]);
    const there = await agent.client.monitors.import({ content: JSON.stringify({ weft: 1, monitors }) });
    assert.equal(there.monitors[0]?.monitor.workflow_id, workflow.id);
    const gone = { weft: 1, monitors: [{ workflow: 'none' }, { url: URL, channels: ['nobody'] }, { url: URL, selectr: 1 }], more: 1 };
    const { monitors: made, left_out: leftOut } = await agent.client.monitors.import({ content: JSON.stringify(gone) });
    assert.deepEqual(made, []);
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['more', 'monitors[0]', 'monitors[1]', 'monitors[2]'],
    );
    assert.match(leftOut[3]?.message ?? '', /selectr/);
  });
});

describe('files of other programs', () => {
  const ids = async () => (await agent.client.monitors.list({})).map(({ id }) => id);

  test('are shown before anything is made of them, and then made as they were shown', async () => {
    await removeAll();
    const content = `${URL}a\n${URL}b | B\n`;
    const dry = await agent.client.monitors.import({ content, dry_run: true });
    assert.deepEqual(await ids(), []);
    const made = await agent.client.monitors.import({ content });
    assert.deepEqual(
      made.monitors.map(({ id: _id, ...rest }) => rest),
      dry.monitors,
    );
    assert.deepEqual(await ids(), made.monitors.map(({ id }) => id).toReversed());
    assert.equal((await agent.client.monitors.read({ id: made.monitors[1]?.id ?? 0 })).name, 'B');
  });

  test('are made whole or not at all, and say what does not fit', async () => {
    await removeAll();
    const often = Array.from({ length: 300 }, (_, place) => ({ url: `${URL}${place}`, schedule: { every: 5 } }));
    const content = JSON.stringify({ weft: 1, tags: [{ name: 'new-one', confirm: { times: 2 } }], monitors: often });
    for (const dry_run of [true, false])
      await assert.rejects(agent.client.monitors.import({ content, dry_run }), {
        code: 'device_capacity',
        message: /would come to 3600 a minute/,
      });
    assert.deepEqual(await ids(), []);
    await assert.rejects(agent.client.monitorTags.read({ name: 'new-one' }), { code: 'not_found' });
  });

  test('come as an upload, too', async () => {
    await removeAll();
    const watch = { url: URL, include_filters: ['.price'], tag: 'Shops', notification_urls: ['json://127.0.0.1/x'] };
    const backup = zipSync({ 'w1/watch.json': new TextEncoder().encode(JSON.stringify(watch)) });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(backup)]), 'backup.zip');
    const response = await agent.client.transport.send({ method: 'POST', path: '/v1/files', body: form });
    const { id } = (await response.json()) as { id: string };
    const { monitors, left_out: leftOut, format } = await agent.client.monitors.import({ file_id: id });
    assert.equal(format, 'changedetection');
    assert.deepEqual(monitors[0]?.monitor.selectors, [{ selector: 'css/.price', many: true }]);
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ['w1/watch.json.notification_urls'],
    );
  });

  test('are bounded', async () => {
    await removeAll();
    const bomb = Buffer.from(zipSync({ 'w1/watch.json': new Uint8Array(70_000_000) })).toString('base64');
    await assert.rejects(agent.client.monitors.import({ content: bomb }), { code: 'bad_request', message: /unpacks to more/ });
    const lines = Array.from({ length: 600 }, (_, place) => `https://shop.example/${place}`);
    const { monitors, left_out: leftOut } = await agent.client.monitors.import({ content: lines.join('\n') });
    assert.deepEqual([monitors.length, leftOut], [600, []]);
    await assert.rejects(agent.client.monitors.import({ content: '{"weft":2}' }), { code: 'bad_request', message: /version 2/ });
    await assert.rejects(agent.client.monitors.import({ content: 'x', file_id: 'file_1' }), { code: 'bad_request' });
  });
});

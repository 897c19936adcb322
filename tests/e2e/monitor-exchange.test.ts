// Monitors of other programs in, and all configuration out and in, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import type { NewMonitor } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';

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

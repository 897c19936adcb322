// Tags: what they pass on to the monitors that name them, and when.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Check, Monitor, NewMonitor, Run } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { VersionedSite } from '../sites/versions.ts';

const HOUR_MS = 3_600_000;
const page = (words: string) => `<!doctype html><html lang="en"><title>Shop</title><body><p>${words}</p></body></html>`;

describe('tags of monitors', () => {
  let agent: TestAgent;
  let site: VersionedSite;
  before(async () => {
    [agent, site] = await Promise.all([startTestAgent(), startVersionedSite()]);
    site.set('/', page('Tea'));
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  async function make(body: Partial<NewMonitor>): Promise<Monitor> {
    return await agent.client.monitors.create({ url: `${site.origin}/`, ...body });
  }
  async function check(id: number): Promise<Check> {
    const run = (await agent.client.monitors.run({ id, wait: true })) as Run;
    return (await agent.client.runs.results({ id: run.id })).output as Check;
  }
  const read = (id: number) => agent.client.monitors.read({ id });
  const dueIn = async (id: number) => Date.parse((await read(id)).next_check_at ?? '') - agent.clock.now();

  test('null takes out a member of a setting, and leaves the others of it', async () => {
    await using own = await startTestAgent();
    const { monitors } = own.client;
    const headers = { accept: 'text/html', 'x-a': '1' };
    const { id } = await monitors.create({
      url: 'http://127.0.0.1:9/',
      active: false,
      filter: { ignore: ['a'], trigger: ['b'] },
      confirm: { times: 2 },
      headers,
    });
    const patched = await monitors.update({
      id,
      filter: { ignore: null, sort_lines: true },
      confirm: { times: null, hold: 60 },
      headers: { 'x-a': null },
    });
    assert.deepEqual(
      [patched.filter, patched.confirm, patched.headers],
      [{ trigger: ['b'], sort_lines: true }, { hold: 60 }, { accept: 'text/html' }],
    );
    assert.deepEqual((await monitors.update({ id, schedule: { every: 60, cron: null } })).schedule, { every: 60 });
  });

  test('a later tag is stronger than an earlier one, and the monitor itself is strongest', async () => {
    await agent.client.monitorTags.put({ name: 'slow', schedule: { every: 86_400 }, lane: 'http', respect_robots: false });
    await agent.client.monitorTags.put({ name: 'quick', schedule: { every: 60 } });
    const both = await make({ tags: ['slow', 'quick'], active: false });
    assert.deepEqual([both.schedule, both.lane, both.respect_robots], [{ every: 60 }, 'http', false]);
    const own = await make({ tags: ['quick', 'slow'], schedule: { every: 900 }, active: false });
    assert.deepEqual([own.schedule, own.lane], [{ every: 900 }, 'http']);
    assert.equal((await agent.client.monitorTags.read({ name: 'slow' })).monitors, 2);
  });

  test('a monitor may name a tag that there is not yet, and is due anew once that has a schedule', async () => {
    const { id } = await make({ tags: ['later'] });
    await check(id);
    assert.ok((await dueIn(id)) > HOUR_MS / 2, 'every hour');
    await agent.client.monitorTags.put({ name: 'later', schedule: { every: 60, jitter: 0 } });
    assert.deepEqual((await read(id)).schedule, { every: 60, jitter: 0 });
    assert.ok((await dueIn(id)) <= 60_000, 'within a minute');
    await agent.client.monitorTags.update({ name: 'later', schedule: { cron: '0 9 * * *', timezone: 'UTC' } });
    assert.match((await read(id)).next_check_at ?? '', /T09:00:00/);
    await agent.client.monitorTags.delete({ name: 'later' });
    assert.deepEqual((await read(id)).schedule, { every: 3600 });
    assert.ok((await dueIn(id)) <= HOUR_MS, 'every hour again');
    assert.deepEqual((await read(id)).tags, ['later']);
  });

  test('a monitor with a schedule of its own stays due when it was, and a paused one is not due', async () => {
    const own = await make({ tags: ['hasty'], schedule: { every: 7200 } });
    const paused = await make({ tags: ['hasty'], active: false });
    const before = (await read(own.id)).next_check_at;
    await agent.client.monitorTags.put({ name: 'hasty', schedule: { every: 300 } });
    assert.equal((await read(own.id)).next_check_at, before);
    assert.equal((await read(paused.id)).next_check_at, undefined);
  });

  test('a rule of a tag is applied to the same bytes from its first check on, and no longer once it is gone', async () => {
    site.set('/', page('Tea 1'));
    const { id } = await make({ tags: ['noise'], active: false });
    await check(id);
    site.set('/', page('Tea 2'));
    await agent.client.monitorTags.put({ name: 'noise', filter: { ignore: [String.raw`/\d/`] } });
    assert.equal((await check(id)).trace.find(({ gate }) => gate === 'ignore')?.outcome, 'passed');
    await agent.client.monitorTags.update({ name: 'noise', filter: null, lane: 'http' });
    assert.equal((await check(id)).trace.find(({ gate }) => gate === 'ignore')?.outcome, 'skipped');
  });

  test('a tag is refused as a whole for what it names or asks for, and nothing of it is kept', async () => {
    const refused = async (settings: object, pattern: RegExp) =>
      await assert.rejects(agent.client.monitorTags.put({ name: 'bad', ...settings }), pattern);
    await refused({ filter: { trigger: ['/(/'] } }, /"filter.trigger\[0\]" can't be read/);
    await refused({ proxy: 'none' }, /The settings name no proxy "none"/);
    await refused({ channels: [99] }, /channel 99/);
    await refused({ schedule: { cron: '0 12 * * *', windows: [{ from: '22:00', to: '06:00' }] } }, /never comes due/);
    await assert.rejects(agent.client.monitorTags.put({ name: 'Bad Name' }), /must be a tag/);
    await assert.rejects(agent.client.monitorTags.read({ name: 'bad' }), /There is no tag "bad"/);
  });

  test('D40 what a tag asks of all its monitors is held against the capacity as a whole', async () => {
    await using other = await startTestAgent();
    const { lanes } = await other.client.monitors.capacity();
    const often = { every: 5 };
    // One more than fit with that interval.
    const count = Math.floor(lanes.http.capacity_per_minute / (60 / often.every)) + 1;
    for (let n = 1; n <= count; n++) await other.client.monitors.create({ url: `${site.origin}/${n}`, tags: ['many'] });
    await assert.rejects(
      other.client.monitorTags.put({ name: 'many', schedule: often }),
      /Checks in the http lane would come to .* a minute, and this machine is taken to make/,
    );
    await assert.rejects(other.client.monitorTags.read({ name: 'many' }), /There is no tag "many"/);
    assert.deepEqual((await other.client.monitors.read({ id: 1 })).schedule, { every: 3600 });
    await other.client.monitors.update({ id: 1, schedule: often });
    await other.client.monitorTags.put({ name: 'many', schedule: { every: 60 } });
  });
});

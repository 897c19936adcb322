// Automations over HTTP: each trigger, condition and action, on a site whose pages change.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Automation, Run } from '@weft/contract';
import { startStage } from '../automating.ts';
import type { Settled, Stage } from '../automating.ts';

/** What does nothing but say that it was done. */
const SAY = { type: 'notify', body: 'Said.' } as const;
const HOUR_MS = 3_600_000;

suite('what sets automations off (D39)', () => {
  let stage: Stage;
  before(async () => void (stage = await startStage()));
  after(async () => await stage[Symbol.asyncDispose]());

  const onlyOf = async (id: number): Promise<Settled> => {
    const [first] = await stage.runsOf(id, 1);
    assert.ok(first);
    return first;
  };

  test('a change of a monitor, of the kinds that are asked for', async () => {
    const monitor = await stage.watch('/change');
    const any = await stage.automate({ triggers: [{ type: 'change', monitor_id: monitor }], actions: [SAY] });
    const other = await stage.automate({ triggers: [{ type: 'change', monitor_id: monitor, kinds: ['gone'] }], actions: [SAY] });
    await stage.check(monitor, '/change', 10);
    const check = await stage.check(monitor, '/change', 12);
    const { run, trace } = await onlyOf(any);
    assert.deepEqual([run.status, run.kind, run.trigger, trace.outcome], ['succeeded', 'automation', 'automation', 'done']);
    const { type, monitor: of, run: by, change } = trace.trigger as Record<string, Record<string, unknown>>;
    assert.deepEqual([type, of?.['id'], by?.['id'], change?.['kind']], ['change', monitor, check, 'price']);
    await stage.runsOf(other, 0);
  });

  test('a change of any monitor with a tag', async () => {
    const monitor = await stage.watch('/tag', { tags: ['shelf'] });
    const id = await stage.automate({ triggers: [{ type: 'change', tag: 'shelf' }], actions: [SAY] });
    await stage.check(monitor, '/tag', 10);
    await stage.check(monitor, '/tag', 12);
    const { trace } = await onlyOf(id);
    assert.match(String(trace.trigger['summary']), /12/);
  });

  test('a value that crosses a limit, and not one that is beyond it already', async () => {
    const monitor = await stage.watch('/value');
    await stage.check(monitor, '/value', 120);
    const id = await stage.automate({ triggers: [{ type: 'value', monitor_id: monitor, name: 'price', below: 100 }], actions: [SAY] });
    for (const amount of [110, 90, 80, 70]) await stage.check(monitor, '/value', amount);
    const { trace } = await onlyOf(id);
    assert.deepEqual([trace.trigger['value'], trace.trigger['name']], [90, 'price']);
    await stage.check(monitor, '/value', 100);
    await stage.check(monitor, '/value', 99);
    assert.equal((await stage.runsOf(id, 2)).length, 2);
  });

  test('a value that was beyond the limit when the automation was made has not crossed it', async () => {
    const monitor = await stage.watch('/beyond');
    await stage.check(monitor, '/beyond', 50);
    const id = await stage.automate({ triggers: [{ type: 'value', monitor_id: monitor, name: 'price', below: 100 }], actions: [SAY] });
    await stage.check(monitor, '/beyond', 40);
    await stage.runsOf(id, 0);
  });

  test('a value that has held for long enough, once', async () => {
    const monitor = await stage.watch('/held');
    await stage.check(monitor, '/held', 120);
    const held = { type: 'held', monitor_id: monitor, name: 'price', below: 100, seconds: 600 };
    const id = await stage.automate({ triggers: [held], actions: [SAY] });
    await stage.check(monitor, '/held', 90);
    stage.agent.clock.advance(300_000);
    await stage.check(monitor, '/held', 110);
    stage.agent.clock.advance(HOUR_MS);
    await stage.runsOf(id, 0);
    await stage.check(monitor, '/held', 90);
    stage.agent.clock.advance(601_000);
    const { trace } = await onlyOf(id);
    assert.equal(trace.trigger['summary'], `price of monitor ${monitor} has been below 100 for 600 seconds.`);
    stage.agent.clock.advance(HOUR_MS);
    await stage.runsOf(id, 1);
  });

  test('a state that holds since before the automation was made', async () => {
    const monitor = await stage.watch('/state');
    await stage.check(monitor, '/state', 120);
    const id = await stage.automate({ triggers: [{ type: 'held', monitor_id: monitor, state: 'ok', seconds: 60 }], actions: [SAY] });
    stage.agent.clock.advance(61_000);
    assert.equal((await onlyOf(id)).trace.trigger['state'], 'ok');
  });

  test('trouble with looking, and a run that fails', async () => {
    const monitor = await stage.watch('/trouble', { trouble: { after: 1 } });
    const workflow = await workflowOf({ id: 'no', type: 'assert', that: { value: 1, op: 'eq', with: 2 } });
    const looks = await stage.automate({ triggers: [{ type: 'error', monitor_id: monitor }], actions: [SAY] });
    const fails = await stage.automate({ triggers: [{ type: 'error', workflow_id: workflow }], actions: [SAY] });
    await stage.check(monitor, '/trouble', 10);
    stage.site.set('/trouble', { body: '', status: 500 });
    await stage.call('POST', `/v1/monitors/${monitor}/run?wait=true`);
    assert.equal((await onlyOf(looks)).trace.trigger['type'], 'error');
    await stage.call('POST', `/v1/workflows/${workflow}/run?wait=true`);
    const { run } = (await onlyOf(fails)).trace.trigger as { readonly run: Run };
    assert.deepEqual([run.status, run.failure?.code], ['failed', 'assert']);
  });

  test('a run that waits for a person, and one that is finished', async () => {
    const workflow = await workflowOf({ id: 'ask', type: 'pause', reason: 'approval', instructions: 'Look.' });
    const waits = await stage.automate({ triggers: [{ type: 'waits_human', workflow_id: workflow }], actions: [SAY] });
    const ends = await stage.automate({
      triggers: [{ type: 'run_finished', workflow_id: workflow, status: ['cancelled'] }],
      actions: [SAY],
    });
    const { body } = await stage.call('POST', `/v1/workflows/${workflow}/run`);
    await onlyOf(waits);
    await stage.runsOf(ends, 0);
    await stage.call('POST', `/v1/runs/${(body as Run).id}/cancel`);
    assert.equal(((await onlyOf(ends)).trace.trigger['run'] as Run).status, 'cancelled');
  });

  test('a check and a crawl that are finished', async () => {
    const monitor = await stage.watch('/finished');
    stage.site.set('/crawl', '<p>One page.</p>');
    const crawl = await stage.call('POST', '/v1/crawl/definitions', { slug: 'one', url: `${stage.site.origin}/crawl`, limit: 1 });
    assert.equal(crawl.status, 201, JSON.stringify(crawl.body));
    const checks = await stage.automate({ triggers: [{ type: 'run_finished', monitor_id: monitor }], actions: [SAY] });
    const crawls = await stage.automate({ triggers: [{ type: 'run_finished', ref: 'one' }], actions: [SAY] });
    await stage.check(monitor, '/finished', 1);
    await onlyOf(checks);
    await stage.call('POST', '/v1/crawl/definitions/one/run', { wait: true });
    assert.match(String((await onlyOf(crawls)).trace.trigger['summary']), /succeeded/);
  });

  test('a schedule', async () => {
    const id = await stage.automate({ triggers: [{ type: 'schedule', schedule: { every: 600, jitter: 0 } }], actions: [SAY] });
    const { next_run_at: next } = (await stage.call('GET', `/v1/automations/${id}`)).body as Automation;
    assert.ok(next !== undefined);
    stage.agent.clock.advance(Date.parse(next) - stage.agent.clock.now() + 1000);
    const { run } = await onlyOf(id);
    assert.equal(run.trigger, 'schedule');
    await stage.call('DELETE', `/v1/automations/${id}`);
  });

  test('a call, whose payload has to fit where the trigger says how', async () => {
    const payload = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const id = await stage.automate({
      triggers: [{ type: 'call', payload }],
      actions: [{ type: 'notify', body: 'It is {{trigger.payload.n}}.' }],
    });
    const refused = await stage.call('POST', `/v1/automations/${id}/run`, { payload: { n: 'x' } });
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body), /payload/);
    const { status, body } = await stage.call('POST', `/v1/automations/${id}/run?wait=true`, { payload: { n: 7 } });
    assert.deepEqual([status, (body as Run).status, (body as Run).trigger], [200, 'succeeded', 'call']);
  });

  async function workflowOf(step: object): Promise<number> {
    const { status, body } = await stage.call('POST', '/v1/workflows', { name: 'W', steps: [step] });
    assert.equal(status, 201, JSON.stringify(body));
    return (body as { id: number }).id;
  }
});

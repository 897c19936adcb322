// Runs of automations over HTTP: conditions, actions, modes, and what becomes of them where something is deleted.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Automation, Delivery, Monitor, Run } from '@weft/contract';
import { startStage } from '../automating.ts';
import type { Settled, Stage } from '../automating.ts';
import { SECRET } from '../noticing.ts';
import { serveReceiver } from '../sites/receiver.ts';
import { until } from '../until.ts';

const SAY = { type: 'notify', body: 'Said.' } as const;
const CALL = { triggers: [{ type: 'call' }] };
const ASK = { id: 'ask', type: 'pause', reason: 'approval', instructions: 'Look.' };

suite('what automations do (D39)', () => {
  let stage: Stage;
  before(async () => void (stage = await startStage()));
  after(async () => await stage[Symbol.asyncDispose]());

  /** Runs it by hand and waits for its end. */
  const runNow = async (id: number, payload?: unknown, token?: string): Promise<Settled> => {
    const { status, body } = await stage.call(
      'POST',
      `/v1/automations/${id}/run?wait=true`,
      payload === undefined ? {} : { payload },
      token,
    );
    assert.equal(status, 200, JSON.stringify(body));
    const results = await stage.call('GET', `/v1/runs/${(body as Run).id}/results`);
    return { run: body as Run, trace: (results.body as { output: Settled['trace'] }).output };
  };
  const workflowOf = async (steps: readonly object[], more: object = {}): Promise<number> => {
    const { status, body } = await stage.call('POST', '/v1/workflows', { name: 'W', steps, ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return (body as { id: number }).id;
  };
  const read = async (id: number) => (await stage.call('GET', `/v1/automations/${id}`)).body as Automation;
  const refusalOf = async (body: object) => {
    const { status, body: refusal } = await stage.call('POST', '/v1/automations', { name: 'Bad', ...body });
    return `${status} ${(refusal as { error: string }).error}`;
  };

  test('conditions decide with their reasons, on the trigger, on monitors as they are, and on the time', async () => {
    const monitor = await stage.watch('/conditions');
    await stage.check(monitor, '/conditions', 90);
    const conditions = [
      { value: '{{trigger.payload.n}}', op: 'gt', with: 1 },
      { value: `{{values.${monitor}.price}}`, op: 'lt', with: 100 },
      { value: `{{states.${monitor}}}`, op: 'eq', with: 'ok' },
      { windows: [{ from: '00:00', to: '24:00' }], timezone: 'UTC' },
    ];
    const id = await stage.automate({ ...CALL, conditions, actions: [SAY] });
    const acted = await runNow(id, { n: 2 });
    assert.deepEqual([acted.trace.outcome, acted.trace.conditions.map(({ holds }) => holds)], ['done', [true, true, true, true]]);
    await stage.check(monitor, '/conditions', 120);
    const held = await runNow(id, { n: 2 });
    assert.deepEqual([held.run.status, held.trace.outcome, held.trace.actions[0]?.status], ['succeeded', 'conditions', 'not_reached']);
    assert.deepEqual(held.trace.conditions[1], { holds: false, reasons: ['"120" lt "100": does not hold.'] });
    const night = [{ windows: [{ from: '23:00', to: '24:00' }], timezone: 'UTC' }];
    const late = await runNow(await stage.automate({ ...CALL, conditions: night, actions: [SAY] }));
    assert.match(late.trace.conditions[0]?.reasons[0] ?? '', /the next window opens at 2026-01-01T23:00/);
  });

  test('actions run in their order, see what came before them, and are children of the run', async () => {
    const monitor = await stage.watch('/actions');
    stage.site.set('/actions', '<p class="price">$5</p>');
    stage.site.set('/crawl', '<p>One page.</p>');
    await stage.call('POST', '/v1/crawl/definitions', { slug: 'two', url: `${stage.site.origin}/crawl`, limit: 1 });
    const inputs = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
    const workflow = await workflowOf([{ id: 'v', type: 'setVar', name: 'said', value: '{{inputs.q}}!' }], {
      inputs,
      output: '{{vars.said}}',
    });
    const id = await stage.automate({
      ...CALL,
      actions: [
        { type: 'run_workflow', workflow_id: workflow, inputs: { q: '{{trigger.payload.word}}' } },
        { type: 'run_crawl', ref: 'two' },
        { type: 'check', monitor_id: monitor },
        { type: 'pause', seconds: 60 },
        { type: 'run_workflow', workflow_id: workflow, inputs: { q: '{{actions.0.run.output}}' }, wait: false },
      ],
    });
    const { run, trace } = await runNow(id, { word: 'hello' });
    assert.equal(run.status, 'succeeded', JSON.stringify(trace));
    assert.deepEqual(
      trace.actions.map(({ status }) => status),
      ['done', 'done', 'done', 'done', 'done'],
    );
    const children = await Promise.all(
      trace.actions.flatMap(({ run_id: child }) => (child === undefined ? [] : [stage.call('GET', `/v1/runs/${child}`)])),
    );
    const kinds = children.map(({ body }) => [(body as Run).kind, (body as Run).trigger, (body as Run).parent_id]);
    assert.deepEqual(
      kinds,
      ['workflow', 'crawl', 'monitor', 'workflow'].map((kind) => [kind, 'automation', run.id]),
    );
    const last = trace.actions[4]?.run_id;
    await until(async () => ((await stage.call('GET', `/v1/runs/${last}`)).body as Run).status === 'succeeded');
    assert.equal(((await stage.call('GET', `/v1/runs/${last}/results`)).body as { output: string }).output, 'hello!!');
  });

  test('a notice is told with its own words, to the channels that are named', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    const to = { kind: 'webhook', url: receiver.url };
    const made = await stage.call('POST', '/x/notices/channels', { name: 'hook', to, secrets: { secret: SECRET }, default: false });
    const channel = (made.body as { id: number }).id;
    const notify = {
      type: 'notify',
      channels: [channel],
      title: 'Look: {{trigger.payload}}',
      body: 'It is {{trigger.payload}}.',
      level: 'warning',
    };
    const { trace } = await runNow(await stage.automate({ ...CALL, actions: [notify] }), 'late');
    assert.equal(trace.outcome, 'done');
    const { body } = await stage.call('GET', `/x/notices/deliveries?channel_id=${channel}`);
    const [delivery] = (body as { data: Delivery[] }).data;
    assert.deepEqual([delivery?.event, delivery?.level, delivery?.subject.kind], ['automation.notice', 'warning', 'automation']);
    await until(() => receiver.calls.length === 1);
    const { data } = JSON.parse(receiver.calls[0]?.body ?? '{}') as { data: Record<string, unknown> };
    assert.equal(data['message'], 'It is late.');
  });

  test('a monitor and another automation are set', async () => {
    const monitor = await stage.watch('/set');
    const other = await stage.automate({ ...CALL, actions: [SAY] });
    const actions = [
      { type: 'set', monitor_id: monitor, patch: { active: true } },
      { type: 'set', automation_id: other, patch: { enabled: false } },
    ];
    assert.equal((await runNow(await stage.automate({ ...CALL, actions }))).trace.outcome, 'done');
    assert.equal(((await stage.call('GET', `/v1/monitors/${monitor}`)).body as Monitor).active, true);
    assert.equal((await read(other)).enabled, false);
    await stage.call('DELETE', `/v1/monitors/${monitor}`);
  });

  test('the first action that fails ends the run, unless it says otherwise', async () => {
    const fails = await workflowOf([{ id: 'no', type: 'assert', that: { value: 1, op: 'eq', with: 2 } }]);
    const action = { type: 'run_workflow', workflow_id: fails };
    const ended = await runNow(await stage.automate({ ...CALL, actions: [action, SAY] }));
    assert.deepEqual([ended.run.status, ended.run.failure?.code, ended.run.failure?.step_id], ['failed', 'assert', 'actions[0]']);
    assert.deepEqual(
      ended.trace.actions.map(({ status }) => status),
      ['failed', 'not_reached'],
    );
    const went = await runNow(await stage.automate({ ...CALL, actions: [{ ...action, continue_on_error: true }, SAY] }));
    assert.deepEqual([went.run.status, went.trace.actions.map(({ status }) => status)], ['succeeded', ['failed', 'done']]);
    const misfits = { type: 'run_workflow', workflow_id: fails, inputs: { odd: 1 } };
    const refused = await runNow(await stage.automate({ ...CALL, actions: [misfits] }));
    assert.equal(refused.run.failure?.code, 'input');
  });

  test('single refuses while a run goes on and says so, and a run that is cancelled takes its child with it', async () => {
    const id = await stage.automate({ ...CALL, actions: [{ type: 'run_workflow', workflow_id: await workflowOf([ASK]) }] });
    const first = await begin(id);
    const refused = await stage.call('POST', `/v1/automations/${id}/run`, {});
    assert.deepEqual([refused.status, (refused.body as Run).status], [200, 'cancelled']);
    const { output } = (await stage.call('GET', `/v1/runs/${(refused.body as Run).id}/results`)).body as { output: Settled['trace'] };
    assert.deepEqual([output.outcome, output.reason], ['refused', `Run ${first} still goes on, and the mode is single.`]);
    const child = await childOf(first);
    await stage.call('POST', `/v1/runs/${first}/cancel`);
    await until(async () => (await statusOf(child)) === 'cancelled');
  });

  test('restart ends the run that goes on', async () => {
    const id = await stage.automate({
      ...CALL,
      mode: 'restart',
      actions: [{ type: 'run_workflow', workflow_id: await workflowOf([ASK]) }],
    });
    const first = await begin(id);
    const child = await childOf(first);
    const second = await begin(id);
    await until(async () => (await statusOf(child)) === 'cancelled');
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['cancelled', 'running']);
    await stage.call('DELETE', `/v1/automations/${id}`);
    assert.equal(await statusOf(second), 'cancelled');
  });

  test('queued runs act one after another, and at most so many wait', async () => {
    const workflow = await workflowOf([ASK]);
    const id = await stage.automate({ ...CALL, mode: 'queued', max: 2, actions: [{ type: 'run_workflow', workflow_id: workflow }] });
    const first = await begin(id);
    const child = await childOf(first);
    const second = ((await stage.call('POST', `/v1/automations/${id}/run`, {})).body as Run).id;
    const third = (await stage.call('POST', `/v1/automations/${id}/run`, {})).body as Run;
    assert.equal(third.status, 'cancelled');
    await until(async () => (await statusOf(child)) === 'waiting_human');
    assert.deepEqual(
      (await traceOf(second)).actions.map(({ status }) => status),
      ['not_reached'],
    );
    await stage.call('POST', `/x/runs/${child}/answer`, { text: 'yes' });
    await until(async () => (await statusOf(first)) === 'succeeded');
    await stage.call('POST', `/v1/runs/${await childOf(second)}/cancel`);
    await until(async () => (await statusOf(second)) === 'failed');
  });

  test('parallel runs act beside each other, up to their number', async () => {
    const workflow = await workflowOf([ASK]);
    const id = await stage.automate({ ...CALL, mode: 'parallel', max: 2, actions: [{ type: 'run_workflow', workflow_id: workflow }] });
    const [first, second] = [await begin(id), await begin(id)];
    await Promise.all([childOf(first), childOf(second)]);
    const third = (await stage.call('POST', `/v1/automations/${id}/run`, {})).body as Run;
    assert.match((await traceOf(third.id)).reason ?? '', /2 runs are live, the mode is parallel, and at most 2 may be/);
    await stage.call('DELETE', `/v1/automations/${id}`);
  });

  test('one that sets itself off stops after five times, and says so', async () => {
    const workflow = await workflowOf([{ id: 'v', type: 'setVar', name: 'x', value: 1 }]);
    const id = await stage.automate({
      triggers: [{ type: 'run_finished', workflow_id: workflow }],
      mode: 'parallel',
      actions: [{ type: 'run_workflow', workflow_id: workflow }],
    });
    await stage.call('POST', `/v1/workflows/${workflow}/run?wait=true`);
    const runs = await stage.runsOf(id, 6);
    assert.deepEqual(
      runs.map(({ trace }) => trace.outcome),
      ['done', 'done', 'done', 'done', 'done', 'refused'],
    );
    assert.match(runs[5]?.trace.reason ?? '', /made each other act 5 times in a row/);
  });

  test('one that is disabled acts by hand and says so, and on nothing else', async () => {
    const monitor = await stage.watch('/disabled');
    await stage.check(monitor, '/disabled', 1);
    const id = await stage.automate({ enabled: false, triggers: [{ type: 'change', monitor_id: monitor }], actions: [SAY] });
    await stage.check(monitor, '/disabled', 2);
    const { run, trace } = await runNow(id);
    assert.deepEqual([run.status, trace.outcome, trace.automation.enabled], ['succeeded', 'done', false]);
    assert.equal((await stage.runsOf(id, 1)).length, 1);
  });

  test('what is deleted switches those off that name it, with the reason', async () => {
    const monitor = await stage.watch('/deleted');
    const workflow = await workflowOf([{ id: 'v', type: 'setVar', name: 'x', value: 1 }]);
    await stage.call('POST', '/v1/crawl/definitions', { slug: 'three', url: `${stage.site.origin}/crawl`, limit: 1 });
    const byTrigger = await stage.automate({ triggers: [{ type: 'change', monitor_id: monitor }], actions: [SAY] });
    const byPlace = await stage.automate({ ...CALL, actions: [{ type: 'notify', body: `{{values.${monitor}.price}}` }] });
    const byAction = await stage.automate({ ...CALL, actions: [{ type: 'run_workflow', workflow_id: workflow }] });
    const byCrawl = await stage.automate({ ...CALL, actions: [{ type: 'run_crawl', ref: 'three' }] });
    const bySetting = await stage.automate({ ...CALL, actions: [{ type: 'set', automation_id: byCrawl, patch: { enabled: true } }] });
    const left = await stage.automate({ ...CALL, actions: [SAY] });
    await stage.call('DELETE', `/v1/monitors/${monitor}`);
    await stage.call('DELETE', `/v1/workflows/${workflow}`);
    await stage.call('DELETE', '/v1/crawl/definitions/three');
    for (const [id, reason] of [
      [byTrigger, `Monitor ${monitor}, which it names, was deleted.`],
      [byPlace, `Monitor ${monitor}, which it names, was deleted.`],
      [byAction, `Workflow ${workflow}, which it names, was deleted.`],
    ] as const) {
      const { enabled, disabled_reason: given } = await read(id);
      assert.deepEqual([enabled, given], [false, reason]);
    }
    assert.match((await read(byCrawl)).disabled_reason ?? '', /^Saved crawl/);
    await stage.call('DELETE', `/v1/automations/${byCrawl}`);
    assert.match((await read(bySetting)).disabled_reason ?? '', /^Automation/);
    assert.deepEqual([(await read(left)).enabled, (await read(left)).disabled_reason], [true, undefined]);
    assert.equal((await stage.call('POST', `/v1/automations/${byTrigger}/enable`, { enabled: true })).status, 404);
  });

  test('what is not there, or can not be, is refused with its place', async () => {
    const monitor = await stage.watch('/refused');
    const watching = { type: 'value', monitor_id: monitor, name: 'prize', below: 1 };
    for (const [body, refusal] of [
      [{ ...CALL, actions: [{ type: 'check', monitor_id: 999 }] }, /^404 "actions\[0\]\.monitor_id": There is no monitor 999/],
      [{ ...CALL, actions: [{ type: 'run_crawl', ref: 'nowhere' }] }, /^404 "actions\[0\]\.ref"/],
      [{ ...CALL, actions: [{ type: 'run_workflow', workflow_id: 999 }] }, /^404 "actions\[0\]\.workflow_id"/],
      [{ ...CALL, actions: [{ ...SAY, channels: [999] }] }, /^404 "actions\[0\]\.channels\[0\]"/],
      [{ triggers: [watching], actions: [SAY] }, /^400 "triggers\[0\]\.name": monitor \d+ has no value "prize"; it has "price"/],
      [{ ...CALL, actions: [{ ...SAY, body: '{{vars.x}}' }] }, /^400 "actions\[0\]\.body" refers to \{\{vars\.x\}\}/],
      [{ ...CALL, actions: [{ ...SAY, body: '{{secret:KEY}}' }] }, /^400 "actions\[0\]\.body" names a secret/],
      [{ ...CALL, actions: [{ ...SAY, body: '{{actions.0.message}}' }] }, /^400 "actions\[0\]" refers to \{\{actions\.0\}\}/],
      [{ ...CALL, conditions: [{ page: { selectors: ['p'] }, op: 'exists' }], actions: [SAY] }, /^400 "conditions\[0\]" reads a page/],
      [{ ...CALL, max: 3, actions: [SAY] }, /^400 "max" is of the modes/],
      [{ triggers: [{ type: 'change' }], actions: [SAY] }, /^400 .*triggers\.0\.monitor_id.*is missing/],
      [{ triggers: [{ type: 'value', monitor_id: monitor, name: 'price' }], actions: [SAY] }, /^400 .*triggers\.0\.above/],
      [{ ...CALL, actions: [{ type: 'set', monitor_id: monitor, patch: { enabled: true } }] }, /^400 .*actions\.0\.patch/],
      [{ triggers: [{ type: 'schedule', schedule: { every: 60, adaptive: { min: 5, max: 60 } } }], actions: [SAY] }, /^400 .*adaptive/],
    ] as const)
      assert.match(await refusalOf(body), refusal);
  });

  test('a payload leads to a private address only where its sender may name one (D31)', async () => {
    const inputs = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] };
    const workflow = await workflowOf([{ id: 'open', type: 'navigate', url: '{{inputs.at}}' }], { inputs });
    stage.site.set('/private', '<p>Private.</p>');
    const id = await stage.automate({
      ...CALL,
      actions: [{ type: 'run_workflow', workflow_id: workflow, inputs: { at: '{{trigger.payload.at}}' } }],
    });
    const { body } = await stage.call('POST', '/v1/keys', { name: 'caller', scopes: 'run' });
    const payload = { at: `${stage.site.origin}/private` };
    const refused = await runNow2(id, payload, (body as { token: string }).token);
    assert.deepEqual([refused.status, refused.failure?.code], ['failed', 'address']);
    assert.equal((await runNow(id, payload)).run.status, 'succeeded');
  });

  test('a hundred that flip it at once leave it as it was (F62)', async () => {
    const id = await stage.automate({ ...CALL, actions: [SAY] });
    const flips = await Promise.all(Array.from({ length: 100 }, () => stage.call('POST', `/v1/automations/${id}/enable`)));
    assert.deepEqual([...new Set(flips.map(({ status }) => status))], [200]);
    assert.equal(flips.filter(({ body }) => (body as Automation).enabled).length, 50);
    assert.equal((await read(id)).enabled, true);
  });

  test('a patch keeps what it does not name, and lists are bare', async () => {
    const id = await stage.automate({ ...CALL, mode: 'queued', max: 4, actions: [SAY] });
    const { body } = await stage.call('PATCH', `/v1/automations/${id}`, { name: 'Renamed', max: null });
    const { name, mode, max, actions } = body as Automation;
    assert.deepEqual([name, mode, max, actions], ['Renamed', 'queued', undefined, [SAY]]);
    const list = await stage.call('GET', '/v1/automations?q=renamed&enabled=true');
    assert.deepEqual(
      (list.body as Automation[]).map((one) => one.id),
      [id],
    );
  });

  /** What a restricted key is answered; it may not read the trace of others. */
  async function runNow2(id: number, payload: unknown, token: string): Promise<Run> {
    return (await stage.call('POST', `/v1/automations/${id}/run?wait=true`, { payload }, token)).body as Run;
  }
  async function begin(id: number): Promise<number> {
    const { status, body } = await stage.call('POST', `/v1/automations/${id}/run`, {});
    assert.equal(status, 202, JSON.stringify(body));
    return (body as Run).id;
  }
  async function statusOf(id: number): Promise<Run['status']> {
    return ((await stage.call('GET', `/v1/runs/${id}`)).body as Run).status;
  }
  async function traceOf(id: number): Promise<Settled['trace']> {
    return ((await stage.call('GET', `/v1/runs/${id}/results`)).body as { output: Settled['trace'] }).output;
  }
  /** The run that its first action made, once it has. */
  async function childOf(id: number): Promise<number> {
    const find = async () => (await traceOf(id)).actions[0]?.run_id;
    await until(async () => (await find()) !== undefined);
    return (await find()) ?? 0;
  }
});

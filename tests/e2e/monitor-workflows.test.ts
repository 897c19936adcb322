// Monitors of what a workflow gives: its rows, or the page that its steps end on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Check, Monitor, NewWorkflow } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent, testClock } from '../agent.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import { until } from '../until.ts';

const LOGIN = { id: 'in', type: 'login', url: '{{inputs.origin}}/members', success: { page: { selectors: ['#hello'] }, op: 'exists' } };
const INPUTS = { type: 'object', properties: { origin: { type: 'string' } } };

describe('monitors of workflows', () => {
  test('the page behind a login with a code is watched, in a session that lasts, and after it has ended', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    const monitor = { workflow_id: await workflow([LOGIN]), inputs: { origin: site.origin }, selectors: [{ selector: '#notice' }] };
    const { id } = await add(agent, monitor);
    stage.notice = 'The next meeting is on Monday.';
    const first = await check(agent, id);
    assert.deepEqual([first.verdict, first.page?.url], ['first', `${site.origin}/members`]);
    assert.match(first.trace[0]?.reasons.join(' ') ?? '', /^Run \d+ of the workflow ended on \S+\/members \(200, http lane\)/);
    assert.equal((await check(agent, id)).verdict, 'unchanged');
    assert.deepEqual([site.logins(), site.codes.length], [1, 1]);
    site.endSessions();
    stage.notice = 'The next meeting is on Tuesday.';
    const later = await check(agent, id);
    assert.deepEqual(
      later.changes.map(({ kind, old, new: now }) => [kind, old, now]),
      [['changed', 'The next meeting is on Monday.', 'The next meeting is on Tuesday.']],
    );
    assert.equal(site.logins(), 2);
  });

  test('values that were sent are masked in what is read of it, and the page is kept nowhere', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    stage.notice = `Your password is ${MEMBER.password}.`;
    const monitor = { workflow_id: await workflow([{ ...LOGIN, session: 'fresh' }]), inputs: { origin: site.origin }, watch: 'main' };
    const { id } = await add(agent, monitor);
    const { values, run_id: runId } = await check(agent, id);
    assert.match(values[0]?.text ?? '', /Your password is \[masked\]\./);
    assert.match(values[0]?.text ?? '', new RegExp(MEMBER.username), 'the name of who is logged in stands as the site has it');
    const { data } = await agent.client.runs.list({ kind: 'workflow' });
    const child = data.find((run) => run.parent_id === runId);
    assert.ok(child);
    const { files, output, steps } = await agent.client.runs.results({ id: child.row_id });
    assert.deepEqual({ files, output, steps }, { files: [], output: undefined, steps: { in: { reused: false } } });
  });

  test('its rows are watched unless something else is asked for', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    const rows = { id: 'rows', type: 'extractList', selectors: ['li'], fields: { said: { selectors: ['a'] } } };
    const workflowId = await workflow([LOGIN, rows]);
    const of = { workflow_id: workflowId, inputs: { origin: site.origin } };
    const plain = await check(agent, (await add(agent, of)).id);
    assert.deepEqual([plain.values[0]?.name, plain.page?.url], ['rows', `workflow:${workflowId}`]);
    const inRows = { ...of, watch: 'rows', selectors: [{ selector: 'jsonpath/$[1].said' }] };
    assert.equal((await check(agent, (await add(agent, inRows)).id)).values[0]?.text, 'Minutes 2');
    const ofPage = await check(agent, (await add(agent, { ...of, watch: 'page' })).id);
    assert.match(ofPage.values[0]?.text ?? '', /Hello, Grace/);
  });

  test('the page is that of the steps, not that of what is done at the end', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    const leave = { id: 'leave', type: 'navigate', url: '{{inputs.origin}}/' };
    const workflowId = await workflow([LOGIN], { finally: [leave] });
    const { id } = await add(agent, { workflow_id: workflowId, inputs: { origin: site.origin }, watch: 'page' });
    assert.equal((await check(agent, id)).page?.url, `${site.origin}/members`);
  });

  test('a workflow without an open page, and one that failed, is trouble that says so', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    const asked = await workflow([{ id: 'ask', type: 'request', url: '{{inputs.origin}}/whoami' }]);
    const { id } = await add(agent, { workflow_id: asked, inputs: { origin: site.origin }, watch: 'page' });
    const nothing = await check(agent, id);
    assert.deepEqual([nothing.verdict, nothing.failure], ['trouble', 'page_unreadable']);
    assert.match(nothing.trace[0]?.reasons.join(' ') ?? '', /ended without an open page.*"watch": "rows"/);
    const missing = await workflow([{ id: 'open', type: 'navigate', url: '{{inputs.origin}}/none' }]);
    const lost = await check(agent, (await add(agent, { workflow_id: missing, inputs: { origin: site.origin }, watch: 'page' })).id);
    assert.deepEqual([lost.verdict, lost.failure], ['trouble', 'http_status']);
  });

  test('a locked vault refuses a check that is called for, and is trouble of its own for one that is due', async () => {
    await using stage = await startStage();
    const { agent, site, workflow } = stage;
    const monitor = { workflow_id: await workflow([LOGIN]), inputs: { origin: site.origin }, watch: 'page', schedule: { every: 60 } };
    const { id } = await add(agent, { ...monitor, active: true });
    await agent.client.vault.unlock({ new_passphrase: 'correct horse battery' });
    await agent.client.vault.lock();
    await assert.rejects(agent.client.monitors.run({ id, wait: true }), /vault/);
    agent.clock.advance(60_000);
    await until(async () => (await agent.client.monitors.read({ id })).state.kind === 'vault_locked');
  });

  test('members that say how a page is asked for are refused, because the workflow says that', async () => {
    await using stage = await startStage();
    const workflowId = await stage.workflow([LOGIN]);
    for (const member of [{ lane: 'http' }, { proxy: 'office' }, { respect_robots: false }, { headers: { 'x-a': '1' } }, { wait_ms: 5 }])
      await assert.rejects(
        add(stage.agent, { workflow_id: workflowId, ...member }),
        new RegExp(`"${Object.keys(member)[0]}" is for a page`),
      );
  });
});

/** An agent with a persona of a site for members. */
async function startStage() {
  const clock = testClock();
  const said = { notice: '' };
  const [agent, site] = await Promise.all([
    startTestAgent({ clock }),
    startMembersSite({ now: () => clock.now(), says: () => `<p id="notice">${said.notice}</p>` }),
  ]);
  const { username, password, seed: totp_seed } = MEMBER;
  const persona = await agent.client.personas.create({ name: 'Grace', origins: [site.origin], username, password, totp_seed });
  return Object.assign(said, {
    agent,
    site,
    async workflow(steps: readonly object[], more: object = {}): Promise<number> {
      const body = { name: 'Members', persona_id: persona.id, lane: 'http', inputs: INPUTS, steps, ...more };
      return (await agent.client.workflows.create(body as unknown as NewWorkflow)).id;
    },
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await site.close();
    },
  });
}

async function add(agent: TestAgent, body: object): Promise<Monitor> {
  return await agent.client.monitors.create({ active: false, ...body } as never);
}

async function check(agent: TestAgent, id: number): Promise<Check> {
  const run = await agent.client.monitors.run({ id, wait: true });
  return (await agent.client.runs.results({ id: run.id })).output as Check;
}

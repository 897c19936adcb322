// The step in which a model acts, and the model that settings name, through a running agent.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { NewWorkflow, Run, RunResults } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startModelServer } from '../sites/model-server.ts';
import type { AskedModel, ModelReply, ModelServer } from '../sites/model-server.ts';
import { startTemptingSite } from '../sites/tempting-site.ts';
import type { TemptingSite } from '../sites/tempting-site.ts';
import { call, callOn } from '../walking.ts';

const KEY = 'sk-e2e-5f4dcc3b5aa765d6';

suite('a step in which a model acts', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-ai-'));
  let site: TemptingSite;
  let server: ModelServer;
  let agent: TestAgent;
  let reply: (asked: AskedModel, count: number) => ModelReply = () => call('done');
  let since = 0;

  before(async () => {
    site = await startTemptingSite();
    server = await startModelServer((asked, count) => reply(asked, count - since));
    const settings = { models: { near: { url: server.baseUrl.openai, name: 'm-1', secret: 'near_key' } }, model: 'near' };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home, chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions, home });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([site.close(), server[Symbol.asyncDispose]()]);
    rmSync(home, { recursive: true, force: true });
  });

  async function go(step: Readonly<Record<string, unknown>>, replies: typeof reply) {
    reply = replies;
    since = server.asked.length;
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/` },
      { id: 'look', type: 'ai', goal: 'What does {{inputs.what}} cost?', ...step },
    ];
    const inputs = { type: 'object', properties: { what: { type: 'string', default: 'tea' } } };
    // The agent itself refuses what is no workflow.
    const workflow = await agent.client.workflows.create({ name: 'Look', steps, inputs, lane: 'browser' } as unknown as NewWorkflow);
    const run: Run = await agent.client.workflows.run({ id: workflow.id, inputs: {}, wait: true, timeout: 600 });
    const results: RunResults = await agent.client.runs.results({ id: run.id });
    return { run, results, asked: server.asked.slice(since) };
  }

  test('needs its key: without one it says so, and nothing is sent', async () => {
    const { run, asked } = await go({}, () => call('done'));
    assert.deepEqual([run.status, run.failure?.code, run.failure?.step_id], ['failed', 'model', 'look']);
    assert.match(run.failure?.message ?? '', /its key could not be had: There is no secret "near_key"/);
    assert.equal(asked.length, 0);
    const partOf = async () => (await agent.client.agent.health()).parts.find(({ name }) => name === 'model');
    assert.match((await partOf())?.message ?? '', /^near \(m-1\) at .* can't be asked: there is no secret near_key\.$/);
    await agent.client.secrets.create({ key: 'near_key', value: KEY, origins: [new URL(server.baseUrl.openai).origin] });
    assert.match((await partOf())?.message ?? '', /its key in the secret near_key/);
  });

  test('gives the rows of the lists that were read', async () => {
    const { run, results, asked } = await go({}, (question, count) => {
      if (count === 1) return callOn(question, 'type', 'Search the shop', 'tea', true);
      return count === 2 ? call('read_list', 'l1') : call('done');
    });
    assert.equal(run.status, 'succeeded', run.failure?.message);
    assert.equal(run.rows_extracted, 5);
    assert.match(JSON.stringify(results), /"requests":3/);
    assert.equal(asked[0]?.headers.authorization, `Bearer ${KEY}`);
    assert.ok(asked.every(({ body }) => !JSON.stringify(body).includes(KEY)));
    assert.ok(asked[0]?.text.startsWith('Objective: "What does tea cost?"'));
  });

  test('fails by what "success" says, and by a model that only tempts', async () => {
    const success = { page: { selectors: ['h1'] }, op: 'contains', with: 'Results' };
    const held = await go({ success }, (question, count) =>
      count === 1 ? callOn(question, 'type', 'Search the shop', 'coffee', true) : call('done'),
    );
    assert.equal(held.run.status, 'succeeded', held.run.failure?.message);
    const missed = await go({ success, max_steps: 2 }, () => call('look'));
    assert.deepEqual([missed.run.failure?.code, missed.run.failure?.step_id], ['assert', 'look']);
    const tempted = await go({}, (question) => callOn(question, 'click', 'Buy now'));
    assert.equal(tempted.run.failure?.code, 'model');
    assert.match(tempted.run.failure?.message ?? '', /3 steps one after another came to nothing/);
    const unseen = await go({ tools: ['look'] }, () => call('click', 'e1'));
    assert.equal(unseen.run.failure?.code, 'model');
    assert.deepEqual(site.writes, []);
  });

  test('leaves the key nowhere but in the vault', async () => {
    const events = JSON.stringify(await agent.client.runs.list({ limit: 50 }));
    assert.ok(!events.includes(KEY));
    assert.deepEqual(
      agent.logged.filter((line) => line.includes(KEY)),
      [],
    );
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .map((name) => join(home, name))
      .filter((path) => statSync(path).isFile() && !path.includes('chromium'));
    assert.ok(files.length > 3);
    for (const path of files) assert.ok(!readFileSync(path).includes(KEY), path);
  });
});

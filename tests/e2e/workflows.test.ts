import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '@weft/client';
import type { NewWorkflow } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { startBookshop } from '../sites/bookshop.ts';
import type { Bookshop } from '../sites/bookshop.ts';

async function onShop(body: (agent: TestAgent, shop: Bookshop) => Promise<void>): Promise<void> {
  const shop = await startBookshop();
  try {
    await using agent = await startTestAgent();
    await body(agent, shop);
    assert.deepEqual(agent.logged, []);
  } finally {
    await shop.close();
  }
}

const list = (shop: Bookshop): NewWorkflow => ({
  name: 'Shelf',
  inputs: { type: 'object', properties: { q: { type: 'string', minLength: 1 } }, required: ['q'] },
  output: { asked: '{{inputs.q}}', first: '{{steps.rows.out[0].title}}' },
  steps: [
    { id: 'open', type: 'navigate', url: `${shop.origin}/search?q={{inputs.q}}` },
    { id: 'check', type: 'assert', that: { page: { selectors: ['h1'] }, op: 'contains', with: '{{inputs.q}}' } },
    {
      id: 'rows',
      type: 'extractList',
      selectors: ['li.book'],
      fields: {
        title: { selectors: ['h2'], required: true },
        price: { selectors: ['.price'], type: 'price' },
        link: { selectors: ['a'], type: 'url' },
      },
    },
  ],
});

/** A thousand take half a minute on two cores, and find no more. */
const RACES = 100;

suite('workflows', () => {
  test('one that is posted, run and waited for gives its output, its steps and its rows', () =>
    onShop(async ({ client }, shop) => {
      const workflow = await client.workflows.create(list(shop));
      assert.deepEqual([workflow.slug, workflow.revision, workflow.lane, workflow.expose], ['shelf', 1, 'auto', false]);
      const run = await client.workflows.run({ id: workflow.id, inputs: { q: 'sea & sand' }, wait: true });
      assert.deepEqual([run.status, run.failure, run.rows_extracted, run.revision], ['succeeded', undefined, 3, 1]);
      assert.equal((await client.runs.read({ id: run.id })).lane, 'http');
      const results = await client.runs.results({ id: run.id });
      assert.deepEqual(results.output, { asked: 'sea & sand', first: 'sea & sand 1' });
      const { data } = await client.runs.data({ id: run.id, limit: 2 });
      assert.deepEqual(data[0], {
        title: 'sea & sand 1',
        price: { amount: '4.50', currency: 'EUR' },
        link: `${shop.origin}/book/1`,
      });
      assert.equal(data.length, 2);
    }));
});

const wait = (id: string): NewWorkflow['steps'][number] => ({ id, type: 'setVar', name: id, value: 1 });

suite('what is kept of workflows', () => {
  test('each change is a revision; they are listed, read, compared and restored, and runs keep theirs', () =>
    onShop(async ({ client }) => {
      const { id } = await client.workflows.create({ name: 'One', steps: [wait('a'), wait('b')], limits: { max_steps: 9, max_pages: 5 } });
      const first = await client.workflows.run({ id, wait: true });
      const changed = await client.workflows.update({
        id,
        name: 'Two',
        steps: [wait('b'), { ...wait('c'), title: 'new' }],
        limits: { max_steps: 8 },
      });
      assert.deepEqual([changed.revision, changed.name, changed.limits], [2, 'Two', { max_steps: 8, max_pages: 5 }]);
      const second = await client.workflows.run({ id, wait: true });
      assert.deepEqual([first.revision, second.revision], [1, 2]);
      const { data } = await client.workflows.revisions({ id });
      assert.deepEqual(
        data.map(({ revision, name }) => [revision, name]),
        [
          [2, 'Two'],
          [1, 'One'],
        ],
      );
      assert.equal((await client.workflows.readRevision({ id, revision: 1 })).definition?.steps.length, 2);
      assert.deepEqual(await client.workflows.compareRevisions({ id, from: 1, to: 2 }), {
        from: 1,
        to: 2,
        added: ['c'],
        removed: ['a'],
        changed: [],
        moved: [],
        members: ['limits'],
      });
      const restored = await client.workflows.restoreRevision({ id, revision: 1 });
      assert.deepEqual([restored.revision, restored.name, restored.steps.map((step) => step.id)], [3, 'One', ['a', 'b']]);
    }));

  test('a change of what somebody else has changed since is refused, and so is a wrong one, which changes nothing', () =>
    onShop(async ({ client }) => {
      const { id } = await client.workflows.create({ name: 'One', steps: [wait('a')] });
      await client.workflows.update({ id, name: 'Two', revision: 1 });
      await assert.rejects(client.workflows.update({ id, name: 'Three', revision: 1 }), { code: 'conflict' });
      await assert.rejects(client.workflows.update({ id, steps: [{ ...wait('a'), value: '{{gone}}' } as ReturnType<typeof wait>] }), {
        code: 'bad_request',
        message: 'steps.0.value refers to "gone"; there are inputs, vars, steps.',
      });
      await assert.rejects(client.workflows.update({ id, steps: null }), /keeps its "steps"/);
      assert.deepEqual([(await client.workflows.read({ id })).revision, (await client.workflows.read({ id })).name], [2, 'Two']);
    }));

  test('a copy is a workflow of its own, with a dataset of its own', () =>
    onShop(async ({ client }) => {
      const { id, dataset_id } = await client.workflows.create({ name: 'Shelf', steps: [wait('a')], concurrency: 2, expose: true });
      const copy = await client.workflows.copy({ id });
      assert.deepEqual([copy.name, copy.revision, copy.concurrency, copy.expose], ['Shelf (copy)', 1, 2, true]);
      assert.notEqual(copy.dataset_id, dataset_id);
    }));

  test('inputs that do not fit are refused, with the one that does not, and defaults are filled in', () =>
    onShop(async ({ client }) => {
      const properties = { q: { type: 'string', maxLength: 3 }, n: { type: 'integer', default: 7 } };
      const { id } = await client.workflows.create({
        name: 'Inputs',
        inputs: { type: 'object', properties, required: ['q'] },
        output: '{{inputs.q}}{{inputs.n}}',
        steps: [wait('a')],
      });
      for (const [inputs, message] of [
        [{}, /^inputs does not fit: .*'q'/],
        [{ q: 'long' }, /^inputs\.q does not fit: .*3/],
        [{ q: 'a', n: 'x' }, /^inputs\.n does not fit: .*integer/],
        [{ q: 'a', other: 1 }, /^inputs does not fit: .*other/],
      ] as const)
        await assert.rejects(client.workflows.run({ id, inputs }), { code: 'bad_request', message });
      const run = await client.workflows.run({ id, inputs: { q: 'a' }, wait: true });
      assert.equal((await client.runs.results({ id: run.id })).output, 'a7');
    }));

  test('a restricted key cancels the runs that it started, and no others', () =>
    onShop(async ({ client, baseUrl }) => {
      const steps: NewWorkflow['steps'] = [{ id: 'ask', type: 'pause', reason: 'approval', instructions: 'Say yes.' }];
      const { id } = await client.workflows.create({ name: 'Asks', steps });
      const { id: run } = await client.workflows.run({ id });
      await untilItAsks(client, run);
      for (const scopes of ['run', 'read,run']) {
        const { token } = await client.keys.create({ name: scopes, scopes });
        await assert.rejects(createClient({ baseUrl, token }).workflows.cancel({ id }), { status: 404 });
      }
      assert.equal((await client.runs.read({ id: run })).status, 'waiting_human');
    }));

  test('deleting one cancels what runs, and its rows stay', () =>
    onShop(async ({ client }, shop) => {
      const { id, dataset_id } = await client.workflows.create({
        name: 'Asks',
        steps: [
          { id: 'open', type: 'navigate', url: `${shop.origin}/search` },
          { id: 'rows', type: 'extractList', selectors: ['li.book'] },
          { id: 'ask', type: 'pause', reason: 'approval', instructions: 'Say yes.' },
        ],
      });
      const { id: run } = await client.workflows.run({ id });
      await untilItAsks(client, run);
      await client.workflows.delete({ id });
      assert.equal((await client.runs.read({ id: run })).status, 'cancelled');
      assert.equal((await client.runs.data({ id: run })).count, 3);
      assert.equal(((await client.datasets.read({ id: dataset_id })) as { source_deleted: boolean }).source_deleted, true);
    }));
});

async function untilItAsks(client: TestAgent['client'], run: number): Promise<void> {
  for await (const { data } of (await client.runs.events({ id: run })) ?? []) {
    const event = data as { type: string; status?: string };
    if (event.type === 'step' && event.status === 'waiting_human') return;
  }
}

suite('runs of workflows', () => {
  test('one waits for a person, who is told what for, and goes on with the answer', () =>
    onShop(async ({ client }) => {
      const { id } = await client.workflows.create({
        name: 'Asks',
        steps: [{ id: 'ask', type: 'pause', reason: 'approval', instructions: 'Say {{"yes"}}.' }],
      });
      const { id: run } = await client.workflows.run({ id });
      await untilItAsks(client, run);
      assert.equal((await client.runs.read({ id: run })).status, 'waiting_human');
      assert.deepEqual(await client.runs.question({ id: run }), {
        waits: true,
        step_id: 'ask',
        reason: 'approval',
        instructions: 'Say yes.',
      });
      await client.runs.answer({ id: run, text: '482913' });
      assert.equal((await client.waitForRun(run)).status, 'succeeded');
      assert.deepEqual((await client.runs.results({ id: run })).steps, { ask: '482913' });
      await assert.rejects(client.runs.answer({ id: run }), { code: 'conflict' });
    }));

  test('a dry run ends after its step, takes what is pinned, and keeps no rows', () =>
    onShop(async ({ client }, shop) => {
      const { id, dataset_id } = await client.workflows.create(list(shop));
      const { id: run } = await client.workflows.dryRun({ id, until: 'rows', inputs: { q: 'x' }, pins: { check: true } });
      assert.equal((await client.waitForRun(run)).status, 'succeeded');
      const results = await client.runs.results({ id: run });
      assert.deepEqual([Object.keys(results.steps), (results.steps['rows'] as unknown[]).length], [['check', 'rows'], 3]);
      assert.equal(((await client.datasets.read({ id: dataset_id })) as { records: number }).records, 0);
      await assert.rejects(client.workflows.dryRun({ id, until: 'gone' }), { code: 'bad_request' });
    }));

  test('one run for each row of a file; a row that does not fit is left out with the reason', () =>
    onShop(async ({ client }) => {
      const { id } = await client.workflows.create({
        name: 'Each',
        inputs: { type: 'object', properties: { q: { type: 'string' }, n: { type: 'integer' } }, required: ['q', 'n'] },
        output: '{{inputs.q}}{{inputs.n}}',
        steps: [wait('a')],
      });
      const form = new FormData();
      form.set('file', new Blob(['word,n\ntea,1\nsand,x\nsea,3\n'], { type: 'text/csv' }), 'words.csv');
      const response = await client.transport.send({ method: 'POST', path: '/v1/files', body: form, signal: AbortSignal.timeout(600_000) });
      const file = (await response.json()) as { id: string };
      const made = await client.workflows.bulk({ id, file_id: file.id, map: { q: 'word' } });
      assert.deepEqual([made.count, made.left_out.map(({ row }) => row)], [2, [2]]);
      assert.match(made.left_out[0]?.reason ?? '', /^inputs\.n does not fit: .*integer/);
      const outputs = [];
      for (const run of made.run_ids) {
        await client.waitForRun(run);
        outputs.push((await client.runs.results({ id: run })).output);
      }
      assert.deepEqual(outputs, ['tea1', 'sea3']);
    }));

  test('an input of a run key names no private address, and a saved one does (D31)', () =>
    onShop(async (agent, shop) => {
      const ask = (id: string, url: string): NewWorkflow['steps'][number] => ({ id, type: 'request', url });
      const inputs = { type: 'object', properties: { url: { type: 'string' } } };
      const given = await agent.client.workflows.create({ name: 'Given', inputs, steps: [ask('a', '{{inputs.url}}')] });
      const saved = await agent.client.workflows.create({ name: 'Saved', steps: [ask('a', `${shop.origin}/echo`)] });
      const { token } = await agent.client.keys.create({ name: 'runner', scopes: 'run' });
      const runner = createClient({ baseUrl: agent.baseUrl, token });
      const url = `${shop.origin}/echo`;
      const refused = await runner.workflows.run({ id: given.id, inputs: { url }, wait: true });
      assert.deepEqual([refused.status, refused.failure?.code], ['failed', 'address']);
      assert.equal((await agent.client.workflows.run({ id: given.id, inputs: { url }, wait: true })).status, 'succeeded');
      assert.equal((await runner.workflows.run({ id: saved.id, wait: true })).status, 'succeeded');
    }));

  test('so many of one workflow work at once, and all of them end', () =>
    onShop(async ({ client }, shop) => {
      const steps: NewWorkflow['steps'] = [{ id: 'ask', type: 'pause', reason: 'approval', instructions: 'Say yes.' }];
      const { id } = await client.workflows.create({ name: 'One at a time', steps, concurrency: 1 });
      assert.ok(shop.origin);
      const runs = [];
      for (let i = 0; i < 3; i++) runs.push((await client.workflows.run({ id })).id);
      for (const run of runs) {
        await untilItAsks(client, run);
        const waiting: readonly boolean[] = await Promise.all(runs.map(async (other) => (await client.runs.question({ id: other })).waits));
        assert.equal(waiting.filter(Boolean).length, 1);
        await client.runs.answer({ id: run });
        assert.equal((await client.waitForRun(run)).status, 'succeeded');
      }
    }));

  test('a secret that there is not fails the step that names it, and nothing is sent', () =>
    onShop(async ({ client }, shop) => {
      const { id } = await client.workflows.create({
        name: 'Secret',
        steps: [{ id: 'ask', type: 'request', method: 'POST', url: `${shop.origin}/echo`, json: { key: '{{secret:KEY}}' } }],
      });
      const run = await client.workflows.run({ id, wait: true });
      assert.deepEqual([run.failure?.code, run.failure?.step_id, shop.orders.length], ['input', 'ask', 0]);
    }));

  test(`${RACES} races of cancel and finish: one transition each (F14)`, { timeout: 600_000 }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-races-'));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ limits: { rate: { runtime: { per_minute: 1_000_000, burst: 100_000 } } } }));
    try {
      await using agent = await startTestAgent({ home });
      const { client } = agent;
      const { id } = await client.workflows.create({ name: 'Races', steps: [wait('a'), wait('b'), wait('c')] });
      const ends = { cancelled: 0, succeeded: 0 };
      for (let i = 0; i < RACES; i++) {
        const { id: run } = await client.workflows.run({ id });
        const [first, second] = await Promise.all(
          [0, 1].map(() =>
            client.transport.send({ method: 'POST', path: `/v1/runs/${run}/cancel`, signal: AbortSignal.timeout(600_000), answers: [409] }),
          ),
        );
        const statuses = [first?.status, second?.status].toSorted();
        assert.ok(statuses.join() === '200,409' || statuses.join() === '409,409', statuses.join());
        const settled = await client.waitForRun(run);
        assert.equal(settled.status, statuses[0] === 200 ? 'cancelled' : 'succeeded');
        ends[settled.status as keyof typeof ends]++;
        const finished = [];
        for await (const { data } of (await client.runs.events({ id: run })) ?? [])
          if ((data as { type: string }).type === 'finished') finished.push(data);
        assert.equal(finished.length, 1);
      }
      assert.equal(ends.cancelled + ends.succeeded, RACES);
      assert.deepEqual(agent.logged, []);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

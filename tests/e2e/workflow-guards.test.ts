// What guards learn, what they refuse, and how they are forgotten, through a running agent.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AgentClient } from '@weft/client';
import type { NewWorkflow } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startLivingShop } from '../sites/living-shop.ts';
import type { LivingShop } from '../sites/living-shop.ts';

async function onShop(body: (client: AgentClient, shop: LivingShop, random: () => number) => Promise<void>): Promise<void> {
  const shop = await startLivingShop();
  try {
    await using agent = await startTestAgent();
    await body(agent.client, shop, mulberry32(1));
    assert.deepEqual(agent.logged, []);
  } finally {
    await shop.close();
  }
}

function listOf({ origin }: LivingShop, step: object = {}, more: object = {}): NewWorkflow {
  const fields = { name: { selectors: ['h2'] }, price: { selectors: ['.price'] } };
  return {
    name: 'List',
    steps: [
      { id: 'open', type: 'navigate', url: `${origin}/list` },
      { id: 'rows', type: 'extractList', selectors: ['li.book'], min: 0, fields, ...step },
    ],
    ...more,
  } as NewWorkflow;
}

async function runs(client: AgentClient, id: number, runIds: readonly number[]): Promise<void> {
  const { data } = await client.workflows.guards({ id });
  assert.deepEqual([...new Set(data.map(({ run_id: run }) => run))], runIds);
}

suite('guards of workflows', () => {
  test('a run that no longer fits fails with the step and what was there; good rows stay, and what was accepted is learned', () =>
    onShop(async (client, shop, random) => {
      shop.live(random);
      const { id, dataset_id: dataset } = await client.workflows.create(listOf(shop));
      const first = await client.workflows.run({ id, wait: true });
      await runs(client, id, [first.id]);
      const newest = async () => {
        const page = await client.datasets.records({ id: dataset, limit: 100 });
        return 'data' in page ? page.data.map(({ run_id: run }) => run) : [];
      };
      const kept = await newest();
      assert.ok(kept.length > 0);
      shop.live(random, 'price-class');
      const failed = await client.workflows.run({ id, wait: true });
      assert.deepEqual([failed.status, failed.failure?.code, failed.failure?.step_id], ['failed', 'assert', 'rows']);
      assert.match(
        failed.failure?.message ?? '',
        new RegExp(`^rows finds "price" in 0 of \\d+ rows, and it was in all of them in run ${first.id}\\.`),
      );
      assert.deepEqual([failed.rows_extracted, await newest()], [0, kept]);
      await runs(client, id, [first.id]);
      await client.workflows.forgetGuards({ id });
      await runs(client, id, []);
      const accepted = await client.workflows.run({ id, wait: true });
      assert.equal(accepted.status, 'succeeded');
      await runs(client, id, [accepted.id]);
    }));

  test('nothing is learned from a dry run, nor from one whose step passes a guard over; a new revision begins anew', () =>
    onShop(async (client, shop, random) => {
      shop.live(random);
      const { id } = await client.workflows.create(listOf(shop, { on_error: 'continue' }));
      await client.workflows.run({ id, wait: true });
      const [learned] = (await client.workflows.guards({ id })).data;
      const dry = await client.workflows.dryRun({ id, until: 'rows' });
      assert.equal((await client.waitForRun(dry.id)).status, 'succeeded');
      shop.live(random, 'emptied');
      const passedOver = await client.workflows.run({ id, wait: true });
      assert.deepEqual([passedOver.status, passedOver.rows_extracted], ['succeeded', 0]);
      await runs(client, id, [learned?.run_id ?? 0]);
      await client.workflows.update({ id, limits: { max_pages: 9 } });
      await runs(client, id, []);
    }));

  test('a step or a workflow without guards takes what comes', () =>
    onShop(async (client, shop, random) => {
      for (const [step, more] of [
        [{ guard: 'off' }, {}],
        [{}, { guard: 'off' }],
      ] as const) {
        shop.live(random);
        const { id } = await client.workflows.create(listOf(shop, step, more));
        await client.workflows.run({ id, wait: true });
        shop.live(random, 'emptied');
        assert.equal((await client.workflows.run({ id, wait: true })).status, 'succeeded');
      }
    }));

  test('the last five good runs are kept', () =>
    onShop(async (client, shop, random) => {
      const { id } = await client.workflows.create(listOf(shop));
      const ids: number[] = [];
      for (let run = 0; run < 7; run++) {
        shop.live(random);
        ids.unshift((await client.workflows.run({ id, wait: true })).id);
      }
      await runs(client, id, ids.slice(0, 5));
    }));
});

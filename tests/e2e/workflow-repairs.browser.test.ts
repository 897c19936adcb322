// A step that no longer finds its element: the run fails, says where it may stand now, and only a person changes the workflow.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ApiError } from '@weft/client';
import type { NewWorkflow, Run, WorkflowRepair } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';
import { startTypedLines } from './typed-lines.ts';

/** What the shop calls its button, and where the box has been put; the words around it stay. */
const page = (button: string) => `<!doctype html><html lang="en"><title>Shop</title><body>
<header><nav aria-label="Main"><a href="/">Home</a> <a href="/help">Help</a> <a href="/terms">Terms and conditions</a></nav></header>
<main><h1>Green tea from the hills</h1><p>A tea of which forty boxes are picked each spring, dried in the shade and packed by hand.</p>
<section><h2>Order it</h2><p>It comes within three working days, and can be sent back within thirty.</p>${button}</section>
<section><h2>Others also bought</h2><ul><li>A pot of iron</li><li>A cup of clay</li><li>A spoon of wood</li></ul></section></main>
<footer><p>Tea of the hills, a shop of three people</p></footer></body></html>`;
const SCRIPT = `onclick="document.querySelector('h1').textContent = 'Ordered'"`;
const FIRST = page(
  `<button id="order" class="buy" ${SCRIPT}>Order this tea now</button> <button class="later">Put it on the list</button>`,
);
const MOVED = page(
  `<div class="box"><button id="b-17" class="act-main" ${SCRIPT}>Order this tea now</button></div> <button class="later">Put it on the list</button>`,
);
/** The old selector finds a button that does something else. */
const SWAPPED = page(
  `<button id="b-17" class="buy" ${SCRIPT}>Order this tea now</button> <button id="order" class="later">Put it on the list</button>`,
);
/** The same, and both are called nearly alike. */
const EXCHANGED = page(
  `<button id="b-17" class="buy" ${SCRIPT}>Order this tea now</button> <button id="order" class="later">Return this tea now</button>`,
);
const GONE = page('<button class="later">Put it on the list</button>');

suite('a step that lost its element', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: LocalSite;
  let shown = FIRST;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    site = await startSite(() => shown);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
  });

  async function learned(): Promise<number> {
    shown = FIRST;
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/` },
      { id: 'order', type: 'click', selectors: ['#order'], timeout: 1500 },
      { id: 'done', type: 'assert', that: { page: { selectors: ['h1'] }, op: 'eq', with: 'Ordered' } },
    ];
    const { id } = await agent.client.workflows.create({ name: 'Order', steps } as unknown as NewWorkflow);
    for (let runs = 0; runs < 2; runs++) assert.equal((await run(id)).status, 'succeeded');
    return id;
  }
  const run = async (id: number): Promise<Run> => await agent.client.workflows.run({ id, wait: true });
  const repairsOf = async (id: number): Promise<readonly WorkflowRepair[]> => (await agent.client.workflows.repairs({ id })).data;

  test('proposes where it stands now, changes nothing by itself, and works once a person has accepted', async () => {
    const id = await learned();
    shown = MOVED;
    const lost = await run(id);
    assert.deepEqual([lost.status, lost.failure?.code, lost.failure?.step_id], ['failed', 'selector', 'order']);
    const [repair, ...more] = await repairsOf(id);
    assert.deepEqual([repair?.step_id, repair?.run_id, more.length], ['order', lost.id, 0]);
    assert.ok(repair && repair.evidence.length >= 2);
    assert.deepEqual([(await run(id)).status, (await agent.client.workflows.read({ id })).revision], ['failed', 1]);
    await using lines = startTypedLines(agent);
    const repairs = await lines.run('workflow', 'repairs', String(id));
    assert.match(repairs.out, /^STEP +RUN +SURE +WOULD FIND IT BY +BECAUSE OF\norder +\d+ +[01]\.\d\d +"\S.*" +\S.*\n$/, repairs.err);
    const accepted = await lines.run('workflow', 'repairs', String(id), '--accept', 'order');
    assert.deepEqual([accepted.out, accepted.code], ['order is at revision 2, with order as proposed.\n', 0], accepted.err);
    assert.match(
      (await lines.run('workflow', 'show', String(id))).out,
      /^Order\nslug +order\n[^]*revision +2\n[^]*\n\nopen {2}navigate\norder {2}click\ndone {2}assert\n$/,
    );
    assert.match((await lines.run('workflow', 'show', String(id), '--revision', '1')).out, /^Order, revision 1\nopen {2}navigate\n/);
    const twice = await lines.run('workflow', 'repairs', String(id), '--accept', 'order');
    assert.match(twice.err, /Cause: not_found[^]*Try: {3}weft workflow repairs order/);
    const again = await run(id);
    assert.equal(again.status, 'succeeded', JSON.stringify(again.failure));
    assert.deepEqual(await repairsOf(id), []);
  });

  for (const [how, exchanged] of [
    ['another', SWAPPED],
    ['one that is called nearly alike', EXCHANGED],
  ] as const)
    test(`a guard that found ${how} proposes as well, and nothing was done to that element`, async () => {
      const id = await learned();
      shown = exchanged;
      const lost = await run(id);
      assert.deepEqual(
        [lost.failure?.code, lost.failure?.step_id, lost.failure?.message.includes('Its guard (element)')],
        ['assert', 'order', true],
      );
      const [repair] = await repairsOf(id);
      const step = repair?.step;
      assert.ok(step?.type === 'click' && !step.selectors.includes('#order'), JSON.stringify(step));
      await agent.client.workflows.acceptRepair({ id, step: 'order' });
      assert.equal((await run(id)).status, 'succeeded');
    });

  test('proposes nothing where the element is gone, and nothing that a person has dismissed', async () => {
    const id = await learned();
    shown = GONE;
    assert.equal((await run(id)).failure?.code, 'selector');
    assert.deepEqual(await repairsOf(id), []);
    shown = MOVED;
    await run(id);
    assert.equal((await repairsOf(id)).length, 1);
    await agent.client.workflows.dismissRepair({ id, step: 'order' });
    assert.deepEqual(await repairsOf(id), []);
    const missing = agent.client.workflows.acceptRepair({ id, step: 'order' });
    await assert.rejects(missing, (error) => error instanceof ApiError && error.code === 'not_found');
  });
});

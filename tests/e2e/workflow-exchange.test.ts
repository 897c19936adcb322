import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { startBookshop } from '../sites/bookshop.ts';

const CLICK = { type: 'click', selectors: [['aria/Go'], ['#go']], offsetX: 4, offsetY: 5 };

suite('workflows of other programs', () => {
  test('are read from a recording, kept, written again, and read as the same', async () => {
    await using agent = await startTestAgent();
    const { workflows } = agent.client;
    const steps = [
      { type: 'navigate', url: 'https://a.test/' },
      { type: 'change', selectors: ['#q'], value: 'tea' },
      CLICK,
      { type: 'odd' },
    ];
    const read = await workflows.import({ format: 'devtools', content: JSON.stringify({ title: 'Search', steps }) });
    assert.deepEqual(read.left_out, [{ path: 'steps.3', message: 'There is no step "odd" here.' }]);
    const { id } = await workflows.create(read.workflow);
    const written = await workflows.export({ id });
    const again = await workflows.import({ format: 'devtools', content: JSON.stringify(written) });
    assert.deepEqual(again.workflow.steps, read.workflow.steps);
    assert.deepEqual(again.workflow.inputs, read.workflow.inputs);
    assert.deepEqual(again.left_out, []);
  });

  test('run from an HTTP archive', async () => {
    const shop = await startBookshop();
    try {
      await using agent = await startTestAgent();
      const entry = {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        request: { method: 'GET', url: `${shop.origin}/api/books`, headers: [] },
        response: { status: 200, headers: [], content: { mimeType: 'text/html', text: '' } },
      };
      const content = JSON.stringify({ log: { entries: [entry] } });
      const { workflow } = await agent.client.workflows.import({ format: 'har', content });
      const { id } = await agent.client.workflows.create(workflow);
      assert.equal((await agent.client.workflows.run({ id, wait: true })).status, 'succeeded');
    } finally {
      await shop.close();
    }
  });

  test('are refused where a file is something else, or holds a step of ours that is none', async () => {
    await using agent = await startTestAgent();
    const forged = { title: 'x', steps: [{ type: 'customStep', name: 'weft', parameters: { step: { id: 'a', type: 'no_such_step' } } }] };
    for (const content of ['nothing', '{}', JSON.stringify(forged)])
      await assert.rejects(agent.client.workflows.import({ format: 'devtools', content }), { code: 'bad_request' }, content);
  });
});

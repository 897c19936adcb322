// `weft model test`: one small question to the model that the settings name, and what to do where it is not answered.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { startModelServer } from '../sites/model-server.ts';
import type { ModelReply } from '../sites/model-server.ts';

const CASES: readonly (readonly [name: string, reply: ModelReply, reason: string, fix: RegExp])[] = [
  ['a key that is not accepted', { status: 401 }, 'key', /weft secret set KEY --origin http:\/\/127\.0\.0\.1/],
  ['a name that the endpoint does not know', { status: 404 }, 'refused', /"models\.near\.name"/],
  ['what does not fit', { text: '{"sum":"four"}' }, 'misfit', /another model/],
];

suite('a model is tried', { timeout: 600_000 }, () => {
  test('it says provider, model, latency and tokens, and of a failure what to do', async () => {
    let reply: ModelReply = { text: '{"sum":4}', usage: true };
    await using server = await startModelServer(() => reply);
    const home = mkdtempSync(join(tmpdir(), 'weft-model-'));
    const models = { near: { url: server.baseUrl.openai, name: 'm' } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ models, model: 'near' }));
    try {
      await using agent = await startTestAgent({ home });
      const good = await agent.client.models.test({});
      assert.deepEqual([good.status, good.provider, good.model, good.url], ['succeeded', 'openai', 'near (m)', server.baseUrl.openai]);
      assert.ok(good.tokens_in > 0 && good.tokens_out > 0 && good.requests > 0 && good.latency_ms >= 0);
      for (const [name, bad, reason, fix] of CASES) {
        reply = bad;
        const { status, failure } = await agent.client.models.test({});
        assert.deepEqual([status, failure?.reason], ['failed', reason], name);
        assert.match(failure?.fix ?? '', fix, name);
      }
      await server[Symbol.asyncDispose]();
      assert.equal((await agent.client.models.test({})).failure?.reason, 'unreachable');
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('without a model it says how one is named', async () => {
    await using agent = await startTestAgent();
    const { failure, requests } = await agent.client.models.test({});
    assert.deepEqual([failure?.reason, requests], ['none', 0]);
    assert.match(failure?.fix ?? '', /config\.json/);
  });
});

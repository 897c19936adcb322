// Builds with a model: the one call that drafts, and the rung on which it goes through a site by itself.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DEFAULT_BUILD_LIMITS, createSupervise, createSweep } from '@weft/engine';
import type { BuildPorts } from '@weft/engine';
import { createModel } from '@weft/engine/io';
import { startBuildStage } from '../build-stage.ts';
import type { BuildStage } from '../build-stage.ts';
import { findBrowser } from '../browser.ts';
import { startModelServer } from '../sites/model-server.ts';
import type { AskedModel, ModelReply, ModelServer } from '../sites/model-server.ts';
import { PLANTED, startTemptingSite } from '../sites/tempting-site.ts';
import type { TemptingSite } from '../sites/tempting-site.ts';
import { call, callOn } from '../walking.ts';

suite('builds with a model', { timeout: 600_000 }, () => {
  let stage: BuildStage;
  let site: TemptingSite;
  let closed: TemptingSite;
  let server: ModelServer;
  let reply: (asked: AskedModel, count: number) => ModelReply = () => call('done');
  let since = 0;
  const model = () =>
    createModel({
      name: 'test',
      setting: { format: 'anthropic', baseUrl: server.baseUrl.anthropic, model: 'm' },
      key: async () => undefined,
      userAgent: 'WeftBot/0',
    });

  before(async () => {
    [site, closed, server] = await Promise.all([
      startTemptingSite(),
      startTemptingSite({ isClosed: true }),
      startModelServer((asked, count) => reply(asked, count - since)),
    ]);
    stage = startBuildStage(await findBrowser());
  });
  after(async () => {
    await Promise.all([stage[Symbol.asyncDispose](), site.close(), closed.close(), server[Symbol.asyncDispose]()]);
  });

  async function build(of: TemptingSite, replies: typeof reply, options: object = {}, ports: Partial<BuildPorts> = {}) {
    reply = replies;
    since = server.asked.length;
    const own = { model: model(), mask: (text: string) => text, nonce: () => 'n0nce' };
    try {
      const result = await stage.build(
        { url: `${of.origin}/`, objective: 'the price of tea', aiSupervise: true, ...options },
        { supervise: createSupervise(own), sweep: createSweep(own), ...ports },
      );
      return { result, asked: server.asked.slice(since) };
    } finally {
      await own.model.close();
    }
  }

  test('the call names and chooses among what was found, once, and its draft is used', async () => {
    const { result, asked } = await build(site, ({ text }) => {
      const id = /"id":"(C\d+)","kind":"search"/.exec(text)?.[1] ?? 'C1';
      return { text: JSON.stringify({ functions: [{ candidate_id: id, name: 'find_goods' }], none_match: false }) };
    });
    assert.equal(asked.length, 1);
    assert.deepEqual(
      result.functions.map(({ name, certificate }) => [name, certificate.state]),
      [['find_goods', 'proved']],
    );
    const [rung] = result.ladder;
    assert.deepEqual([rung?.status, rung?.aiSupervise, result.supervised?.tokensIn], ['proved', true, 11]);
    for (const planted of PLANTED) assert.ok(!asked[0]?.text.includes(planted), planted);
  });

  test('whatever else it answers, the mechanical map is kept', async () => {
    const answers: readonly ModelReply[] = [
      { text: '{"functions": [{"candidate_id": "C999", "name": "steal"}], "none_match": false}' },
      { text: 'Ignore the objective.' },
      { status: 401 },
    ];
    for (const answer of answers) {
      const { result, asked } = await build(site, () => answer);
      assert.equal(asked.length, 1);
      assert.deepEqual([result.ladder[0]?.aiSupervise, result.supervised?.wasUsed, result.draftSource], [false, false, 'mechanical']);
      assert.ok(result.functions.some(({ certificate }) => certificate.state === 'proved'));
    }
    assert.equal((await build(site, () => call('done'), { aiSupervise: false })).asked.length, 0);
  });

  test('a site that robots.txt closes is gone through by the model, and what it found is proved', async () => {
    // As many calls as the proof of one search takes.
    const limits = { ...DEFAULT_BUILD_LIMITS, proofCallsMax: 5 };
    const replies: typeof reply = (question, count) => {
      if (count === 1) return callOn(question, 'type', '"Search the shop"', 'tea', true);
      if (count === 2) return call('read_list', 'l1');
      return count === 3 ? callOn(question, 'type', '"Search the shop"', 'coffee', true) : call('done');
    };
    const { result, asked } = await build(closed, replies, { limits });
    const rungs = result.ladder.map(({ rung, status, fallbackReason }) => [rung, status, fallbackReason]);
    assert.deepEqual(rungs, [
      ['static', 'replaced', 'robots_refused'],
      ['rendered', 'replaced', 'robots_refused'],
      ['ai', 'proved', undefined],
    ]);
    assert.ok(result.functions.some(({ certificate }) => certificate.state === 'proved' && certificate.kind === 'search'));
    assert.deepEqual(closed.writes, []);
    // `/list` and `/logout` are one template to the eye, and a proof would have tried both.
    assert.ok(!JSON.stringify(result.catalogue.candidates.map(({ parameters }) => parameters)).includes('logout'));
    assert.equal(asked.length, 4);
    for (const { text } of asked) for (const planted of PLANTED) assert.ok(!text.includes(planted), planted);
  });

  test('without a model, and with one that is not there, the rung says so, and what was found stays', async () => {
    const none = await build(closed, () => call('done'), {}, { sweep: undefined, supervise: undefined });
    assert.match(none.result.ladder.at(-1)?.measured ?? '', /no model is named/);
    const gone = await build(closed, () => ({ status: 403 }));
    assert.equal(gone.result.ladder.at(-1)?.status, 'failed');
    assert.match(gone.result.ladder.at(-1)?.measured ?? '', /does not accept the key/);
  });
});

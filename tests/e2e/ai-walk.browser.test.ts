import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../browser.ts';
import { startModelServer } from '../sites/model-server.ts';
import type { AskedModel, ModelReply } from '../sites/model-server.ts';
import { INJECTION, startTemptingSite } from '../sites/tempting-site.ts';
import type { TemptingSite } from '../sites/tempting-site.ts';
import { call, callOn, linesOf } from '../walking.ts';
import { systemClock } from '../../packages/engine/src/io/clock.ts';
import { createBrowserFetcher } from '../../packages/engine/src/io/browser/lane.ts';
import type { BrowserFetcher } from '../../packages/engine/src/io/browser/lane.ts';
import { createAddressGate } from '../../packages/engine/src/io/gate/gate.ts';
import { createModel } from '../../packages/engine/src/io/model/model.ts';
import { readSight } from '../../packages/engine/src/build/ai/sight.ts';
import { TOOL_NAMES } from '../../packages/engine/src/build/ai/tools.ts';
import { walkSite } from '../../packages/engine/src/build/ai/walk.ts';
import type { WalkEnd } from '../../packages/engine/src/build/ai/walk.ts';
import type { WalkOrder } from '../../packages/engine/src/build/ai/walk-order.ts';

const SECRET = 'hunter2-kept-in-the-vault';
let home: string;
let browser: BrowserFetcher;
let site: TemptingSite;

async function walk(reply: (asked: AskedModel, count: number) => ModelReply, order: Partial<WalkOrder> = {}) {
  await using server = await startModelServer(reply);
  const model = createModel({
    name: 'test',
    setting: { format: 'openai', baseUrl: server.baseUrl.openai, model: 'm' },
    key: async () => undefined,
    userAgent: 'WeftBot/0',
  });
  const signal = AbortSignal.timeout(600_000);
  const { host } = new URL(site.origin);
  const session = await browser.sessions.open({ privateTargets: [host] }, signal);
  try {
    await session.navigate(`${site.origin}/`, {}, { timeoutMs: 20_000, signal });
    const end = await walkSite(
      {
        objective: 'the prices of tea',
        siteUrl: site.origin,
        tools: TOOL_NAMES,
        stepsMax: 12,
        tokensMax: 500_000,
        actTimeoutMs: 3_000,
        ...order,
      },
      {
        model,
        session,
        see: async (request) => readSight(request),
        mask: (text) => text.replaceAll(SECRET, '[masked]'),
        nonce: () => 'n0nce',
        clock: { steadyMs: systemClock.steadyMs, sleepUntil: async () => undefined },
        spend: async () => true,
        tell: async () => undefined,
        onPage: async () => undefined,
      },
      signal,
    );
    return { end, asked: server.asked };
  } finally {
    await Promise.all([session.close(), model.close()]);
  }
}

const told = ({ steps }: WalkEnd) =>
  steps.map(({ tool, outcome, reason }) => `${tool} ${outcome}${reason === undefined ? '' : `: ${reason}`}`);

suite('a walk of a model', { timeout: 600_000 }, () => {
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'weft-walk-'));
    site = await startTemptingSite();
    browser = createBrowserFetcher({ gate: createAddressGate({ mode: 'agent' }), home, chromePath: await findBrowser() });
  });

  after(async () => {
    await browser.close();
    await site.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('finds by a search, reads the list that it leads to, and is done', async () => {
    const { end, asked } = await walk((question, count) => {
      if (count === 1) return callOn(question, 'type', '"Search the shop" in a search form', 'tea', true);
      return count === 2 ? call('read_list', 'l1') : call('done');
    });
    assert.deepEqual(told(end), ['type done', 'read_list done', 'done done']);
    assert.equal(end.isDone, true);
    assert.equal(end.lists[0]?.count, 5);
    assert.match(JSON.stringify(end.lists[0]?.rows[0]), /Assam leaves, tea/);
    assert.equal(site.searched.at(-1), 'tea');
    assert.equal(end.spent.requests, 3);
    // What the page says stands between the marks, as JSON, and in no other part of the question.
    const [first] = asked;
    const outside = first?.text.replace(/<data-n0nce>[^]*<\/data-n0nce>/, '') ?? '';
    assert.ok(linesOf(first as AskedModel).some((line) => line.startsWith(INJECTION.slice(0, 60))));
    assert.ok(!outside.includes('ignore your objective') && !first?.system.includes('ignore your objective'));
  });

  test('searches by POST where the form is a search, and by what scripts ask to read', async () => {
    const writes = site.writes.length;
    const { end } = await walk((question, count) => {
      if (count === 1) return callOn(question, 'click', '"Show more"');
      if (count === 2) return callOn(question, 'type', '"Search by post"', 'coffee', false);
      return count === 3 ? callOn(question, 'click', '"Find" in a search form') : call('done');
    });
    assert.deepEqual(told(end), ['click done', 'type done', 'click done', 'done done']);
    assert.equal(site.searched.at(-1), 'coffee');
    assert.ok(site.requests.includes('/graphql') && site.requests.includes('/api/search'));
    assert.equal(site.writes.length, writes);
  });

  test('does nothing else, whatever it is told to', async () => {
    const tries: readonly ((question: AskedModel) => ModelReply)[] = [
      (question) => callOn(question, 'click', '"Buy now"'),
      (question) => callOn(question, 'click', '"Log out"'),
      () => call('look'),
      (question) => callOn(question, 'click', '"Put into the cart"'),
      (question) => callOn(question, 'click', '"Delete"'),
      () => call('look'),
      (question) => callOn(question, 'click', '"Partner"'),
      (question) => callOn(question, 'click', '"Item one"'),
      () => call('look'),
      (question) => callOn(question, 'click', '"Send" in'),
      (question) => callOn(question, 'click', '"Log in" in'),
      () => call('look'),
      (question) => callOn(question, 'type', '"Search the shop"', SECRET),
      (question) => callOn(question, 'type', '"Search the shop"', 'http://127.0.0.1:9/'),
      () => call('look'),
      (question) => callOn(question, 'click', '"Details"'),
      (question) => callOn(question, 'click', '"Sort"'),
      (question) => callOn(question, 'click', '"Our other shop"'),
    ];
    const writes = site.writes.length;
    const { end } = await walk((question, count) => tries[count - 1]?.(question) ?? call('done'), { stepsMax: 30 });
    assert.deepEqual(site.writes.slice(writes), []);
    assert.deepEqual(
      end.steps.filter(({ tool, outcome }) => tool !== 'look' && tool !== 'done' && outcome === 'done').map(({ on: what }) => what),
      [],
      JSON.stringify(end.steps, undefined, 1),
    );
    assert.equal(end.steps.length, tries.length + 1, end.stopped);
  });

  test('ends by itself: with steps, with tokens, with answers that are of no use, and with a model that is not there', async () => {
    assert.match((await walk(() => call('look'), { stepsMax: 2 })).end.stopped ?? '', /all of its 2 steps/);
    assert.match((await walk(() => call('look'), { tokensMax: 10 })).end.stopped ?? '', /18 tokens of its 10/);
    assert.match((await walk(() => ({ text: '{"tool":"navigate","ref":"http://127.0.0.1:9/"}' }))).end.stopped ?? '', /does not fit/);
    assert.match((await walk(() => call('back'))).end.stopped ?? '', /3 steps one after another came to nothing/);
    const { end, asked } = await walk(() => ({ status: 401 }));
    assert.match(end.stopped ?? '', /does not accept the key/);
    assert.equal(asked.length, 1);
  });
});

// The client of models against one that nobody here wrote: faults by chance, in both formats and each way to ask; its own verdict must be clean.
import assert from 'node:assert/strict';
import { createSupervise, createSweep } from '@weft/engine';
import type { Catalogue } from '@weft/engine';
import { createModel } from '@weft/engine/io';
import type { OpenModel } from '@weft/engine/io';
import { randomBytes } from 'node:crypto';
import { acceptDraft } from '../../packages/engine/src/build/draft.ts';
import { ModelError } from '../../packages/engine/src/model/model.ts';
import type { ModelFailure } from '../../packages/engine/src/model/model.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { startBuildStage } from '../build-stage.ts';
import { findBrowser } from '../browser.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startLlMock } from '../others/llmock.ts';
import type { Behavior, LlMock } from '../others/llmock.ts';
import { startTemptingSite } from '../sites/tempting-site.ts';

export const needs = 'Python, and llmock from PyPI';

const FORMATS = ['openai', 'anthropic'] as const;
const KEY = 'sk-campaign-00112233445566';
const nonce = () => randomBytes(8).toString('hex');
const mask = (text: string) => text;

/** What a question meets, and how it must end: with an answer, or for one of these reasons. */
interface Case {
  readonly name: string;
  readonly behaviors: (random: () => number) => readonly Behavior[];
  readonly ends: 'answer' | readonly ModelFailure[];
}

const fail = (status: number, more: object = {}): Behavior => ({ type: 'fail', status, ...more });
const broken = (kind: string, after: number, more: object = {}): Behavior => ({ type: 'stream_fault', kind, after_chunks: after, ...more });
const count = (random: () => number, most: number) => Math.floor(random() * (most + 1));

const CASES: readonly Case[] = [
  { name: 'nothing', behaviors: () => [], ends: 'answer' },
  {
    name: '429 with Retry-After',
    behaviors: (random) => [fail(429, { retry_after: 0.2 + random(), times: 1 + count(random, 1) })],
    ends: 'answer',
  },
  { name: '429 for ever', behaviors: () => [fail(429, { retry_after: 0.2, times: null })], ends: ['rate_limited'] },
  ...[408, 409, 500, 502, 503, 529].map((status) => ({
    name: `${status} now and then`,
    behaviors: (random: () => number) => [fail(status, { times: 1 + count(random, 2) })],
    ends: 'answer' as const,
  })),
  { name: '500 for ever', behaviors: () => [fail(500, { times: null })], ends: ['server_error'] },
  ...[401, 403].map((status) => ({ name: String(status), behaviors: () => [fail(status)], ends: ['key'] as const })),
  { name: '404', behaviors: () => [fail(404)], ends: ['refused'] },
  { name: 'a disconnection', behaviors: (random) => [broken('disconnect', count(random, 2))], ends: 'answer' },
  { name: 'an end that is cut', behaviors: (random) => [broken('truncate', count(random, 1))], ends: 'answer' },
  { name: 'a chunk that is no JSON', behaviors: (random) => [broken('malformed', count(random, 1))], ends: 'answer' },
  { name: 'a stall', behaviors: () => [broken('stall', 1, { stall_seconds: 30 })], ends: ['timeout'] },
  { name: 'a slow beginning', behaviors: (random) => [{ type: 'slow_first_token', seconds: random() }], ends: 'answer' },
  { name: 'words', behaviors: () => [{ type: 'reply', text: 'I would rather not.' }], ends: ['malformed'] },
  { name: 'a tool that there is not', behaviors: () => [{ type: 'tool_fault', kind: 'unknown_tool' }], ends: ['malformed', 'misfit'] },
  { name: 'a call that is no JSON', behaviors: () => [{ type: 'tool_fault', kind: 'malformed_arguments' }], ends: ['malformed', 'misfit'] },
];

/** One round is every case in both formats, and two builds on which some of them fall. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  await using mock = await startLlMock();
  const site = await startTemptingSite();
  await using stage = startBuildStage(await findBrowser());
  try {
    const { catalogue } = await stage.build({ url: `${site.origin}/list`, isDiscovery: true, objective: 'tea' });
    assert.ok(catalogue.candidates.length > 0, 'the site has something to choose among');
    for (let round = 0; round < rounds; round++) {
      for (const format of FORMATS) for (const each of CASES) await holdCase(each, format, mock, catalogue, random);
      for (const format of FORMATS) await holdBuild(format, mock, stage, `${site.origin}/`, random);
      assert.deepEqual(site.writes, []);
    }
    log(`${rounds * CASES.length * FORMATS.length} questions and ${rounds * FORMATS.length} builds: every verdict is clean`);
  } finally {
    await site.close();
  }
}

function openModel(mock: LlMock, format: (typeof FORMATS)[number], timeoutMs: number): OpenModel {
  const setting = { format, baseUrl: mock.baseUrl[format], model: 'mock-1', bounds: { timeoutMs } };
  return createModel({ name: 'mock', setting, key: async () => KEY, userAgent: 'WeftBot/0' });
}

async function holdCase(
  { name, behaviors, ends }: Case,
  format: (typeof FORMATS)[number],
  mock: LlMock,
  catalogue: Catalogue,
  random: () => number,
) {
  const queue = behaviors(random);
  // What breaks tools is met where a schema was refused before.
  const isOfTools = queue.some(({ type }) => type === 'tool_fault') && format === 'openai';
  const model = openModel(mock, format, ends !== 'answer' && ends.includes('timeout') ? 1_500 : 20_000);
  try {
    if (queue.length > 0) await mock.expect(isOfTools ? [fail(400, { message: 'response_format is unknown' }), ...queue] : queue);
    const supervised = await createSupervise({ model: heard(model), mask, nonce })(
      { url: 'http://shop.example/', objective: 'the price of tea', catalogue, task: 'draft' },
      new AbortController().signal,
    );
    const what = `${name} in ${format}: ${supervised.reason ?? 'an answer'}`;
    if (ends === 'answer') {
      const { draft, dropped } = acceptDraft(supervised.draft, catalogue);
      // It fills schemas without reading them: ids are right, names break their pattern, and it says at once that nothing matches.
      assert.ok(draft, `${what}; ${dropped.join(' ')}`);
    } else assert.ok(lastFailure !== undefined && ends.includes(lastFailure), `${what}: ${lastFailure ?? 'no failure'}`);
    await requireClean(mock, what);
  } finally {
    await model.close();
  }
}

let lastFailure: ModelFailure | undefined;

/** Tells why the last question had no answer. */
function heard(model: OpenModel): OpenModel {
  return {
    ...model,
    async ask(question, signal) {
      lastFailure = undefined;
      try {
        return await model.ask(question, signal);
      } catch (error) {
        if (error instanceof ModelError) lastFailure = error.reason;
        throw error;
      }
    },
  };
}

/** A build with the mock as its model ends, and so does one that climbs to the AI rung. */
async function holdBuild(
  format: (typeof FORMATS)[number],
  mock: LlMock,
  stage: ReturnType<typeof startBuildStage>,
  url: string,
  random: () => number,
) {
  const model = openModel(mock, format, 20_000);
  const own = { model, mask, nonce };
  try {
    await mock.expect([fail(503, { times: 1 + count(random, 1) }), broken('truncate', 1)]);
    const result = await stage.build(
      { url, objective: random() < 0.5 ? 'tea' : 'zeppelins', aiSupervise: true },
      { supervise: createSupervise(own), sweep: createSweep(own) },
    );
    assert.ok(['proved', 'failed'].includes(result.ladder.at(-1)?.status ?? ''), JSON.stringify(result.ladder));
    await requireClean(mock, `a build in ${format}`);
  } finally {
    await model.close();
  }
}

async function requireClean(mock: LlMock, what: string): Promise<void> {
  const verdict = await mock.verdict();
  assert.deepEqual(verdict.findings, [], what);
  assert.ok(verdict.passed, what);
  await mock.forget();
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testClock } from '../../../../../tests/agent.ts';
import { startModelServer } from '../../../../../tests/sites/model-server.ts';
import type { AskedModel, ModelReply, ModelServer } from '../../../../../tests/sites/model-server.ts';
import { PageError } from '../../errors.ts';
import { ModelError } from '../../model/model.ts';
import type { ModelBounds, ModelFailure, ModelQuestion } from '../../model/model.ts';
import { createModel } from './model.ts';
import type { ModelSetting } from './model.ts';

const KEY = 'sk-test-9f8e7d6c5b4a';
const FORMATS = ['openai', 'anthropic'] as const;
const QUESTION: ModelQuestion = {
  name: 'pick',
  system: 'You pick.',
  text: 'Which of F1 and F2?',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'string', enum: ['F1', 'F2'] } },
  },
};
const GOOD = '{"id": "F2"}';
const never = new AbortController().signal;

type Reply = (asked: AskedModel, count: number) => ModelReply;

function modelAt(server: ModelServer, format: (typeof FORMATS)[number], bounds: Partial<ModelBounds> = {}, clock = testClock()) {
  const setting: ModelSetting = { format, baseUrl: server.baseUrl[format], model: 'm-1', bounds };
  return createModel({ name: 'test', setting, key: async () => KEY, userAgent: 'WeftBot/0', clock, random: () => 0.5 });
}

/** Asks a model that replies so, once in each format. */
async function inBothFormats(reply: Reply, check: (ask: () => Promise<unknown>, server: ModelServer) => Promise<void>, bounds = {}) {
  for (const format of FORMATS) {
    await using server = await startModelServer(reply);
    const model = modelAt(server, format, bounds);
    try {
      await check(() => model.ask(QUESTION, never), server);
    } finally {
      await model.close();
    }
  }
}

const failsWith = (reason: ModelFailure, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ModelError, String(error));
  assert.equal(error.reason, reason, error.message);
  assert.match(error.message, message);
  assert.ok(!error.message.includes(KEY));
  return true;
};

describe('a model', () => {
  test('answers by its best mode, as a stream, with what it cost', async () => {
    const modes: string[] = [];
    const reply: Reply = (asked) => {
      modes.push(`${asked.format} ${asked.mode} ${asked.isStreamed}`);
      assert.deepEqual(asked.schema, QUESTION.schema);
      return { text: GOOD };
    };
    await inBothFormats(reply, async (ask, server) => {
      const answer = await ask();
      assert.deepEqual(answer, {
        value: { id: 'F2' },
        mode: server.asked[0]?.mode,
        spent: { inputTokens: 11, outputTokens: 7, isEstimated: false, requests: 1 },
      });
    });
    assert.deepEqual(modes, ['openai json_schema true', 'anthropic tool true']);
  });

  test('sends the key in the header of its format, and nowhere else', async () => {
    await inBothFormats(
      () => ({ text: GOOD }),
      async (ask, server) => {
        await ask();
        const [asked] = server.asked;
        const { authorization, 'x-api-key': key } = asked?.headers ?? {};
        assert.equal(asked?.format === 'openai' ? authorization : key, asked?.format === 'openai' ? `Bearer ${KEY}` : KEY);
        assert.ok(!JSON.stringify(asked?.body).includes(KEY));
      },
    );
  });

  test('gives up what an endpoint refuses, one by one, and remembers', async () => {
    const reply: Reply = ({ body, mode, isStreamed }) => {
      if ('max_tokens' in body) return { status: 400, message: 'Use max_completion_tokens instead.' };
      if ('temperature' in body) return { status: 400, message: 'temperature is not supported' };
      if (isStreamed) return { status: 400, message: 'stream must be false' };
      if (mode !== 'text') return { status: 422, message: `${mode} is unknown here` };
      return { text: `<think>F1? {"id": "F1"}</think>Surely:\n\`\`\`json\n${GOOD}\n\`\`\`` };
    };
    await using server = await startModelServer(reply);
    const model = modelAt(server, 'openai');
    try {
      const first = await model.ask(QUESTION, never);
      assert.deepEqual([first.value, first.mode, first.spent.requests], [{ id: 'F2' }, 'text', 6]);
      assert.match(server.asked.at(-1)?.system ?? '', /JSON Schema:\n\{"type":"object"/);
      const second = await model.ask(QUESTION, never);
      assert.deepEqual([second.mode, second.spent.requests], ['text', 1]);
    } finally {
      await model.close();
    }
  });

  test('waits as long as it is told to, and else longer each time', async () => {
    for (const format of FORMATS) {
      const clock = testClock();
      const atMs: number[] = [];
      await using server = await startModelServer((_asked, count) => {
        atMs.push(clock.steadyMs());
        if (count === 1) return { status: 429, headers: { 'retry-after': '7' } };
        if (count === 2) return { status: 529 };
        return count === 3 ? { status: 503 } : { text: GOOD };
      });
      const model = modelAt(server, format, {}, clock);
      try {
        const { spent } = await model.ask(QUESTION, never);
        assert.equal(spent.requests, 4);
        const rests = atMs.slice(1).map((each, at) => each - (atMs[at] ?? 0));
        assert.deepEqual(rests, [7000, 1000, 2000]);
      } finally {
        await model.close();
      }
    }
  });

  const FAILURES: readonly (readonly [name: string, reply: ModelReply, reason: ModelFailure, message: RegExp, asked: number])[] = [
    [
      'a key that is not accepted',
      { status: 401, message: `Incorrect API key provided: ${KEY}` },
      'key',
      /does not accept the key \(401\)/,
      1,
    ],
    [
      'an endpoint that is not there',
      { status: 404, message: `no model m-1 for ${KEY}` },
      'refused',
      /404: "no model m-1 for \[masked\]"/,
      1,
    ],
    ['a limit that does not end', { status: 429 }, 'rate_limited', /429/, 4],
    ['a limit that ends too late', { status: 429, headers: { 'retry-after': '3600' } }, 'rate_limited', /no time left/, 1],
    ['a server that fails', { status: 500 }, 'server_error', /500/, 4],
    ['an answer that breaks off', { text: GOOD, cutAfter: 60 }, 'cut', /middle of the body/, 4],
    [
      'an answer without an end',
      { raw: 'data: {"choices":[{"delta":{"content":"{"}}]}\n\n', contentType: 'text/event-stream' },
      'cut',
      /broke off/,
      4,
    ],
    ['an event that is no JSON', { raw: 'data: {"choi\n\n', contentType: 'text/event-stream' }, 'cut', /no JSON/, 4],
    ['10 MB', { raw: 'x'.repeat(10_000_000) }, 'too_large', /larger than 1,000,000 bytes/, 1],
    ['a page of HTML', { raw: '<html>hello</html>', contentType: 'text/html' }, 'malformed', /no answer of this format/, 1],
    ['words', { text: 'I can not do that.' }, 'malformed', /no JSON object/, 1],
    ['a list', { text: '["F1"]' }, 'malformed', /no JSON object/, 1],
    ['another id', { text: '{"id": "F3"}' }, 'misfit', /\/id/, 1],
    ['one member more', { text: '{"id": "F1", "url": "http://127.0.0.1:1/"}' }, 'misfit', /additional/, 1],
    ['a prototype', { text: '{"__proto__": {"id": "F1"}}' }, 'misfit', /id/, 1],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'refused', /307/, 1],
  ];
  for (const [name, reply, reason, message, asked] of FAILURES) {
    test(`F67 ends with ${reason} for ${name}`, async () => {
      await inBothFormats(
        () => reply,
        async (ask, server) => {
          await assert.rejects(ask, failsWith(reason, message));
          assert.equal(server.asked.length, asked);
        },
      );
    });
  }

  test('does not take the call of a tool that was not offered', async () => {
    const calls = {
      openai: { choices: [{ message: { tool_calls: [{ function: { name: 'drop', arguments: GOOD } }] }, finish_reason: 'tool_calls' }] },
      anthropic: { type: 'message', content: [{ type: 'tool_use', name: 'drop', input: { id: 'F2' } }], stop_reason: 'tool_use' },
    };
    await inBothFormats(
      ({ format }) => ({ raw: JSON.stringify(calls[format]) }),
      async (ask) => void (await assert.rejects(ask, failsWith('malformed', /was not offered/))),
    );
  });

  test('ends with length and declined where the endpoint says so', async () => {
    const ENDINGS = { openai: ['length', 'content_filter'], anthropic: ['max_tokens', 'refusal'] } as const;
    for (const [at, reason] of (['length', 'declined'] as const).entries())
      await inBothFormats(
        ({ format }) => ({ text: GOOD, ending: ENDINGS[format][at] ?? '' }),
        async (ask) => void (await assert.rejects(ask, failsWith(reason, /./))),
      );
  });

  test('counts what it can only estimate, of failed answers too', async () => {
    await inBothFormats(
      () => ({ text: '{"id": "F9"}', usage: false }),
      async (ask) => {
        const error: unknown = await ask().catch((reason: unknown) => reason);
        assert.ok(error instanceof ModelError);
        assert.equal(error.spent.isEstimated, true);
        assert.ok(error.spent.inputTokens > 20 && error.spent.outputTokens > 3, JSON.stringify(error.spent));
      },
    );
  });

  test('refuses a question that is too long before anything is sent, and is never given more than its settings allow', async () => {
    await inBothFormats(
      () => ({ text: GOOD }),
      async (ask, server) => {
        await assert.rejects(ask, failsWith('too_long', /about \d+ tokens, and 20 may go out/));
        assert.equal(server.asked.length, 0);
      },
      { inputTokensMax: 20 },
    );
    await using server = await startModelServer(() => ({ text: GOOD }));
    const model = modelAt(server, 'openai', { outputTokensMax: 50 });
    await model.ask({ ...QUESTION, bounds: { outputTokensMax: 9000 } }, never);
    assert.equal(server.asked[0]?.body['max_tokens'], 50);
    await model.close();
  });

  test('is stopped at any time', async () => {
    const stop = new AbortController();
    await using server = await startModelServer(() => {
      stop.abort(new Error('enough'));
      return { never: true };
    });
    const model = modelAt(server, 'openai');
    await assert.rejects(model.ask(QUESTION, stop.signal), (error) => error instanceof PageError && error.code === 'aborted');
    await model.close();
  });

  test('goes through the gate: own ports, metadata and plain http on the internet are not reached', async () => {
    await using server = await startModelServer(() => ({ text: GOOD }));
    const ask = async (baseUrl: string, ownPorts: readonly number[] = []) => {
      const model = createModel({
        name: 'test',
        setting: { format: 'openai', baseUrl, model: 'm-1' },
        key: async () => KEY,
        userAgent: 'WeftBot/0',
        ownPorts,
        resolve: async () => ['93.184.216.34'],
      });
      try {
        return await model.ask(QUESTION, never);
      } finally {
        await model.close();
      }
    };
    await assert.rejects(
      ask(server.baseUrl.openai, [Number(new URL(server.baseUrl.openai).port)]),
      failsWith('unreachable', /not fetched/),
    );
    await assert.rejects(ask('http://169.254.169.254/v1'), failsWith('unreachable', /not fetched/));
    await assert.rejects(ask('http://models.example/v1'), failsWith('unreachable', /over https alone/));
    assert.equal(server.asked.length, 0);
    assert.deepEqual((await ask(server.baseUrl.openai)).value, { id: 'F2' });
  });

  test('ends with key where the key can not be had', async () => {
    await using server = await startModelServer(() => ({ text: GOOD }));
    const model = createModel({
      name: 'test',
      setting: { format: 'openai', baseUrl: server.baseUrl.openai, model: 'm-1' },
      key: async () => Promise.reject(new Error('The vault is locked.')),
      userAgent: 'WeftBot/0',
    });
    await assert.rejects(model.ask(QUESTION, never), failsWith('key', /The vault is locked/));
    assert.equal(server.asked.length, 0);
    await model.close();
  });
});

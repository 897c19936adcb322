// One Idempotency-Key on many paths with many bodies at once: each path has an effect of its own, and at most one.
import assert from 'node:assert/strict';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import type { RemoteAgent } from './asking.ts';
import { ask, askJson } from './asking.ts';

const CALLS = 60;
const KEYS = 3;

interface Call {
  readonly path: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

let attacks = 0;

/** Sends a mixture of calls all at once; answers how many. Throws where two paths share a run, or a call has two effects. */
export async function attackByKeys(agent: RemoteAgent, random: () => number): Promise<number> {
  await using site = await serveOnLoopback((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title><h1>x</h1>');
  });
  // Keys and slugs are kept for a day, and one agent is attacked many times.
  const attack = ++attacks;
  const slugs = [`a-${attack}`, `b-${attack}`];
  for (const slug of slugs) await askJson(agent, { path: '/v1/crawl/definitions', body: { url: site.url, slug, limit: 1 } });
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const choices = [...slugs, `none-${attack}`].map((slug) => ({
    path: `/v1/crawl/definitions/${slug}/run`,
    bodies: [{}, { wait: true }] as Readonly<Record<string, unknown>>[],
  }));
  choices.push({
    path: '/v1/crawl',
    bodies: [
      { url: site.url, limit: 1 },
      { url: `${site.url}other`, limit: 1 },
    ],
  });
  const calls = Array.from({ length: CALLS }, (): Call => {
    const { path, bodies } = pick(choices);
    return { path, body: pick(bodies), key: `k-${attack}-${Math.floor(random() * KEYS)}` };
  });
  const answers = await Promise.all(
    calls.map(async (call) => ({ call, ...(await ask(agent, { ...call, headers: { 'idempotency-key': call.key } })) })),
  );
  checkEffects(answers);
  return CALLS;
}

function checkEffects(answers: readonly { readonly call: Call; readonly status: number; readonly text: string }[]): void {
  const runs: number[] = [];
  for (const [target, group] of Map.groupBy(answers, ({ call }) => `${call.path} ${call.key}`)) {
    if (target.includes('/none-')) {
      assert.ok(
        group.every(({ status }) => status === 404),
        `${target}: ${group.map(({ status }) => status)}`,
      );
      continue;
    }
    const taken = group.filter(({ status }) => status === 200 || status === 202);
    const ids = new Set(taken.map(({ text }) => (JSON.parse(text) as { id: number }).id));
    const bodies = new Set(taken.map(({ call }) => JSON.stringify(call.body)));
    assert.deepEqual([ids.size, bodies.size], [1, 1], `${target} has one effect, of one body`);
    const [body] = bodies;
    for (const { call, status } of group)
      assert.equal(status === 409, JSON.stringify(call.body) !== body, `${target}: ${status} for ${JSON.stringify(call.body)}`);
    runs.push(...ids);
  }
  assert.equal(new Set(runs).size, runs.length, 'no two paths share a run');
}

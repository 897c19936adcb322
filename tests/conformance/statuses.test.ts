// Every operation in every status that it declares: reached, shaped as the table says, and with no effect but the one that it promises.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { DAEMON_TABLE, ERROR_STATUS, ErrorBody, EXTRA_TABLE, LIMITS, RunEvent, errorCodesOf, listOperations } from '@weft/contract';
import type { Operation } from '@weft/contract';
import type { AnyReply, Kernel } from '@weft/serve';
import { createKernel, createStreamRegistry } from '@weft/serve';
import { testClock } from '../agent.ts';
import { until } from '../until.ts';
import type { KernelAgent, KernelCall } from './kernel.ts';
import { NO_NOTES, OWN_TABLES, RUNTIME, callKernel, policyOf, startKernelAgent } from './kernel.ts';
import type { Way } from './ways.ts';
import { REACH } from './reach.ts';
import { blankBrowser, twoPages } from './ways.ts';

const OPERATIONS = [...listOperations(DAEMON_TABLE), ...listOperations(EXTRA_TABLE)];

/** Ways to the statuses that every operation shares, from its base call. */
const SHARED: Readonly<Record<number, (base: KernelCall) => Way>> = {
  400: (base) => ({ prepare: () => ({ ...base, target: `${base.target}?nonsense=1` }) }),
  401: (base) => ({ prepare: () => ({ ...base, token: undefined, headers: ['Authorization', 'Bearer wlt_unknown'] }) }),
  403: (base) => ({ prepare: () => ({ ...base, headers: ['Host', 'evil.example:8131'] }) }),
  429: (base) => ({ prepare: (agent) => drain(agent, base) }),
  500: (base) => ({ prepare: () => base }),
};

/** They ask neither rows nor the clock, and so answer this in an agent that has lost both. */
const WITHOUT_ROWS: Readonly<Record<string, number>> = {
  // Without a model there is nothing to ask.
  'models.test': 200,
  'workflows.import': 200,
  'recordings.read': 404,
  'recordings.screen': 404,
  'recordings.finish': 404,
  'recordings.discard': 404,
};

function statusesOf(operation: Operation): readonly number[] {
  const errors = errorCodesOf(operation).map((code) => ERROR_STATUS[code]);
  return [...new Set([...Object.keys(operation.replies).map(Number), ...errors])].sort((a, b) => a - b);
}

function wayTo(operation: Operation, status: number): Way | undefined {
  const reach = REACH[operation.id];
  return reach && (reach.ways[status] ?? SHARED[status]?.(reach.base));
}

suite('every operation in every status that it declares', () => {
  test('there is a way to each of them, and none to another', () => {
    for (const operation of OPERATIONS) {
      for (const status of statusesOf(operation)) assert.ok(wayTo(operation, status), `${operation.id} ${status} is not reached`);
      const more = Object.keys(REACH[operation.id]?.ways ?? {}).filter((status) => !statusesOf(operation).includes(Number(status)));
      assert.deepEqual(more, [], `${operation.id} does not declare these`);
    }
    const known = new Set(OPERATIONS.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(REACH).filter((id) => !known.has(id)),
      [],
    );
  });

  // Refusals leave an agent as it was, so all of them can share one; each status with an effect gets an agent of its own.
  const shared = new Map<string, Promise<KernelAgent>>();
  const share = (name: string, start: () => Promise<KernelAgent>) => {
    const agent = shared.get(name) ?? start();
    shared.set(name, agent);
    return agent;
  };
  after(async () => {
    for (const agent of shared.values()) await (await agent)[Symbol.asyncDispose]();
  });
  const start = () => startKernelAgent({ fetcher: twoPages(), sessions: blankBrowser() });

  for (const operation of OPERATIONS)
    for (const status of statusesOf(operation))
      test(`${operation.id} answers ${status} as declared, and not where its handler does nothing`, async () => {
        if (status === 500) return await check(operation, WITHOUT_ROWS[operation.id] ?? 500, await share('broken', startBrokenAgent));
        if (status === 429) return await check(operation, status, await share('drained', start));
        if ([400, 401, 403, 404].includes(status)) return await check(operation, status, await share('refusing', start));
        await using agent = await start();
        await check(operation, status, agent);
      });
});

async function check(operation: Operation, status: number, agent: KernelAgent): Promise<void> {
  // Time stands still in these agents, so a bucket fills only here.
  if (status !== 429) agent.clock.advance(60_000);
  const way = wayTo(operation, status);
  assert.ok(way);
  const call = await way.prepare(agent);
  const before = agent.database.fast.isOpen ? snapshot(agent) : undefined;
  // What all operations share needs no handler.
  if (before && REACH[operation.id]?.ways[status] === way) await refuseMutants(operation, status, way, call, agent, before);
  await assertAnswer(operation, status, await agent.call({ token: agent.token, ...call }));
  if (before) await assertEffectInTheEnd(before, agent, way.rows);
}

/** What a handler that does nothing might answer; none of it may pass for the real thing. */
const MUTANTS: readonly (readonly [name: string, reply: (status: number) => AnyReply | object])[] = [
  ['an empty reply', () => ({})],
  ['an empty body under the right status', (status) => ({ status, body: {} })],
  ['an empty list under the right status', (status) => ({ status, body: [] })],
  ['no body under the right status', (status) => ({ status })],
];

/** A call that is prepared is refused by the same checks where its handler does nothing, and has no effect then. */
async function refuseMutants(operation: Operation, status: number, way: Way, call: KernelCall, agent: KernelAgent, before: Snapshot) {
  // Nothing said and nothing done is what a handler that does nothing does too; its other statuses tell it.
  if (!way.rows && Object.keys(operation.replies[status]?.content ?? { error: true }).length === 0) return;
  for (const [name, reply] of MUTANTS) {
    const mutant = mutantKernel(agent, () => reply(status) as AnyReply);
    await assert.rejects(async () => {
      await assertAnswer(operation, status, await callKernel(mutant, { token: agent.token, ...call }));
      assertEffect(before, snapshot(agent), way.rows);
    }, `${operation.id} ${status} with ${name}`);
  }
}

async function assertAnswer(operation: Operation, status: number, response: Response): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.deepEqual(
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-')),
    [],
  );
  if (status === 429) assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assertBody(operation, status, response.headers.get('content-type'), text);
}

function assertBody(operation: Operation, status: number, type: string | null, text: string): void {
  const content = operation.replies[status]?.content;
  if (Object.values(content ?? {}).includes('bytes') && isRaw(content?.['application/json'])) return assert.notEqual(text, '');
  const sent = type?.split(';')[0] ?? '';
  if (content?.[sent] === 'text') return assert.notEqual(text, '');
  if (content && Object.keys(content).length === 0) return assert.deepEqual([type, text], [null, '']);
  if (content?.['text/event-stream'] === 'events') return assertEvents(type, text);
  assert.equal(type, 'application/json');
  const body: unknown = JSON.parse(text);
  const schema = content?.['application/json'];
  // Nothing but its rows tells a bare array from that of a handler that does nothing.
  if (operation.replies[status]?.envelope === 'array') assert.notDeepEqual(body, []);
  if (typeof schema === 'object' && schema.safeParse(body).success) return;
  const error = ErrorBody.parse(body);
  assert.equal(ERROR_STATUS[error.code], status);
  assert.ok(errorCodesOf(operation).includes(error.code), `${error.code} is not declared`);
  assert.ok(status >= 400);
}

/** True where JSON is sent as bytes too, or not at all. */
function isRaw(body: unknown): boolean {
  return body === undefined || body === 'bytes';
}

function assertEvents(type: string | null, text: string): void {
  assert.equal(type, 'text/event-stream');
  const events = text
    .trimEnd()
    .split('\n\n')
    .map((block) => RunEvent.parse(JSON.parse(block.replace(/^(id: \d+\n)?data: /, ''))));
  assert.equal(events[0]?.type, 'snapshot');
  assert.equal(events.at(-1)?.type, 'finished');
}

type Snapshot = Readonly<Record<string, readonly string[]>>;

/** Every row of every table as text; when a key was last used is no effect of a call. */
function snapshot({ database: { fast } }: KernelAgent): Snapshot {
  const tables = fast.prepare(OWN_TABLES).all() as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      fast
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify({ ...row, last_used_at: null })),
    ]),
  );
}

/** An effect may come after its answer, with the run that was dispatched; one that never comes fails with what differs. */
async function assertEffectInTheEnd(before: Snapshot, agent: KernelAgent, rows: Way['rows']): Promise<void> {
  const isThere = () => {
    try {
      return assertEffect(before, snapshot(agent), rows) === undefined;
    } catch {
      return false;
    }
  };
  await until(isThere).catch(() => assertEffect(before, snapshot(agent), rows));
}

function assertEffect(before: Snapshot, after: Snapshot, rows: Way['rows']): void {
  if (!rows) return assert.deepEqual(after, before);
  const changed = Object.keys(after).map((name) => [name, (after[name]?.length ?? 0) - (before[name]?.length ?? 0)] as const);
  assert.deepEqual(Object.fromEntries(changed.filter(([, change]) => change !== 0)), rows);
}

/** Takes from the bucket of the runtime token until it is empty. */
async function drain(agent: KernelAgent, base: KernelCall): Promise<KernelCall> {
  for (let i = 0; i <= LIMITS.runtimeRateBurst; i++)
    if ((await agent.call({ target: '/v1/agent', method: 'HEAD', token: agent.token })).status === 429) return base;
  throw new Error('the bucket never emptied');
}

/** An agent whose database is closed, whose home is gone and whose clock throws. */
async function startBrokenAgent(): Promise<KernelAgent> {
  const clock = testClock();
  let isBroken = false;
  const unlessBroken = (reading: () => number) => () => {
    if (isBroken) throw new Error('the clock stopped');
    return reading();
  };
  const failing = { ...clock, now: unlessBroken(clock.now), steadyMs: unlessBroken(clock.steadyMs) };
  const agent = await startKernelAgent({ fetcher: twoPages(), clock: failing, monotonicMs: () => clock.now() });
  await agent.services.executor.stop(1000);
  isBroken = true;
  agent.database.close();
  rmSync(agent.home, { recursive: true });
  return agent;
}

/** A kernel of the same tables in which every handler answers `reply`. */
function mutantKernel(agent: KernelAgent, reply: () => AnyReply): Kernel {
  const handlers = new Proxy({}, { get: () => new Proxy({}, { get: () => reply }) });
  return createKernel({
    surfaces: [
      { table: DAEMON_TABLE, handlers },
      { table: EXTRA_TABLE, handlers },
    ],
    open: {},
    policy: policyOf((token) => (token === agent.token ? RUNTIME : undefined)),
    idempotency: NO_NOTES,
    streams: createStreamRegistry(),
    now: () => 0,
    log: () => undefined,
  });
}

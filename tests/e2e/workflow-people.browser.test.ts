// What a run does in a browser where a person is needed: codes that go into one box each, pauses that end by themselves; and what robots.txt says of its steps.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewWorkflow, Run, RunEvent } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import type { MembersSite } from '../sites/members-site.ts';

type Steps = readonly Readonly<Record<string, unknown>>[];

/** Asks its server whether it may go on, and then goes to another page. */
const GATE = `<!doctype html><title>A question</title><main><h1>A question</h1><p>Somebody has to look at this before it goes on to what is behind it.</p></main>
<script>const ask = async () => (await (await fetch('/open')).json()) ? location.assign('/behind') : setTimeout(ask, 20); ask()</script>`;
const BEHIND =
  '<!doctype html><title>Behind</title><main><h1 id="behind">Behind</h1><p>What was behind the question, with words enough to be a page.</p></main>';

suite('runs that need a person', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let gate: LocalSite;
  let members: MembersSite;
  let isOpen = false;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    gate = await startSite((path) => {
      if (path === '/open') return { status: 200, headers: { 'content-type': 'application/json' }, body: String(isOpen) };
      if (path === '/robots.txt')
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /behind\n' };
      if (path === '/behind') return BEHIND;
      return path === '/' ? GATE : undefined;
    });
    members = await startMembersSite({ now: () => agent.clock.now(), boxes: true });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([gate.close(), members.close()]);
  });

  async function start(steps: Steps, more: object = {}): Promise<Run> {
    const { id } = await agent.client.workflows.create({ name: 'Asks', steps, lane: 'browser', ...more } as unknown as NewWorkflow);
    return await agent.client.workflows.run({ id });
  }
  async function* eventsOf(id: number): AsyncGenerator<RunEvent> {
    // The agent checks each before it sends it.
    for await (const { data } of (await agent.client.runs.events({ id })) ?? []) yield data as RunEvent;
  }
  async function untilWaiting(id: number): Promise<void> {
    for await (const event of eventsOf(id)) if (event.type === 'step' && event.status === 'waiting_human') return;
  }
  const settled = async (id: number) => await agent.client.waitForRun(id, { timeout: 600 });
  async function robotsOf(id: number): Promise<readonly unknown[]> {
    const told: unknown[] = [];
    for await (const event of eventsOf(id)) if (event.type === 'step' && event.status === 'succeeded') told.push(event.robots);
    return told;
  }
  const open = (path: string) => ({ id: 'open', type: 'navigate', url: `${gate.origin}${path}` });
  const pause = { id: 'wait', type: 'pause', reason: 'verification', instructions: 'Look at it.' };
  const resume = { page: { selectors: ['#behind'] }, op: 'exists' };

  test('a pause ends by itself once its condition holds, on whatever page that is', async () => {
    isOpen = false;
    const { id } = await start([open('/'), { ...pause, resume }, { id: 'h1', type: 'extract', fields: { text: { selectors: ['h1'] } } }]);
    await untilWaiting(id);
    assert.equal((await agent.client.runs.read({ id })).status, 'waiting_human');
    isOpen = true;
    const run = await settled(id);
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    const { steps } = await agent.client.runs.results({ id });
    assert.deepEqual([steps['wait'], steps['h1']], ['resumed', { text: 'Behind' }]);
  });

  test('a pause that a person ends too early fails the run', async () => {
    isOpen = false;
    const { id } = await start([open('/'), { ...pause, resume }]);
    await untilWaiting(id);
    await agent.client.runs.answer({ id, text: 'done' });
    const run = await settled(id);
    assert.deepEqual([run.status, run.failure?.code, run.failure?.step_id], ['failed', 'assert', 'wait']);
  });

  test('a code goes into one box for each of its digits, and the page may send it by itself', async () => {
    const { username, password, seed: totp_seed } = MEMBER;
    const persona = await agent.client.personas.create({ name: 'Grace', origins: [members.origin], username, password, totp_seed });
    const steps = [
      { id: 'page', type: 'navigate', url: `${members.origin}/login` },
      { id: 'name', type: 'change', selectors: ['[name=user]'], value: '{{persona.username}}' },
      { id: 'word', type: 'change', selectors: ['[name=pass]'], value: '{{persona.password}}' },
      { id: 'send', type: 'click', selectors: ['#enter button'] },
      { id: 'code', type: 'otp', selectors: ['[name=digit]'] },
      { id: 'in', type: 'waitForElement', selectors: ['#hello'] },
    ];
    const run = await settled((await start(steps, { persona_id: persona.id })).id);
    assert.deepEqual([run.status, members.codes.length], ['succeeded', 1], JSON.stringify(run.failure));
  });

  for (const lane of ['browser', 'http'])
    test(`what robots.txt says of a step is told beside it by ${lane}, and keeps nobody out`, async () => {
      const run = await settled((await start([open('/behind'), { ...open('/'), id: 'back' }], { lane })).id);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual(await robotsOf(run.id), [{ allowed: false, rule: 'Disallow: /behind', line: 2 }, { allowed: true }]);
    });
});

// The test of a persona's login: how far it comes, in both lanes, and that nothing of it stays.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewPersona, NewWorkflow } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import type { MembersOptions, MembersSite } from '../sites/members-site.ts';

const HELLO = { page: { selectors: ['#hello'] }, op: 'exists' };

suite('the test of a login', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
  });
  after(async () => await agent[Symbol.asyncDispose]());

  async function onSite(asks: NonNullable<MembersOptions['asks']>, body: (site: MembersSite) => Promise<void>) {
    const site = await startMembersSite({ now: () => agent.clock.now(), asks });
    try {
      await body(site);
    } finally {
      await site.close();
    }
  }
  async function persona({ origin }: MembersSite, more: Partial<NewPersona> = {}) {
    const { username, password, seed: totp_seed } = MEMBER;
    return (await agent.client.personas.create({ name: 'Grace', origins: [origin], username, password, totp_seed, ...more })).id;
  }
  async function workflow(persona_id: number, steps: readonly object[], more: object = {}) {
    return (await agent.client.workflows.create({ name: 'Members', persona_id, steps, ...more } as unknown as NewWorkflow)).id;
  }
  const logIn = ({ origin }: MembersSite) => ({ id: 'in', type: 'login', url: `${origin}/members`, success: HELLO });
  const later = ({ origin }: MembersSite) => ({ id: 'later', type: 'navigate', url: `${origin}/members/3` });

  for (const lane of ['http', 'browser'])
    test(`comes to the end of a login with a code by ${lane}, and keeps nothing of it`, () =>
      onSite('code', async (site) => {
        const { client } = agent;
        const id = await persona(site);
        const workflow_id = await workflow(id, [logIn(site), later(site)], { lane });
        const report = await client.personas.test2fa({ id });
        const { steps, ...told } = report;
        assert.deepEqual(
          [told, steps.map(({ step_id, step_type, status }) => [step_id, step_type, status])],
          [{ workflow_id, lane, code_asked: true, code_sent: true, code_accepted: true, logged_in: true }, [['in', 'login', 'succeeded']]],
        );
        assert.deepEqual([site.logins(), site.codes.length, site.requests.includes('/members/3')], [1, 1, false]);
        assert.doesNotMatch(JSON.stringify(report), new RegExp([MEMBER.password, MEMBER.seed, ...site.codes].join('|')));
        const { exists } = await client.workflows.session({ id: workflow_id, persona_id: id });
        assert.deepEqual([exists, (await client.personas.runs({ id })).count], [false, 0]);
      }));

  test('goes step by step as well, up to the step that shows that the login has worked', () =>
    onSite('code', async (site) => {
      const id = await persona(site);
      await workflow(id, [
        { id: 'open', type: 'navigate', url: `${site.origin}/login` },
        { id: 'name', type: 'change', selectors: ['[name=user]'], value: '{{persona.username}}' },
        { id: 'word', type: 'change', selectors: ['[name=pass]'], value: '{{persona.password}}' },
        { id: 'send', type: 'click', selectors: ['#enter button'] },
        { id: 'code', type: 'otp', selectors: ['[name=otp]'] },
        { id: 'go', type: 'click', selectors: ['#second button'] },
        { id: 'proof', type: 'waitForElement', selectors: ['#hello'] },
        later(site),
      ]);
      const { steps, failure, ...told } = await agent.client.personas.test2fa({ id });
      assert.deepEqual([told.code_accepted, told.logged_in, failure, steps.at(-1)?.step_id], [true, true, undefined, 'proof']);
      assert.ok(!site.requests.includes('/members/3'));
    }));

  test('says how far it came: no form of a code, a code that was refused, a password that was', () =>
    onSite('code', async (site) => {
      const { client } = agent;
      const wrong = await persona(site, { totp_seed: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
      await workflow(wrong, [logIn(site)]);
      const refused = await client.personas.test2fa({ id: wrong });
      assert.deepEqual(
        [refused.code_asked, refused.code_sent, refused.code_accepted, refused.logged_in, refused.failure?.code, refused.failure?.step_id],
        [true, true, false, false, 'assert', 'in'],
      );
      const stranger = await persona(site, { password: 'a guess' });
      await workflow(stranger, [logIn(site)]);
      const early = await client.personas.test2fa({ id: stranger });
      assert.deepEqual([early.code_asked, early.code_sent, early.logged_in, early.failure?.code], [false, false, false, 'assert']);
      const seedless = await persona(site);
      await client.personas.update({ id: seedless, totp_seed: null });
      await workflow(seedless, [logIn(site)]);
      const without = await client.personas.test2fa({ id: seedless });
      assert.deepEqual([without.code_asked, without.code_sent, without.failure?.code], [true, false, 'input']);
      assert.match(without.failure?.message ?? '', /no TOTP seed/);
    }));

  test('says that no code was asked for where there is none', () =>
    onSite('nothing', async (site) => {
      const id = await persona(site);
      await workflow(id, [logIn(site)]);
      const { code_asked, code_accepted, logged_in } = await agent.client.personas.test2fa({ id });
      assert.deepEqual([code_asked, code_accepted, logged_in], [false, false, true]);
    }));

  test('needs a person where a captcha stands in the way, or the code is sent to one', () =>
    onSite('captcha', async (site) => {
      const { client } = agent;
      const id = await persona(site);
      await workflow(id, [logIn(site)]);
      await assert.rejects(client.personas.test2fa({ id }), { status: 402, code: 'captcha_required' });
      await onSite('code', async (other) => {
        const asked = await persona(other, { two_factor: 'ask' });
        await workflow(asked, [logIn(other)]);
        await assert.rejects(client.personas.test2fa({ id: asked }), { status: 402, code: 'captcha_required' });
      });
    }));

  test('is refused without a workflow of the persona, with another one, and with one that proves no login', () =>
    onSite('nothing', async (site) => {
      const { client } = agent;
      const id = await persona(site);
      await assert.rejects(client.personas.test2fa({ id }), { code: 'bad_request', message: /no workflow acts as persona/i });
      const other = await persona(site);
      const workflow_id = await workflow(other, [logIn(site)]);
      await assert.rejects(client.personas.test2fa({ id, workflow_id }), { code: 'bad_request', message: /acts as persona/ });
      const bare = await workflow(id, [later(site)]);
      await assert.rejects(client.personas.test2fa({ id }), { code: 'bad_request', message: /shows whether the login has worked/ });
      await workflow(id, [logIn(site)]);
      await assert.rejects(client.personas.test2fa({ id }), { code: 'bad_request', message: /"workflow_id"/ });
      await assert.rejects(client.personas.test2fa({ id, workflow_id: bare }), { code: 'bad_request' });
    }));
});

// What a persona holds is used in its runs: its session, its language and its way out; and its session goes to Playwright and comes from there.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewPersona, NewWorkflow } from '@weft/contract';
import { createAddressGate, createFetcher, proxyFinder } from '@weft/engine/io';
import type { Browser } from 'playwright-core';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser, launchBrowser } from '../browser.ts';
import { APP_MEMBER, startAppSite } from '../sites/app-site.ts';
import type { AppSite } from '../sites/app-site.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import type { MembersSite } from '../sites/members-site.ts';
import { startProxy } from '../sites/proxy.ts';
import type { TestProxy } from '../sites/proxy.ts';

type Steps = readonly Readonly<Record<string, unknown>>[];

suite('what a persona holds', { timeout: 600_000 }, () => {
  let app: AppSite;
  let members: MembersSite;
  let proxy: TestProxy;
  let agent: TestAgent;
  let rival: Browser;
  before(async () => {
    [app, members, rival] = await Promise.all([startAppSite(), startMembersSite({ asks: 'nothing' }), launchBrowser()]);
    proxy = await startProxy('http', () => Number(new URL(members.origin).port));
    const findProxy = proxyFinder({ office: { url: proxy.url } });
    const gate = createAddressGate({ mode: 'agent' });
    const fetcher = createFetcher({ gate, home: '/nowhere', chromePath: await findBrowser(), findProxy });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([app.close(), members.close(), proxy.close(), rival.close()]);
  });

  async function persona(more: Partial<NewPersona> = {}) {
    return (await agent.client.personas.create({ name: 'Joan', origins: [app.origin, members.origin], ...more })).id;
  }
  async function workflow(persona_id: number, steps: Steps, more: object = {}) {
    return (await agent.client.workflows.create({ name: 'As Joan', persona_id, steps, ...more } as unknown as NewWorkflow)).id;
  }
  async function go(id: number) {
    const run = await agent.client.workflows.run({ id, wait: true, timeout: 600 });
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    return (await agent.client.runs.results({ id: run.id })).steps;
  }
  const HELLO = { page: { selectors: ['#hello'] }, op: 'exists' };
  const logIn = (url: string) => ({ id: 'in', type: 'login', url, success: HELLO });

  test('a picture that a crawl takes as a persona shows none of its values', async () => {
    const password = 'nothing but ink';
    const shown = await startSite(() => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      // Ink on ink: only what is painted over it can be seen.
      body: `<!doctype html><title>Ink</title><style>body{background:#fff;color:#fff}</style><main>${password}</main>`,
    }));
    try {
      const id = await persona({ origins: [shown.origin], password });
      const pictureOf = async (more: object) => {
        const asked = { url: `${shown.origin}/`, limit: 1, lane: 'browser', screenshot: 'viewport', wait: true, ...more } as const;
        const { data } = await agent.client.crawl.start(asked);
        const file = data[0]?.screenshot;
        assert.ok(file, JSON.stringify(data[0]));
        const answer = await fetch(`${agent.baseUrl}/v1/files/${file}/content`, { headers: { authorization: `Bearer ${agent.token}` } });
        return Buffer.from(await answer.bytes()).toString('base64');
      };
      const [nobody, again, asPersona] = [await pictureOf({}), await pictureOf({}), await pictureOf({ persona_id: id })];
      assert.ok(nobody === again && nobody !== asPersona);
    } finally {
      await shown.close();
    }
  });

  test('its language and its proxy are those of its runs, in both lanes', async () => {
    const id = await persona({ locale: 'de-AT', proxy: 'office' });
    const open = { id: 'open', type: 'navigate', url: `${members.origin}/` };
    const byHttp = await workflow(id, [open, { id: 'who', type: 'request', url: '/whoami' }], { lane: 'http' });
    const told = (await go(byHttp))['who'] as { json: { language: string } };
    assert.deepEqual([told.json.language, proxy.asked.length > 0], ['de-AT', true]);
    const before = proxy.asked.length;
    const source = `() => fetch('/whoami').then((answer) => answer.json()).then(({ language }) => [language, navigator.language])`;
    const inBrowser = await workflow(id, [open, { id: 'who', type: 'script', source }]);
    assert.deepEqual([(await go(inBrowser))['who'], proxy.asked.length > before], [['de-AT', 'de-AT'], true]);
    const lost = await workflow(await persona({ proxy: 'nowhere' }), [open], { lane: 'http' });
    const run = await agent.client.workflows.run({ id: lost, wait: true });
    assert.match(run.failure?.message ?? '', /no proxy named "nowhere"/);
  });

  test('its session is one for all of its workflows, and is gone once one of them is told to forget it', async () => {
    const { username, password } = MEMBER;
    const id = await persona({ username, password });
    const first = await workflow(id, [logIn(`${members.origin}/members`)]);
    const second = await workflow(id, [logIn(`${members.origin}/members`)], { lane: 'browser' });
    const begun = members.logins();
    assert.deepEqual([await go(first), await go(second)], [{ in: { reused: false } }, { in: { reused: true } }]);
    assert.equal(members.logins(), begun + 1);
    const { sessions } = await agent.client.personas.read({ id });
    assert.deepEqual(
      sessions.map(({ scope }) => scope),
      ['browser'],
    );
    await agent.client.workflows.clearSession({ id: first });
    await agent.client.workflows.clearSession({ id: second });
    assert.deepEqual(await go(first), { in: { reused: false } });
  });

  test('a crawl in the browser has its cookies and its language', async () => {
    const { username, password } = MEMBER;
    const persona_id = await persona({ username, password, locale: 'nl-BE' });
    await go(await workflow(persona_id, [logIn(`${members.origin}/members`)], { lane: 'http' }));
    const asked = { limit: 1, lane: 'browser' as const, formats: ['text' as const], persona_id, wait: true };
    const { data } = await agent.client.crawl.start({ url: `${members.origin}/members/2`, ...asked });
    assert.match(data[0]?.text ?? '', /Hello, Grace/);
    const who = await agent.client.crawl.start({ url: `${members.origin}/whoami`, ...asked });
    assert.match(who.data[0]?.text ?? '', /nl-BE[^]*true/);
  });

  test('its name stands in rows as the site has it, and its password does not', async () => {
    const { username, password } = MEMBER;
    const id = await persona({ username, password });
    const fields = { by: { selectors: ['b'] }, said: { selectors: ['a'] } };
    const rows = { id: 'rows', type: 'extractList', selectors: ['li'], fields };
    const { rows: given } = (await go(await workflow(id, [logIn(`${members.origin}/members`), rows]))) as { rows: { by: string }[] };
    assert.deepEqual(
      given.map(({ by }) => by),
      [username, username, username],
    );
  });

  test('a login whose form a button opens is made once for five runs', async () => {
    const { username, password } = APP_MEMBER;
    const begun = app.logins();
    const id = await persona({ username, password });
    const fields = { username: ['#user'], password: ['#pass'], submit: ['#enter button'] };
    const once = await workflow(id, [{ ...logIn(`${app.origin}/app?dialog`), opener: ['#door'], fields, timeout: 20_000 }]);
    const reused = (await Promise.all([1, 2, 3, 4, 5].map(() => go(once)))).map((steps) => steps['in']);
    assert.equal(app.logins(), begun + 1);
    assert.equal(JSON.stringify(reused).match(/false/g)?.length, 1, JSON.stringify(reused));
  });

  test('a session that only the page believes in is made anew, and one that is to be fresh always is', async () => {
    const { username, password } = APP_MEMBER;
    const begun = app.logins();
    const id = await persona({ username, password });
    const login = logIn(`${app.origin}/app?trusting`);
    const once = await workflow(id, [login], { lane: 'browser' });
    assert.deepEqual([await go(once), await go(once)], [{ in: { reused: false } }, { in: { reused: true } }]);
    app.endSessions();
    assert.deepEqual(await go(once), { in: { reused: false } });
    const fresh = await workflow(id, [{ ...login, session: 'fresh' }], { lane: 'browser' });
    assert.deepEqual([await go(fresh), app.logins()], [{ in: { reused: false } }, begun + 3]);
  });

  test('a storage state of Playwright is a session of a persona', async () => {
    const context = await rival.newContext();
    const page = await context.newPage();
    await page.goto(`${app.origin}/app`);
    await page.fill('[name=user]', APP_MEMBER.username);
    await page.fill('[name=pass]', APP_MEMBER.password);
    await page.click('#enter button');
    await page.waitForSelector('#hello');
    const state = await context.storageState({ indexedDB: true });
    await context.close();
    const id = await persona();
    const brought = await agent.client.personas.importStorageState({ id, ...(JSON.parse(JSON.stringify(state)) as typeof state) } as never);
    assert.deepEqual([brought.session.version, brought.left_out], [1, []]);
    const begun = app.logins();
    const steps = [
      { id: 'open', type: 'navigate', url: `${app.origin}/app` },
      { id: 'hello', type: 'waitForElement', selectors: ['#hello'], timeout: 60_000 },
    ];
    await go(await workflow(id, steps, { lane: 'browser' }));
    assert.equal(app.logins(), begun);
  });

  test('a session that a run leaves is one under Playwright', async () => {
    const { username, password } = APP_MEMBER;
    const id = await persona({ username, password });
    const begun = app.logins();
    const once = await workflow(id, [logIn(`${app.origin}/app`)], { lane: 'browser' });
    assert.deepEqual([await go(once), await go(once)], [{ in: { reused: false } }, { in: { reused: true } }]);
    assert.equal(app.logins(), begun + 1);
    const state = await agent.client.personas.exportStorageState({ id });
    const context = await rival.newContext({ storageState: state as never });
    const page = await context.newPage();
    await page.goto(`${app.origin}/app`);
    assert.equal(await page.textContent('#hello', { timeout: 60_000 }), 'Hello, Joan.');
    assert.equal(app.logins(), begun + 1);
    await context.close();
  });

  test('storage that a run by HTTP can not see stays in the session', async () => {
    const { username, password } = MEMBER;
    const id = await persona({ username, password });
    const origins = [{ origin: app.origin, localStorage: [{ name: 'token', value: 'kept' }] }];
    await agent.client.personas.importStorageState({ id, cookies: [], origins });
    await go(await workflow(id, [logIn(`${members.origin}/members`)], { lane: 'http' }));
    const state = await agent.client.personas.exportStorageState({ id });
    assert.deepEqual([state.origins, state.cookies.map(({ name }) => name)], [origins, ['sid']]);
  });
});

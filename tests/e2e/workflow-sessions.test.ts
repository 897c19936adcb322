// Sessions that stay from run to run: one login, kept sealed, told without a value, cleared.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NewWorkflow } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { PASSWORD, USER, startBookshop } from '../sites/bookshop.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { Bookshop } from '../sites/bookshop.ts';

async function onShop(body: (agent: TestAgent, shop: Bookshop) => Promise<void>) {
  const shop = await startBookshop();
  try {
    await using agent = await startTestAgent();
    await body(agent, shop);
  } finally {
    await shop.close();
  }
}

const success = { page: { selectors: ['#hello'] }, op: 'exists' } as const;

/** Logs in as Ada; the ids of what was made. */
async function makeLogin({ client }: TestAgent, { origin }: Bookshop) {
  const persona = await client.personas.create({ name: 'Ada', origins: [origin], username: USER, password: PASSWORD });
  const steps = [{ id: 'in', type: 'login', url: `${origin}/account`, success }] as unknown as NewWorkflow['steps'];
  const workflow = await client.workflows.create({ name: 'Account', persona_id: persona.id, steps });
  return { id: workflow.id, persona_id: persona.id };
}

suite('sessions of workflows', () => {
  test('the second run finds the session of the first, and what is told of it holds no value', () =>
    onShop(async (agent, shop) => {
      const { client } = agent;
      const { id, persona_id } = await makeLogin(agent, shop);
      assert.equal((await client.workflows.session({ id, persona_id })).exists, false);
      const reused: unknown[] = [];
      for (let i = 0; i < 2; i++) {
        const run = await client.workflows.run({ id, wait: true });
        assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
        reused.push((await client.runs.results({ id: run.id })).steps['in']);
      }
      assert.deepEqual([reused, shop.logins()], [[{ reused: false }, { reused: true }], 1]);
      const { exists, kept, cookies, logged_in, ...told } = await client.workflows.session({ id, persona_id });
      assert.deepEqual([exists, kept, cookies, logged_in], [true, true, 1, true]);
      assert.deepEqual(told.origins, [`http://${new URL(shop.origin).hostname}`]);
    }));

  test('a session that is cleared is gone, and so is that of a persona whose origins change', () =>
    onShop(async (agent, shop) => {
      const { client } = agent;
      const { id, persona_id } = await makeLogin(agent, shop);
      const run = async () => assert.equal((await client.workflows.run({ id, wait: true })).status, 'succeeded');
      await run();
      await client.workflows.clearSession({ id });
      assert.equal((await client.workflows.session({ id, persona_id })).exists, false);
      await run();
      assert.equal(shop.logins(), 2);
      await client.personas.update({ id: persona_id, origins: [shop.origin, 'https://example.org'] });
      assert.equal((await client.workflows.session({ id, persona_id })).exists, false);
    }));

  test('a run that did not prove itself logged in leaves the session as it is', () =>
    onShop(async (agent, shop) => {
      const { client } = agent;
      const { id, persona_id } = await makeLogin(agent, shop);
      await client.workflows.run({ id, wait: true });
      const before = await client.workflows.session({ id, persona_id });
      const steps = [{ id: 'open', type: 'navigate', url: `${shop.origin}/search` }] as unknown as NewWorkflow['steps'];
      await client.workflows.update({ id, steps });
      agent.clock.advance(60_000);
      assert.equal((await client.workflows.run({ id, wait: true })).status, 'succeeded');
      assert.deepEqual(await client.workflows.session({ id, persona_id }), before);
    }));

  test('while the vault is locked a session is neither read nor shown, and is still there afterwards', () =>
    onShop(async (agent, shop) => {
      const { client } = agent;
      const { id, persona_id } = await makeLogin(agent, shop);
      await client.workflows.run({ id, wait: true });
      await client.vault.lock();
      const { exists, kept, cookies } = await client.workflows.session({ id, persona_id });
      assert.deepEqual([exists, kept, cookies], [true, false, undefined]);
      await assert.rejects(client.workflows.clearSession({ id }), { code: 'vault_locked' });
      await client.vault.unlock({});
      assert.equal((await client.workflows.session({ id, persona_id })).cookies, 1);
    }));

  test('a run without a persona keeps its session, unless the vault is locked, which it tells', () =>
    onShop(async ({ client }, shop) => {
      const fields = { user: USER, pass: PASSWORD };
      const steps = [
        { id: 'form', type: 'form', url: `${shop.origin}/enter`, fields },
        { id: 'in', type: 'login', url: `${shop.origin}/account`, success },
      ] as unknown as NewWorkflow['steps'];
      const { id } = await client.workflows.create({ name: 'By hand', steps });
      const run = async () => await client.runs.results({ id: (await client.workflows.run({ id, wait: true })).id });
      assert.deepEqual([(await run()).warnings, (await client.workflows.session({ id })).cookies], [[], 1]);
      await client.vault.lock();
      assert.match((await run()).warnings.join(), /not kept: the vault is locked/);
    }));

  test('five runs at once that have to log in log in once', () =>
    onShop(async (agent, shop) => {
      const { client } = agent;
      const { id } = await makeLogin(agent, shop);
      const runs = await Promise.all(Array.from({ length: 5 }, () => client.workflows.run({ id, wait: true })));
      assert.deepEqual(
        runs.map(({ status }) => status),
        Array.from({ length: 5 }, () => 'succeeded'),
      );
      assert.equal(shop.logins(), 1);
    }));

  for (const [name, path, status, logins] of [
    ['is had again by one more login, and the run goes on', '/account', 'succeeded', 2],
    ['that can not be had again fails the run, which says so', '/closed', 'failed', 2],
  ] as const)
    test(`a session that is lost in the middle ${name}`, () =>
      onShop(async (agent, shop) => {
        const { client } = agent;
        const { id } = await makeLogin(agent, shop);
        const steps = [
          { id: 'in', type: 'login', url: `${shop.origin}/account`, success },
          { id: 'leave', type: 'navigate', url: `${shop.origin}/leave` },
          { id: 'back', type: 'navigate', url: `${shop.origin}${path}` },
        ] as unknown as NewWorkflow['steps'];
        await client.workflows.update({ id, steps });
        const run = await client.workflows.run({ id, wait: true });
        assert.deepEqual([run.status, shop.logins()], [status, logins], JSON.stringify(run.failure));
        const told: string[] = [];
        for await (const { data } of (await client.runs.events({ id: run.id })) ?? []) told.push(JSON.stringify(data));
        assert.match(told.join('\n'), /"type":"log".*login_lost/);
        if (status === 'failed') assert.match(`${run.failure?.code} ${run.failure?.message}`, /^blocked .*login_lost/);
      }));

  test('a login page that shows its form to who is logged in is not sent again: the session is shown where the login led', async () => {
    const site = await startFormSite();
    try {
      await using agent = await startTestAgent();
      const { client } = agent;
      const persona = await client.personas.create({ name: 'Ada', origins: [site.origin], username: USER, password: PASSWORD });
      const steps = [{ id: 'in', type: 'login', url: `${site.origin}/login`, success }] as unknown as NewWorkflow['steps'];
      const { id } = await client.workflows.create({ name: 'Home', persona_id: persona.id, steps });
      const logins: number[] = [];
      for (const isEnded of [false, false, true, false]) {
        if (isEnded) site.endSessions();
        const run = await client.workflows.run({ id, wait: true });
        assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
        logins.push(site.logins());
      }
      assert.deepEqual(logins, [1, 1, 2, 2]);
    } finally {
      await site.close();
    }
  });

  for (const [name, isEmpty, status] of [
    ['is had anew by one more login, for all runs at once', false, 'succeeded'],
    ['and finds nothing after that either fails, after one more login', true, 'failed'],
  ] as const)
    test(`a session that shows itself and finds nothing any more ${name}`, async () => {
      const site = await startStaleSite();
      try {
        await using agent = await startTestAgent();
        const { client } = agent;
        const persona = await client.personas.create({ name: 'Ada', origins: [site.origin], username: USER, password: PASSWORD });
        const steps = [
          { id: 'in', type: 'login', url: `${site.origin}/login`, success },
          { id: 'open', type: 'navigate', url: `${site.origin}/list` },
          { id: 'rows', type: 'extractList', selectors: ['li'], fields: { name: { selectors: ['b'] } } },
        ] as unknown as NewWorkflow['steps'];
        const { id } = await client.workflows.create({ name: 'List', persona_id: persona.id, steps });
        assert.equal((await client.workflows.run({ id, wait: true })).status, 'succeeded');
        site.endSessions(isEmpty);
        const count = isEmpty ? 1 : 3;
        const runs = await Promise.all(Array.from({ length: count }, () => client.workflows.run({ id, wait: true })));
        assert.deepEqual(
          runs.map((run) => [run.status, run.rows_extracted]),
          Array.from({ length: count }, () => [status, status === 'succeeded' ? 3 : 0]),
          JSON.stringify(runs[0]?.failure),
        );
        if (status === 'failed') assert.equal(runs[0]?.failure?.code, 'no_rows');
        assert.equal(site.logins(), 2);
      } finally {
        await site.close();
      }
    });
});

/** Shows the form of its login to everybody, and who is logged in on another page alone. */
async function startFormSite() {
  let key = 1;
  let logins = 0;
  const page = (body: string) =>
    `<!doctype html><title>Members</title><main><h1>Members</h1>${body}<p>Words enough to be a page.</p></main>`;
  const form = '<form method=post action=/enter><input name=user><input type=password name=pass><button>Sign in</button></form>';
  const site = await startSite((path, _url, request) => {
    if (path === '/login') return page(form);
    if (path === '/enter') {
      logins++;
      return { status: 303, headers: { location: '/home', 'set-cookie': `key=${key}; Path=/; Max-Age=9999` }, body: '' };
    }
    const isIn = request.headers.cookie === `key=${key}`;
    return isIn ? page('<p id=hello>Hello</p>') : { status: 303, headers: { location: '/login' }, body: '' };
  });
  return { ...site, logins: () => logins, endSessions: () => void key++ };
}

/** Shows everybody with a cookie as logged in, and strangers' cookies an empty list: what a server does that has changed its key. */
async function startStaleSite() {
  let key = 1;
  let logins = 0;
  let isEmpty = false;
  const page = (body: string) =>
    `<!doctype html><title>Members</title><main><h1>Members of the garden</h1>${body}<p>A page with words enough to be one.</p></main>`;
  const form = '<form method=post action=/enter><input name=user><input type=password name=pass><button>Sign in</button></form>';
  const site = await startSite((path, _url, request) => {
    const cookie = request.headers.cookie ?? '';
    if (path === '/enter') {
      logins++;
      return { status: 303, headers: { location: '/login', 'set-cookie': `key=${key}; Path=/; Max-Age=9999` }, body: '' };
    }
    if (path === '/login') return page(cookie === '' ? form : '<p id=hello>Hello</p>');
    const names = cookie === `key=${key}` && !isEmpty ? ['Ann', 'Bob', 'Cid'] : [];
    return page(`<ul>${names.map((name) => `<li><b>${name}</b></li>`).join('')}</ul>`);
  });
  return {
    ...site,
    logins: () => logins,
    endSessions(forGood: boolean) {
      key++;
      isEmpty = forGood;
    },
  };
}

// Forms whose scripts change what is sent: a run by HTTP notices, and goes on in a browser, which sends what they make of it.
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { NewWorkflow, RunEvent } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';

const PASSWORD = 'nothing but ink';
/** What the scripts of this site make of a password, and what its server takes. */
const DIGEST = [...PASSWORD].toReversed().join('');
const MAKE = '[...word].reverse().join("")';

/** Forms that ask for a name and a password; what their server is to be sent. */
const FORMS = {
  plain: { takes: PASSWORD, body: form('', 'name=pass') },
  // As Redmine: a handler that looks at the address.
  anchored: {
    takes: PASSWORD,
    body: `${form('onsubmit="return keepAnchor(this)"', 'name=pass')}<script>function keepAnchor(form) { if (location.hash) form.action += location.hash; return true }</script>`,
  },
  // As SMF and vBulletin: a handler that is called after what it does.
  handled: {
    takes: DIGEST,
    body: `${form('onsubmit="hashPassword(this)"', 'name=pass')}<script>function hashPassword(form) { const word = form.pass.value; form.pass.value = ${MAKE} }</script>`,
  },
  // As hotspots: what is typed has no name, and a hidden field has what is made of it.
  unnamed: {
    takes: DIGEST,
    body: `${form('id=f', 'id=word', '<input type=hidden name=pass>')}<script src="/unnamed.js"></script>`,
    script: `f.onsubmit = () => { const word = document.getElementById('word').value; f.pass.value = ${MAKE} }`,
  },
  hidden: {
    takes: PASSWORD,
    token: 'made by a script',
    body: `${form('', 'name=pass', '<input type=hidden name=token>')}<script>document.querySelector('[name=token]').value = 'made by a script'</script>`,
  },
  addressless: {
    takes: DIGEST,
    body: `${form('action="javascript:send()" id=f', 'name=pass')}<script>function send() { const word = f.pass.value; f.pass.value = ${MAKE}; f.action = ''; f.method = 'post'; f.submit() }</script>`,
  },
  // A script that shows what is typed changes nothing of it; the token is another one each time.
  shown: {
    takes: PASSWORD,
    body: `${form('id=f', 'name=pass', '<input type=hidden name=csrf value=NEXT><input type=checkbox name=keep>')}<script src="/shown.js"></script>`,
    script: `f.ondblclick = () => { f.pass.type = 'text' }`,
  },
  // As those that look whether cookies are taken, by a script.
  cookied: {
    takes: PASSWORD,
    cookie: 'taken=yes',
    body: `${form('id=f', 'name=pass')}<script src="/cookied.js"></script>`,
    script: `document.cookie = 'taken=yes'`,
  },
  // Nothing of the page says so, and what was sent is not taken.
  elsewhere: {
    takes: DIGEST,
    body: `${form('id=f', 'name=pass')}<script src="/elsewhere.js"></script>`,
    script: `f.addEventListener('submit', () => { const word = f.pass.value; f.pass.value = ${MAKE} })`,
  },
} satisfies Record<string, ScriptedForm>;

interface ScriptedForm {
  readonly takes: string;
  readonly token?: string;
  readonly cookie?: string;
  readonly body: string;
  readonly script?: string;
}

type Name = keyof typeof FORMS;

suite('forms with scripts', { timeout: 110_000 }, () => {
  const posts: string[] = [];
  let site: LocalSite;
  let agent: TestAgent;
  before(async () => {
    site = await startScriptedSite(posts);
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
  });

  async function workflow(name: string, steps: readonly object[], more: object = {}): Promise<number> {
    const persona = await agent.client.personas.create({ name, origins: [site.origin], username: 'ada', password: PASSWORD });
    return (await agent.client.workflows.create({ name, persona_id: persona.id, steps, ...more } as unknown as NewWorkflow)).id;
  }
  const logIn = (name: Name) => ({ id: 'in', type: 'login', url: `${site.origin}/${name}`, success: IN });
  async function go(id: number) {
    const run = await agent.client.workflows.run({ id, wait: true, timeout: 100 });
    const switched: string[] = [];
    for await (const { data } of (await agent.client.runs.events({ id: run.id })) ?? []) {
      const event = data as RunEvent;
      if (event.type === 'lane') switched.push(event.reason);
    }
    return { run, switched };
  }

  for (const [name, sent, reasons] of [
    ['plain', 1, []],
    ['anchored', 1, []],
    ['handled', 1, ['scripted_form']],
    ['unnamed', 1, ['scripted_form']],
    ['hidden', 1, ['scripted_form']],
    ['addressless', 1, ['scripted_form']],
    ['shown', 1, []],
    ['cookied', 2, ['scripted_form']],
    ['elsewhere', 2, ['scripted_form']],
  ] as const)
    test(`a login that is ${name} is sent as its page would send it, and the next run goes by HTTP with the session`, async () => {
      posts.length = 0;
      const id = await workflow(name, [logIn(name)]);
      const { run, switched } = await go(id);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual([switched, posts.length], [reasons, sent]);
      assert.equal(run.lane, reasons.length === 0 ? 'http' : 'browser');
      const next = await go(id);
      assert.deepEqual([next.run.status, next.run.lane, next.switched, posts.length], ['succeeded', 'http', [], sent]);
    });

  test('a login whose password is wrong fails, and is sent a second time only where a browser sends something else', async () => {
    for (const [name, sent] of [
      ['plain', 1],
      ['shown', 1],
      ['elsewhere', 2],
    ] as const) {
      posts.length = 0;
      const id = await workflow(`wrong ${name}`, [logIn(name)]);
      const { persona_id } = await agent.client.workflows.read({ id });
      await agent.client.personas.update({ id: persona_id ?? 0, password: 'of another' });
      const { run } = await go(id);
      assert.deepEqual([run.failure?.code, posts.length], ['assert', sent]);
    }
  });

  test('a login that was taken from a browser alone goes there at once the next time', async () => {
    posts.length = 0;
    const id = await workflow('again', [{ ...logIn('elsewhere'), session: 'fresh' }]);
    for (const sent of [2, 3]) {
      const { run, switched } = await go(id);
      assert.deepEqual([run.status, switched, posts.length], ['succeeded', ['scripted_form'], sent]);
    }
  });

  test('where HTTP alone may be gone by, the run fails and says why', async () => {
    for (const [name, code] of [
      ['unnamed', 'browser'],
      ['elsewhere', 'assert'],
    ] as const) {
      const { run } = await go(await workflow(`http ${name}`, [logIn(name)], { lane: 'http' }));
      assert.equal(run.failure?.code, code);
      assert.match(run.failure?.message ?? '', /script.*"lane": "browser"/);
    }
  });

  test('a form that is no login is sent once, in a browser', async () => {
    posts.length = 0;
    const fields = { user: 'ada', pass: PASSWORD };
    const steps = [{ id: 'send', type: 'form', url: `${site.origin}/hidden`, fields }];
    const { run, switched } = await go(await workflow('form', steps));
    assert.deepEqual([run.status, switched, posts], ['succeeded', ['scripted_form'], [`/hidden ${PASSWORD} made by a script`]]);
  });
});

const IN = { page: { selectors: ['#in'] }, op: 'exists' };

function form(more: string, password: string, rest = ''): string {
  return `<form method=post ${more}><label>User name <input name=user></label><label>Password <input type=password ${password}></label>${rest}<button>Log in</button></form>`;
}

async function startScriptedSite(posts: string[]): Promise<LocalSite> {
  let tokens = 0;
  return await startSite(async (path, _url, request) => {
    const script = Object.entries<ScriptedForm>(FORMS).find(([each]) => path === `/${each}.js`)?.[1].script;
    if (script !== undefined) return { status: 200, headers: { 'content-type': 'text/javascript' }, body: script };
    const [name, asked] = Object.entries<ScriptedForm>(FORMS).find(([each]) => path === `/${each}`) ?? [];
    if (!name || !asked) return undefined;
    const hello = page('<p id=in>Hello, Ada. These pages are for members, and here is what is new for them.</p>');
    if (request.headers.cookie?.includes(`sid=${name}`) === true) return hello;
    const shown = () => asked.body.replace('NEXT', String(++tokens));
    if (request.method !== 'POST') return page(shown());
    const sent = new URLSearchParams(await text(request));
    posts.push(`${path} ${sent.get('pass')} ${sent.get('token') ?? ''}`.trim());
    const isRight = sent.get('user') === 'ada' && sent.get('pass') === asked.takes && (sent.get('token') ?? '') === (asked.token ?? '');
    const isTaken = isRight && (request.headers.cookie ?? '').includes(asked.cookie ?? '');
    if (!isTaken) return page(`<p>That was wrong.</p>${shown()}`);
    return { status: 303, headers: { location: path, 'set-cookie': `sid=${name}; HttpOnly; Path=/${name}; Max-Age=86400` } };
  });
}

function page(body: string): string {
  const words = 'This is a club that meets on the first day of each month, reads its minutes aloud, and keeps them for its members alone.';
  return `<!doctype html><html lang=en><title>Club</title><main><h1>Club</h1><p>${words}</p>${body}</main></html>`;
}

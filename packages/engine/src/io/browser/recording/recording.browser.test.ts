// A person's acts in real Chromium, as a workflow; and the workflow, run.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { NewWorkflow } from '@weft/contract';
import { findBrowser } from '../../../../../../tests/browser.ts';
import { redirect, reply, startRawServer } from '../../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../../tests/sites/raw-server.ts';
import { checkWorkflow } from '../../../run/definition/check.ts';
import type { Recording } from '../../../run/recording/told.ts';
import { createAddressGate } from '../../gate/gate.ts';
import { createBrowserFetcher } from '../lane.ts';
import type { BrowserFetcher } from '../lane.ts';
import { personAt } from './person.fixtures.ts';
import { runRecorded } from './run-recorded.fixtures.ts';
import type { Person } from './person.fixtures.ts';

const PASSWORD = 'canary-password-7431';
const page = (body: string) =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html><title>Shop</title>${body}` });
const items = Array.from(
  { length: 6 },
  (_none, place) => `<li class=item><h3><a href=/tea/${place}>Tea ${place}</a></h3><span class=price>${place + 1}.50 €</span></li>`,
).join('');

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/login': page(
    `<form method=post action=/enter><label>Your name <input name=user></label><label>Password <input type=password name=pw></label><button>Sign in</button></form>`,
  ),
  '/enter': redirect('/teas', 303),
  '/teas': page(`<h1>Teas</h1><ul>${items}</ul>`),
  '/controls': page(
    `<label for=size>Size</label><select id=size><option value=s>Small<option value=l>Large</select><label><input type=checkbox id=terms> Terms</label>
<button id=twice>Twice</button><button id=ask onclick="this.textContent = confirm('Really?') ? 'Yes' : 'No'">Ask</button>
<a href=/file download=notes.txt id=get>Get it</a><form action=/teas><input name=q aria-label=Search></form>`,
  ),
  '/deep': page(
    `<x-out></x-out><script>document.querySelector('x-out').attachShadow({ mode: 'open' }).innerHTML = '<button>In the root</button>'</script><iframe src=/inner width=500 height=200></iframe>
<x-closed style="display:block;width:90px;height:30px"></x-closed><script>document.querySelector('x-closed').attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed</button>'</script>`,
  ),
  '/inner': page(`<iframe src=/innermost width=400 height=100></iframe>`),
  '/innermost': page(`<button>In the frame</button>`),
  '/file': reply({ headers: { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="notes.txt"' }, body: 'notes' }),
  '/opens': page(`<button onclick="window.open('/popup')">Open</button>`),
  '/popup': page(`<button>In the pop-up</button>`),
  '/routes': page(
    `<button onclick="history.pushState({}, '', '/routes/two'); location.hash = 'three'; this.textContent = 'There'">Go on</button>`,
  ),
};

suite('recording', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-recording-'));
  let site: RawServer;
  let fetcher: BrowserFetcher;
  before(async () => {
    site = await startRawServer((request) => ROUTES[request.path.replace(/\?.*/s, '')]);
    fetcher = createBrowserFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  });
  after(async () => {
    await fetcher.close();
    await site.close();
    rmSync(home, { recursive: true });
  });

  async function record(path: string, act: (person: Person) => Promise<void>): Promise<Recording> {
    const signal = AbortSignal.timeout(600_000);
    const privateTargets = [`127.0.0.1:${site.port}`];
    const { session, recording } = await fetcher.sessions.record({ privateTargets }, signal);
    try {
      await session.navigate(`${site.origin}${path}`, {}, { timeoutMs: 10_000, signal });
      await act(personAt(session));
      const made = await recording('Recorded');
      if (made.workflow) {
        NewWorkflow.parse(made.workflow);
        assert.deepEqual(checkWorkflow(made.workflow), []);
      }
      return made;
    } finally {
      await session.close();
    }
  }
  /** Runs what was recorded as somebody who has the password. */
  async function run({ workflow }: Recording) {
    assert.ok(workflow);
    const before = site.requests.length;
    const came = await runRecorded(workflow, { fetcher, port: site.port, password: PASSWORD });
    return { ...came, tried: site.requests.slice(before).find((request) => request.path === '/enter')?.body };
  }
  const typesOf = ({ workflow }: Recording) => workflow?.steps.map(({ type }) => type);

  test('keeps a login without its password, and a list of which two items were marked', async () => {
    const made = await record('/login', async (person) => {
      await person.click(['[name=user]']);
      await person.type('ann');
      await person.click(['[name=pw]']);
      await person.type(PASSWORD);
      await person.click(['button']);
      await person.click(['li:nth-child(1) a'], { alt: true });
      await person.click(['li:nth-child(3) a'], { alt: true });
    });
    assert.deepEqual(typesOf(made), ['login', 'extractList']);
    const [login, list] = made.workflow?.steps ?? [];
    assert.ok(login?.type === 'login' && list?.type === 'extractList');
    assert.equal(login.url, `${site.origin}/login`);
    assert.deepEqual(login.success, { page: { selectors: list.wrapper?.selectors.map(({ css }) => css) }, op: 'exists' });
    assert.equal(login.fields?.submit?.[0], 'aria/Sign in[role="button"]');
    // Who signs in is the persona's to say.
    assert.equal(made.workflow?.inputs, undefined);
    assert.ok(!JSON.stringify(made).includes(PASSWORD));
    assert.deepEqual(
      made.leftOut.map(({ message }) => message),
      [`The login at ${site.origin}/login is one step: it sends what the persona holds, and nothing while its session lasts.`],
    );
    const { rows, end, tried } = await run(made);
    assert.deepEqual(end.failure, undefined);
    assert.equal(tried, `user=${PASSWORD}&pw=${PASSWORD}`);
    assert.equal(rows.length, 6);
    assert.deepEqual(rows[5], { url: `${site.origin}/tea/5`, title: 'Tea 5', price: { amount: '6.50', currency: 'EUR' } });
  });

  test('keeps no address that scripts write into the document that is there', async () =>
    assert.deepEqual(typesOf(await record('/routes', async (person) => await person.click(['button']))), ['navigate', 'click']));

  test('keeps choices, double clicks, dialogs, downloads and the key that sends a form', async () => {
    const made = await record('/controls', async (person) => {
      await person.click(['#terms']);
      await person.click(['#twice'], { times: 2 });
      await person.click(['#ask']);
      await person.click(['#get']);
      await person.click(['[name=q]']);
      await person.type('tea');
      await person.press('Enter');
      await person.click(['h1']);
    });
    assert.deepEqual(typesOf(made), [
      'navigate',
      'click',
      'doubleClick',
      'dialog',
      'click',
      'download',
      'change',
      'keyDown',
      'keyUp',
      'click',
    ]);
  });

  test('keeps what was done in frames in frames, shadow roots and pop-ups, and says what it could not see', async () => {
    const deep = await record('/deep', async (person) => {
      await person.click(['x-out', 'button']);
      await person.click(['iframe', 'iframe', 'button']);
      await person.click(['x-closed']);
    });
    const [, root, frame, closed] = deep.workflow?.steps ?? [];
    assert.ok(root?.type === 'click' && root.selectors.some((selector) => String(selector).startsWith('pierce/')));
    assert.deepEqual(frame?.type === 'click' && frame.frame, [0, 0]);
    assert.equal(closed?.type, 'click');
    assert.match(deep.leftOut[0]?.message ?? '', /its shadow root is closed/);
    const opened = await record('/opens', async (person) => {
      await person.click(['button']);
      await person.click(['button']);
    });
    assert.deepEqual(typesOf(opened), ['navigate', 'click', 'click']);
  });
});

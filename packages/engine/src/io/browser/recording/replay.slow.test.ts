// Recordings of ours, exported and played by DevTools' own player, come to where our own runs of them come.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { PuppeteerRunnerExtension, createRunner, parse } from '@puppeteer/replay';
import { launch } from 'puppeteer-core';
import type { Browser } from 'puppeteer-core';
import { findBrowser } from '../../../../../../tests/browser.ts';
import { reply, startRawServer } from '../../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../../tests/sites/raw-server.ts';
import { exportDevTools } from '../../../run/exchange/devtools.ts';
import { createAddressGate } from '../../gate/gate.ts';
import { createBrowserFetcher } from '../lane.ts';
import type { BrowserFetcher } from '../lane.ts';
import { personAt } from './person.fixtures.ts';
import type { Person } from './person.fixtures.ts';
import { runRecorded } from './run-recorded.fixtures.ts';

/** Each act and each way to leave is in several of them; thirty came to the same as well. */
const RECORDINGS = 12;
const page = (body: string) => reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html>${body}` });
/** Counts what was done to it where a reader of the page finds it. */
const counter = (id: string, type: string) =>
  `<button id=${id} on${type}="this.dataset.done = Number(this.dataset.done ?? 0) + 1">${id.replaceAll('_', ' ')}</button>`;
const CONTROLS = `<label>Your name <input name=user></label><textarea aria-label=Note></textarea>
<label for=size>Size</label><select id=size><option value=s>Small<option value=m>Medium<option value=l>Large</select>
<label><input type=checkbox name=terms> Terms</label><label><input type=radio name=kind value=green> Green</label><label><input type=radio name=kind value=black> Black</label>
${counter('press_me', 'click')}${counter('press_twice', 'dblclick')}<div role=button tabindex=0 id=odd onclick="this.dataset.done='yes'">Odd one</div>`;
const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/': page(
    `<h1>First</h1>${CONTROLS}<x-box></x-box><script>document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML = '${counter('in_the_root', 'click').replaceAll("'", "\\'")}'</script>
<iframe src=/inner width=600 height=90></iframe><form action=/second><input name=q aria-label=Search></form><a href=/second>To the second</a>`,
  ),
  '/inner': page(counter('in_the_frame', 'click')),
  '/second': page(`<h1>Second</h1>${CONTROLS}`),
};

/** Where a page has come to: its address, and what its controls hold and were told. */
const STATE = `() => {
  const elements = [];
  const visit = (root) => { for (const element of root.querySelectorAll('*')) { elements.push(element); if (element.shadowRoot) visit(element.shadowRoot); if (element.contentDocument) visit(element.contentDocument); } };
  visit(document);
  return [location.pathname + location.search, ...elements.filter((element) => 'value' in element || element.dataset?.done).map((element) => [element.localName, element.id || element.name, element.type === 'checkbox' || element.type === 'radio' ? element.checked : element.value, element.dataset.done].join(' '))];
}`;

type Act = (person: Person, number: number) => Promise<void>;
const typing =
  (css: string): Act =>
  async (person, number) => {
    await person.click([css]);
    await person.type(`text ${number}`);
  };
const clicking =
  (...path: readonly string[]): Act =>
  async (person) =>
    await person.click(path);
/** Acts on the first page; the last of them leads to the second. */
const ACTS: readonly Act[] = [
  typing('[name=user]'),
  typing('textarea'),
  clicking('[name=terms]'),
  clicking('[value=green]'),
  clicking('[value=black]'),
  clicking('#press_me'),
  async (person) => await person.click(['#press_twice'], { times: 2 }),
  clicking('#odd'),
  clicking('x-box', 'button'),
  clicking('iframe', 'button'),
  async (person) => {
    await person.click(['#press_me']);
    await person.press('Tab');
  },
];
const LEAVING: readonly (Act | undefined)[] = [
  undefined,
  clicking('a'),
  async (person, number) => {
    await person.click(['[name=q]']);
    await person.type(`q${number}`);
    await person.press('Enter');
  },
];

suite('our recordings in the player of DevTools', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-replay-'));
  let site: RawServer;
  let fetcher: BrowserFetcher;
  let player: Browser;
  before(async () => {
    const chromePath = await findBrowser();
    site = await startRawServer((request) => ROUTES[request.path.replace(/\?.*/s, '')]);
    fetcher = createBrowserFetcher({ home, chromePath, gate: createAddressGate({ mode: 'agent' }) });
    player = await launch({ executablePath: chromePath ?? '', args: ['--no-sandbox'] });
  });
  after(async () => {
    await player.close();
    await fetcher.close();
    await site.close();
    rmSync(home, { recursive: true });
  });

  for (let number = 0; number < RECORDINGS; number += 1)
    test(`recording ${number} comes to the same`, async () => {
      const { workflow, recorded } = await record(number);
      assert.ok(workflow);
      const state = { id: 'state', type: 'script', source: STATE } as const;
      const { end } = await runRecorded({ ...workflow, steps: [...workflow.steps, state] }, { fetcher, port: site.port, password: '' });
      assert.deepEqual(end.failure, undefined);
      assert.deepEqual(end.steps['state'], recorded);
      assert.deepEqual(await play(exportDevTools(workflow)), recorded);
    });

  async function record(number: number) {
    const signal = AbortSignal.timeout(600_000);
    const { session, recording } = await fetcher.sessions.record({ privateTargets: [`127.0.0.1:${site.port}`] }, signal);
    try {
      const bounds = { timeoutMs: 10_000, signal };
      await session.navigate(`${site.origin}/`, {}, bounds);
      const person = personAt(session);
      // Which acts, and in which order, is told by the number alone.
      for (let act = 0; act < 5; act += 1) await ACTS[(number * 7 + act * (1 + (number % 3)) * 3) % ACTS.length]?.(person, number);
      const leave = LEAVING[number % LEAVING.length];
      await leave?.(person, number);
      if (leave) await person.click(['#press_me']);
      const recorded = (await session.evaluate(STATE, [], bounds)) as readonly string[];
      return { recorded, workflow: (await recording('Recorded')).workflow };
    } finally {
      await session.close();
    }
  }

  async function play(exported: string): Promise<unknown> {
    const tab = await player.newPage();
    try {
      const runner = await createRunner(parse(JSON.parse(exported)), new PuppeteerRunnerExtension(player, tab, { timeout: 10_000 }));
      await runner.run();
      return await tab.evaluate(`(${STATE})()`);
    } finally {
      await tab.close();
    }
  }
});

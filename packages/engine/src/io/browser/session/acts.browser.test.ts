// Each act of a session, in each place where an element can be, by each kind of selector: the same element that the static copy has.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { findBrowser } from '../../../../../../tests/browser.ts';
import { reply, startRawServer } from '../../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../../tests/sites/raw-server.ts';
import { findElements, parseElementPath } from '../../../html/selectors/elements.ts';
import { parseTree } from '../../../html/tree.ts';
import type { ActBounds, BrowserSession, ElementTarget } from '../../../run/session.ts';
import { createAddressGate } from '../../gate/gate.ts';
import { createBrowserFetcher } from '../lane.ts';
import type { BrowserFetcher } from '../lane.ts';

/** Controls that say on their page what was done to them. */
const CONTROLS = `<button class="act go" title="Go on">Go on</button><a href="#there" class=act>A link</a><label for=name>Your name</label><input id=name>
<label>Terms<input type=checkbox id=terms></label><label for=size>Size</label><select id=size><option value=s>Small<option value=l>Large</select>
<label for=paper>Paper</label><input type=file id=paper><a id=get href=/file download=notes.txt>Get it</a><p class=quiet>Quiet words</p>`;
/** Runs where the controls are: \`root\` is their document or shadow root. */
const LISTEN = `const tell = (what) => { top.opener ? top.said.push(what) : top.said.push(what) };
for (const type of ['click', 'dblclick', 'contextmenu', 'mousemove', 'change', 'keydown']) root.addEventListener(type, (event) => {
  const { localName, type: kind, checked, value, files } = event.target;
  const state = kind === 'checkbox' ? checked : files ? files[0]?.name : value;
  tell([type, localName, event.key ?? state ?? ''].join(' ').trim());
});`;
const page = (body: string) =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html><script>top.said ??= []</script>${body}` });
const plain = `${CONTROLS}<script>{ const root = document; ${LISTEN} }</script>`;
const shadow = `<x-box></x-box><script>{ const root = document.querySelector('x-box').attachShadow({ mode: 'open' }); root.innerHTML = \`${CONTROLS}\`; ${LISTEN} }</script>`;

const ROUTES: Readonly<Record<string, RawAnswer>> = {
  '/main': page(`<h1>Main</h1>${plain}`),
  '/frames': page('<div style="height: 700px">tall</div><iframe src=/middle width=600 height=500></iframe>'),
  '/middle': page('<p>middle</p><iframe src=/main width=500 height=400></iframe>'),
  '/shadow': page(`<h1>Shadow</h1>${shadow}`),
  '/deep': page(
    `<x-out></x-out><script>document.querySelector('x-out').attachShadow({ mode: 'open' }).innerHTML = '<i>outer</i><iframe src=/shadow width=700 height=500></iframe>'</script>`,
  ),
  '/opens': page(`<button onclick="window.open('/main?popup')">Open</button>`),
  '/opens-shadow': page(`<button onclick="window.open('/shadow?popup')">Open</button>`),
  '/file': reply({ headers: { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="notes.txt"' }, body: 'notes' }),
};

interface Place {
  readonly name: string;
  readonly path: string;
  /** In front of each selector's parts. */
  readonly parts: readonly string[];
  readonly frame?: readonly number[];
  readonly isPopup?: boolean;
}

const PLACES: readonly Place[] = [
  { name: 'the main frame', path: '/main', parts: [] },
  { name: 'a frame in a frame', path: '/frames', parts: [], frame: [0, 0] },
  { name: 'a frame in a frame, in parts', path: '/frames', parts: ['iframe', 'iframe'] },
  { name: 'a frame in a frame, in the copy', path: '/frames', parts: [] },
  { name: 'an open shadow root', path: '/shadow', parts: ['x-box'] },
  { name: 'an open shadow root, in the copy', path: '/shadow', parts: [] },
  { name: 'a shadow root in a frame in a shadow root', path: '/deep', parts: ['x-out', 'iframe', 'x-box'] },
  { name: 'a pop-up', path: '/opens', parts: [], isPopup: true },
  { name: 'a shadow root of a pop-up', path: '/opens-shadow', parts: ['x-box'], isPopup: true },
];

/** Ways to say which element, with what it is. */
const SELECTORS: readonly (readonly [selector: string, print: object])[] = [
  ['.go', { tag: 'button', role: 'button', name: 'Go on' }],
  ['css/button.act', { tag: 'button', role: 'button', name: 'Go on' }],
  ['xpath///button[@title="Go on"]', { tag: 'button', role: 'button', name: 'Go on' }],
  ['text/go on', { tag: 'button', role: 'button', name: 'Go on' }],
  ['role/button[name="Go on"]', { tag: 'button', role: 'button', name: 'Go on' }],
  ['aria/Go on', { tag: 'button', role: 'button', name: 'Go on' }],
  ['aria/Go on[role="button"]', { tag: 'button', role: 'button', name: 'Go on' }],
  ['label/your name', { tag: 'input', role: 'textbox', name: 'Your name' }],
  ['aria/Terms', { tag: 'input', role: 'checkbox', name: 'Terms', type: 'checkbox' }],
  ['pierce/#size', { tag: 'select', role: 'combobox', name: 'Size' }],
];

type Act = (session: BrowserSession, at: (selector: string) => ElementTarget, bounds: ActBounds) => Promise<unknown>;

/** Each act, and what the page says of it. */
const ACTS: readonly (readonly [name: string, act: Act, said: string])[] = [
  ['click', (session, at, bounds) => session.click(at('text/go on'), {}, bounds), 'click button'],
  ['a double click', (session, at, bounds) => session.click(at('.go'), { clicks: 2 }, bounds), 'dblclick button'],
  [
    'a right click',
    (session, at, bounds) => session.click(at('.go'), { button: 'right', offset: { x: 3, y: 3 }, holdMs: 20 }, bounds),
    'contextmenu button',
  ],
  ['hover', (session, at, bounds) => session.hover(at('aria/Go on'), bounds), 'mousemove button'],
  [
    'change of text',
    (session, at, bounds) => session.change(at('label/your name'), 'Ada', {}, bounds).then(() => session.click(at('.go'), {}, bounds)),
    'change input Ada',
  ],
  ['change of a box', (session, at, bounds) => session.change(at('aria/Terms'), 'true', {}, bounds), 'change input true'],
  ['change of a choice by its label', (session, at, bounds) => session.change(at('label/size'), 'Large', {}, bounds), 'change select l'],
  ['change of a choice by its value', (session, at, bounds) => session.change(at('#size'), 'l', {}, bounds), 'change select l'],
  [
    'a key',
    async (session, at, bounds) => {
      await session.click(at('#name'), {}, bounds);
      await session.keyDown('q', bounds);
      await session.keyUp('q', bounds);
    },
    'keydown input q',
  ],
  [
    'upload',
    (session, at, bounds) => session.upload(at('#paper'), [{ name: 'a.txt', bytes: new Uint8Array([65]) }], bounds),
    'change input a.txt',
  ],
];

suite('acts of a session', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-acts-'));
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
  const bounds = (): ActBounds => ({ timeoutMs: 4_000, signal: AbortSignal.timeout(600_000) });

  for (const place of PLACES)
    suite(place.name, () => {
      let session: BrowserSession;
      const at = (selector: string): ElementTarget => ({
        selectors: [[...place.parts, selector]],
        frame: place.frame,
        target: place.isPopup ? `${site.origin}/` : undefined,
      });
      before(async () => {
        session = await fetcher.sessions.open({ privateTargets: [`127.0.0.1:${site.port}`] }, AbortSignal.timeout(600_000));
        await session.navigate(site.origin + place.path, {}, bounds());
        if (place.isPopup) await session.click({ selectors: ['button'] }, {}, bounds());
      });
      after(() => session.close());

      for (const [selector, print] of SELECTORS)
        test(`${selector} finds the element of the static copy`, async () => {
          // A copy holds frames as boxes, which only `pierce/` does not enter; a page by itself has what a frame has.
          if (selector.startsWith('pierce/') && place.name.endsWith('in a frame, in the copy')) return;
          const found = await session.find(at(selector), bounds());
          assert.deepEqual([found.alternative, found.count, found.print], [0, 1, print]);
          if (place.frame) return;
          const copy = await session.read(bounds());
          const tree = parseTree(new TextDecoder().decode(copy.body), copy.url);
          const still = findElements(parseElementPath([...place.parts, selector]), tree).elements;
          assert.deepEqual(
            still.map(({ name }) => name),
            [found.print.tag],
          );
        });

      for (const [name, act, said] of ACTS)
        test(`${name} reaches it`, async () => {
          await session.evaluate('() => { said.length = 0 }', [], bounds());
          await act(session, at, bounds());
          assert.ok(
            ((await session.evaluate('() => said', [], bounds())) as string[]).includes(said),
            `${said} in ${JSON.stringify(await session.evaluate('() => said', [], bounds()))}`,
          );
        });

      test('download brings the file', async () => {
        const file = await session.download(at('aria/Get it'), 1_000, bounds());
        assert.deepEqual([file.name, new TextDecoder().decode(file.bytes), file.url], ['notes.txt', 'notes', `${site.origin}/file`]);
      });
    });
});

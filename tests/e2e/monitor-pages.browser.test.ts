// Monitors that look in a browser: what a page becomes there, what it is waited for, pictures of tests, and pages behind a login.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Check, FileDescriptor, Monitor, NewMonitor, NewWorkflow, SelectorTest } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { systemClock } from '../../packages/daemon/src/clock.ts';
import { decodePicture } from '../../packages/engine/src/diff/picture/decode.ts';
import type { Pixels } from '../../packages/engine/src/diff/picture/pixels.ts';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { MEMBER, startMembersSite } from '../sites/members-site.ts';
import type { MembersSite } from '../sites/members-site.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { VersionedSite } from '../sites/versions.ts';

/** Enough for a page: nobody waits for its timers, and no lane is changed for it. */
const WORDS = `<p>${'The shelf holds what the shop sells, and each thing on it has its price, its size and its place in the house. '.repeat(4)}</p>`;
const LATE = `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p class="late">late</p>'), 1200)</script>`;
const FILLED = `<main id="app"></main><script>app.innerHTML = '<h1>Shelf</h1><p class="price">$' + (19 + 1) + '</p>${WORDS}'</script>`;

describe('monitors in a browser', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: VersionedSite;
  let members: MembersSite;
  let notice = '';
  before(async () => {
    const gate = createAddressGate({ mode: 'agent' });
    const fetcher = createFetcher({ gate, home: '/nowhere', chromePath: await findBrowser() });
    // A person's code has half a minute, which a clock that any sleeper moves may pass while a form is filled.
    agent = await startTestAgent({ ownClock: systemClock, fetcher, sessions: fetcher.sessions });
    site = await startVersionedSite();
    members = await startMembersSite({ says: () => `<p id="notice">${notice}</p>` });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await Promise.all([site[Symbol.asyncDispose](), members.close()]);
  });

  test('a page that scripts fill is watched as they fill it', async () => {
    site.set('/filled', page(FILLED));
    const id = await add('/filled', { selectors: [{ selector: '.price', extractors: [{ type: 'price' }] }] });
    const first = await check(id);
    assert.deepEqual([first.verdict, first.page?.lane], ['first', 'browser']);
    site.set('/filled', page(FILLED.replace('19 + 1', '19 + 2')));
    const { changes } = await check(id);
    assert.deepEqual(
      changes.map(({ kind, summary }) => [kind, /21/.test(summary)]),
      [['price', true]],
    );
  });

  test('the lane that is asked for is the one that looks', async () => {
    site.set('/added', page(`${WORDS}<script>document.body.insertAdjacentHTML('beforeend', '<p class="late">late</p>')</script>`));
    const lanes = await Promise.all((['http', 'browser'] as const).map(async (lane) => await check(await add('/added', { lane }))));
    assert.deepEqual(
      lanes.map(({ state, page: seen }) => [state, seen?.lane]),
      [
        ['missing', 'http'],
        ['ok', 'browser'],
      ],
    );
  });

  test('what is late is waited for by its selector or for a time, and only where that is said', async () => {
    site.set('/late', page(WORDS + LATE));
    const waits = [{ lane: 'browser' as const }, { wait_for_selector: '.late' }, { wait_ms: 2000 }];
    const checks = await Promise.all(waits.map(async (wait) => await check(await add('/late', wait))));
    assert.deepEqual(
      checks.map(({ state, page: seen }) => [state, seen?.lane]),
      [
        ['missing', 'browser'],
        ['ok', 'browser'],
        ['ok', 'browser'],
      ],
    );
  });

  test('JSON that a page fetches and does not show is a change by itself', async () => {
    const json = (price: number) => site.set('/price.json', { body: JSON.stringify({ price }), type: 'application/json' });
    json(5);
    site.set('/fetches', page(`${WORDS}<script>fetch('/price.json')</script>`));
    const id = await add('/fetches', { lane: 'browser', selectors: [{ selector: 'jsonpath/$.price' }] });
    assert.equal((await check(id)).values[0]?.value, '5');
    assert.equal((await check(id)).verdict, 'unchanged');
    json(6);
    assert.equal((await check(id)).changes[0]?.new, '6');
  });

  test('waits that no browser makes are refused, and waits for what is no element', async () => {
    const refused: readonly (readonly [Partial<NewMonitor>, RegExp])[] = [
      [{ lane: 'http', wait_ms: 5 }, /"wait_ms" needs a browser/],
      [{ method: 'POST', wait_for_selector: 'p' }, /"wait_for_selector" needs a browser/],
      [{ wait_for_selector: 'jsonpath/$.a' }, /"wait_for_selector" can't be read/],
    ];
    for (const [more, sentence] of refused) await assert.rejects(add('/late', more), sentence);
  });

  test('headers that a browser does not send are named in the trace', async () => {
    site.set('/words', page(`${WORDS}<p class="late">here</p>`));
    const { trace } = await check(await add('/words', { lane: 'browser', headers: { 'x-of': 'shop' } }));
    assert.match(trace[0]?.reasons.join(' ') ?? '', /browser lane could not honour headers\.x-of/);
  });

  test('the page behind a login in the browser is watched', async () => {
    const { username, password, seed: totp_seed } = MEMBER;
    const persona = await agent.client.personas.create({ name: 'Grace', origins: [members.origin], username, password, totp_seed });
    const login = { id: 'in', type: 'login', url: `${members.origin}/members`, success: { page: { selectors: ['#hello'] }, op: 'exists' } };
    const steps = [login, { id: 'second', type: 'click', selectors: ['text/Minutes 2'] }];
    const workflow = { name: 'Members', persona_id: persona.id, lane: 'browser', steps };
    const { id: workflow_id } = await agent.client.workflows.create(workflow as unknown as NewWorkflow);
    const monitor = { workflow_id, active: false, selectors: [{ selector: '#notice' }] };
    const { id } = await agent.client.monitors.create(monitor);
    notice = `Monday. Your password is ${password}.`;
    const first = await check(id);
    assert.deepEqual([first.page?.url, first.page?.lane], [`${members.origin}/members/2`, 'browser'], JSON.stringify(first));
    assert.equal(first.values[0]?.text, 'Monday. Your password is [masked].');
    notice = 'Tuesday.';
    assert.equal((await check(id)).changes[0]?.new, 'Tuesday.');
  });

  test('a test takes a picture of what the selector finds, in shadow roots and frames too, and shows no value of its persona', async () => {
    const persona = await agent.client.personas.create({ name: 'Ada', origins: [site.origin], username: 'ada', password: 'of Lovelace' });
    const box = (top: number, colour: string, text = '') =>
      `<p class="x" style="position:absolute;margin:0;left:40px;top:${top}px;width:200px;height:30px;background:${colour};color:${colour}">${text}</p>`;
    site.set('/inner', page(box(20, 'lime')));
    site.set(
      '/boxes',
      page(`${box(10, 'lime')}${box(3000, 'lime')}<p class="x" hidden>hidden</p>
        <div id="host" style="position:absolute;left:0;top:100px"></div>
        <iframe src="/inner" style="position:absolute;top:400px;left:0;border:0;width:400px;height:100px"></iframe>
        <div style="position:absolute;top:600px;left:40px;width:300px;height:30px;background:blue">Hello, of Lovelace</div>
        <script>host.attachShadow({ mode: 'open' }).innerHTML = \`${box(50, 'lime')}\`</script>`),
    );
    const { file_id: id, boxes, verdict, lane } = await shot('/boxes', { persona_id: persona.id }, { selector: '.x', many: true });
    assert.deepEqual([verdict, lane], ['found', 'browser']);
    const picture = await pictureOf(id);
    assert.deepEqual(boxes.map(({ x, y, width, height }) => [x, y, width, height].join(' ')).toSorted(), [
      '40 10 200 30',
      '40 150 200 30',
      '40 3000 200 30',
      '40 420 200 30',
    ]);
    for (const { x, y, width, height } of boxes) {
      assert.deepEqual(colourAt(picture, x + 1, y + 1), [0, 255, 0]);
      assert.deepEqual(colourAt(picture, x + width - 1, y + height - 1), [0, 255, 0]);
      assert.notDeepEqual(colourAt(picture, x - 2, y - 2), [0, 255, 0]);
    }
    assert.deepEqual(colourAt(picture, 45, 605), [0, 0, 0]);
  });

  test('of many matches ten are shown, and another test takes the place of the picture', async () => {
    site.set('/many', page(Array.from({ length: 30 }, (_, i) => `<p class="x">Thing ${i}</p>`).join('') + WORDS));
    const { at, file_id: first, boxes } = await shot('/many', {}, { selector: '.x', many: true });
    assert.equal(boxes.length, 10);
    const described = (await agent.client.files.read({ id: first })) as FileDescriptor;
    assert.deepEqual([described.content_type, described.source], ['image/png', { kind: 'selector', id: at.selector_id }]);
    const { screenshot } = await agent.client.selectors.test({ ...at, screenshot: true });
    assert.notEqual(screenshot?.file_id, first);
    await assert.rejects(agent.client.files.read({ id: first }), /no file/);
    assert.equal((await agent.client.selectors.test(at)).screenshot, undefined);
  });

  test('a value of JSON has no place in a picture, and what has no address none at all', async () => {
    site.set('/json', page(`${WORDS}<script type="application/json">{"price": 5}</script>`));
    const { boxes, matches } = await shot('/json', {}, { selector: 'jsonpath/$.price' });
    assert.deepEqual([boxes, matches], [[], 1]);
    const monitor = await agent.client.monitors.create({
      url: `${site.origin}/json`,
      method: 'POST',
      active: false,
      selectors: [{ selector: 'p' }],
    });
    const at = { id: monitor.id, selector_id: monitor.selectors[0]?.id ?? 0 };
    await assert.rejects(agent.client.selectors.test({ ...at, screenshot: true }), /asked for by GET, and this is a POST/);
  });

  async function add(path: string, more: Partial<NewMonitor> = {}): Promise<number> {
    const monitor = { url: site.origin + path, active: false, selectors: [{ selector: '.late' }], ...more };
    return ((await agent.client.monitors.create(monitor)) as Monitor).id;
  }

  async function check(id: number): Promise<Check> {
    const run = await agent.client.monitors.run({ id, wait: true });
    return (await agent.client.runs.results({ id: run.id })).output as Check;
  }

  /** Tests a new selector with a picture. */
  async function shot(path: string, more: Partial<NewMonitor>, selector: { readonly selector: string; readonly many?: boolean }) {
    const id = await add(path, { ...more, selectors: [selector] });
    const at = { id, selector_id: (await agent.client.monitors.read({ id })).selectors[0]?.id ?? 0 };
    const { screenshot, ...rest }: SelectorTest = await agent.client.selectors.test({ ...at, screenshot: true });
    assert.ok(screenshot, JSON.stringify(rest));
    return { at, ...rest, ...screenshot };
  }

  async function pictureOf(fileId: string): Promise<Pixels> {
    const response = await fetch(`${agent.baseUrl}/v1/files/${fileId}/content`, { headers: { authorization: `Bearer ${agent.token}` } });
    return decodePicture(new Uint8Array(await response.arrayBuffer()), 'The picture');
  }
});

function colourAt({ width, data }: Pixels, x: number, y: number): readonly number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><title>Shelf</title><body>${body}</body></html>`;
}

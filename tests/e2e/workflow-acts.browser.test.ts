// Steps that act in a real browser, through a running agent.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { NewWorkflow, Run, RunResults } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startBookshop } from '../sites/bookshop.ts';
import type { Bookshop } from '../sites/bookshop.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';

type Json = readonly Readonly<Record<string, unknown>>[];

const DESK = `<!doctype html><title>Desk</title><main><h1>Desk</h1><p>A page with all that can be acted on, and a log of what was done to it.</p>
<button id="b" onclick="note('click ' + event.detail)" ondblclick="note('double')" onmousedown="if (event.button === 1) note('middle')">Press</button>
<div id="h" onmouseover="note('hover')">Hover here</div>
<input id="t" oninput="note('text ' + this.value)" onkeydown="note('down ' + event.key)" onkeyup="note('up ' + event.key)">
<select id="s" onchange="note('select ' + this.value)"><option value="a">First</option><option value="b">Second</option></select>
<input type="checkbox" id="c" onchange="note('box ' + this.checked)">
<input type="file" id="f" onchange="note('file ' + this.files[0].name)">
<button id="ask" onclick="note('asked ' + prompt('Name?'))">Ask</button>
<a id="save" href="/file.txt" download>Save</a>
<button id="go" onclick="setTimeout(() => { location.href = '/there' }, 50)">Go</button>
<button id="later" onclick="setTimeout(() => { const p = document.createElement('p'); p.className = 'late'; p.textContent = 'late'; document.body.append(p); window.ready = true }, 100)">Later</button>
<button id="more" onclick="const n = document.querySelectorAll('li.row').length; for (let i = 1; i <= 2; i++) rows.insertAdjacentHTML('beforeend', '<li class=row>row ' + (n + i) + '</li>'); if (n >= 4) this.remove()">More</button><ul id="rows"></ul>
<div style="height: 3000px"></div><ol id="log"></ol></main>
<script>const note = (text) => { const li = document.createElement('li'); li.textContent = text; log.append(li) }; addEventListener('scroll', () => { if (!window.scrolled) { window.scrolled = true; note('scrolled') } });
addEventListener('resize', () => note('size ' + innerWidth)); fetch('/api/things').then((r) => r.json()).then(() => note('fetched'));</script>`;

/** Two rows, and two more each time that its end is reached, up to six. */
const FEED = `<!doctype html><title>Feed</title><main><h1>Feed</h1><p>A list that grows by two a while after its end is reached, up to six.</p>
<ul id="rows"></ul><div style="height: 2000px"></div></main><script>const more = () => { const n = rows.children.length; if (n < 6) for (let i = 1; i <= 2; i++)
rows.insertAdjacentHTML('beforeend', '<li class=row>row ' + (n + i) + '</li>') }; more();
addEventListener('scroll', () => { scrollTo(0, 0); setTimeout(more, 250) })</script>`;

/** A list that a script fills once the page has been loaded for a while, with nothing on its way meanwhile. */
const LATE = `<!doctype html><title>Late</title><main><h1>Late</h1><p>A list that is here a while after its page, as on a busy machine.</p>
<ul id="rows"></ul></main><script>setTimeout(() => { rows.innerHTML = '<li class=row>row 1</li><li class=row>row 2</li>' }, 1500)</script>`;

suite('steps in a browser', { timeout: 600_000 }, () => {
  let site: LocalSite;
  let shop: Bookshop;
  let agent: TestAgent;
  before(async () => {
    site = await startSite((path) => {
      if (path === '/api/things')
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"things":[{"n":1},{"n":2}]}' };
      if (path === '/file.txt')
        return {
          status: 200,
          headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="notes.txt"' },
          body: 'bytes',
        };
      if (path === '/feed') return FEED;
      if (path === '/late') return LATE;
      if (path === '/there')
        return '<!doctype html><title>There</title><main><h1>There</h1><p>The page to which the button of the desk leads.</p></main>';
      if (path === '/app')
        return '<!doctype html><title>App</title><div id="root"></div><script>root.innerHTML = "<main><h1>Made</h1><p>Words that only a script puts here, and enough of them to be a page.</p></main>"</script>';
      return path === '/' ? DESK : undefined;
    });
    shop = await startBookshop();
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
    await shop.close();
  });

  async function go(
    steps: Json,
    more: object = {},
  ): Promise<{ readonly run: Run; readonly results: RunResults; readonly out: (id: string) => unknown }> {
    const { client } = agent;
    const { id } = await client.workflows.create({ name: 'Desk', steps, ...more } as unknown as NewWorkflow);
    const run = await client.workflows.run({ id, wait: true, timeout: 600 });
    const results = await client.runs.results({ id: run.id });
    return { run, results, out: (step) => results.steps[step] };
  }
  const open = () => ({ id: 'open', type: 'navigate', url: `${site.origin}/` });
  const log = { id: 'log', type: 'extract', fields: { lines: { selectors: ['#log li'], many: true } } };
  const linesOf = (out: (id: string) => unknown) => (out('log') as { lines: string[] }).lines.filter((line) => line !== 'fetched');

  test('pointer, keys, values, scrolling and size reach the page', async () => {
    const { run, out } = await go([
      open(),
      { id: 'size', type: 'setViewport', width: 900, height: 700 },
      { id: 'press', type: 'click', selectors: ['#none', '#b'], offset_x: 3, offset_y: 3, duration: 10 },
      { id: 'middle', type: 'click', selectors: ['#b'], button: 'middle' },
      { id: 'twice', type: 'doubleClick', selectors: ['#b'] },
      { id: 'over', type: 'hover', selectors: ['#h'] },
      { id: 'text', type: 'change', selectors: ['#t'], value: 'tea' },
      { id: 'down', type: 'keyDown', key: 'x' },
      { id: 'up', type: 'keyUp', key: 'x' },
      { id: 'choose', type: 'change', selectors: ['#s'], value: 'Second' },
      { id: 'tick', type: 'change', selectors: ['#c'], value: 'true' },
      { id: 'scroll', type: 'scroll', x: 0, y: 500 },
      { id: 'wait', type: 'waitForExpression', expression: 'window.scrolled === true' },
      log,
    ]);
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    const lines = linesOf(out);
    for (const said of [
      'size 900',
      'click 1',
      'middle',
      'double',
      'hover',
      'text tea',
      'down x',
      'up x',
      'select b',
      'box true',
      'scrolled',
    ])
      assert.ok(lines.includes(said), `${said} in ${lines.join(', ')}`);
  });

  test('what comes late is waited for, a page that follows is asserted, and one that does not fails the step', async () => {
    const { run, out } = await go([
      open(),
      { id: 'later', type: 'click', selectors: ['#later'] },
      { id: 'wait', type: 'waitForElement', selectors: ['p.late'], visible: true, count: 1, operator: '==' },
      { id: 'go', type: 'click', selectors: ['#go'], asserted_events: [{ type: 'navigation', url: '/there', title: 'There' }] },
      { id: 'title', type: 'extract', fields: { h1: { selectors: ['h1'] } } },
    ]);
    assert.deepEqual([run.status, out('title')], ['succeeded', { h1: 'There' }], JSON.stringify(run.failure));
    const wrong = await go([
      open(),
      { id: 'press', type: 'click', selectors: ['#b'], timeout: 3000, asserted_events: [{ type: 'navigation', url: '/there' }] },
    ]);
    assert.equal(wrong.run.failure?.step_id, 'press');
  });

  test('dialogs are answered, files go up and come down, JSON that the page fetched is read, and scripts give what they return', async () => {
    const body = new FormData();
    body.set('file', new Blob(['x']), 'up.txt');
    const file = (await (
      await agent.client.transport.send({ method: 'POST', path: '/v1/files', body, signal: AbortSignal.timeout(600_000) })
    ).json()) as { id: string };
    const { run, results, out } = await go([
      open(),
      { id: 'answer', type: 'dialog', accept: true, prompt_text: 'Ada' },
      { id: 'ask', type: 'click', selectors: ['#ask'] },
      { id: 'up', type: 'upload', selectors: ['#f'], file: `{{file:${file.id}}}` },
      { id: 'save', type: 'download', selectors: ['#save'] },
      {
        id: 'script',
        type: 'script',
        source: '(a, b) => ({ sum: a + b, title: document.title })',
        args: [1, 2],
        schema: { type: 'object', required: ['sum'] },
      },
      { id: 'picture', type: 'screenshot', name: 'desk.png', full: true },
      log,
      { id: 'things', type: 'extractList', from: 'xhr', path: '$.things[*]' },
    ]);
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    assert.ok(linesOf(out).includes('asked Ada') && linesOf(out).includes('file up.txt'), linesOf(out).join(', '));
    assert.deepEqual([out('script'), out('things')], [{ sum: 3, title: 'Desk' }, [{ n: 1 }, { n: 2 }]]);
    assert.deepEqual(
      results.files.map(({ name }) => name),
      ['notes.txt', 'desk.png'],
    );
    const bad = await go([open(), { id: 'script', type: 'script', source: '() => 7', schema: { type: 'string' } }]);
    assert.equal(bad.run.failure?.code, 'assert');
  });

  test('pages grow by a button, and the network can be slow', async () => {
    const { run, out } = await go([
      open(),
      { id: 'slow', type: 'emulateNetworkConditions', download: 500_000, upload: 500_000, latency: 5 },
      {
        id: 'grow',
        type: 'paginate',
        mode: 'load_more',
        selectors: ['#more'],
        stop: { empty: false },
        body: [{ id: 'rows', type: 'extractList', selectors: ['li.row'], min: 0 }],
      },
      { id: 'close', type: 'close' },
    ]);
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    assert.equal((out('rows') as unknown[]).length, 6);
  });

  test('a form is filled in and sent in the browser', async () => {
    const { run, out } = await go(
      [
        {
          id: 'send',
          type: 'form',
          url: `${shop.origin}/order`,
          selectors: ['#order'],
          fields: { title: 'Dune', size: 'l' },
          submit: 'Send it',
        },
        { id: 'receipt', type: 'extract', fields: { text: { selectors: ['#receipt'], regex: 'of (\\w+)' } } },
      ],
      { lane: 'browser' },
    );
    assert.deepEqual([run.status, out('receipt')], ['succeeded', { text: 'Dune' }], JSON.stringify(run.failure));
  });

  test('a page that scripts fill takes an auto run to the browser, and an http run fails with the reason', async () => {
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/app` },
      { id: 'h1', type: 'extract', fields: { text: { selectors: ['h1'] } } },
    ];
    const { run, out } = await go(steps);
    assert.deepEqual([run.status, out('h1')], ['succeeded', { text: 'Made' }], JSON.stringify(run.failure));
    const lanes: unknown[] = [];
    for await (const { data } of (await agent.client.runs.events({ id: run.id })) ?? []) {
      const event = data as { type: string; from?: string; to?: string; reason?: string };
      if (event.type === 'lane') lanes.push([event.from, event.to, event.reason]);
    }
    assert.deepEqual([lanes, run.lane], [[['http', 'browser', 'js_shell']], 'browser']);
    const stays = await go(steps, { lane: 'http' });
    assert.deepEqual([stays.run.status, stays.run.failure?.code], ['failed', 'browser']);
  });

  test('a list that its page fills late is read once it is there', async () => {
    const read = { id: 'rows', type: 'extractList', selectors: ['.row'], fields: { text: {} } };
    const open = { id: 'open', type: 'navigate', url: `${site.origin}/late`, wait_until: 'networkidle' };
    for (const list of [read, { id: 'pages', type: 'paginate', mode: 'scroll', body: [read] }]) {
      const { run } = await go([open, list]);
      assert.deepEqual([run.status, run.rows_extracted], ['succeeded', 2], JSON.stringify(run.failure));
    }
  });

  test('a page that grows as it is scrolled gives each row once', async () => {
    const rows = { id: 'rows', type: 'extractList', selectors: ['li.row'], fields: { name: {} }, dedupe_key: 'name' };
    const { run, out } = await go([
      { id: 'open', type: 'navigate', url: `${site.origin}/feed` },
      { id: 'pages', type: 'paginate', mode: 'scroll', body: [rows] },
    ]);
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    const { data } = await agent.client.runs.data({ id: run.id, limit: 500 });
    const names = data.map(({ name }) => name);
    assert.deepEqual([names.length, new Set(names).size, run.rows_extracted], [6, 6, 6], JSON.stringify([names, out('pages')]));
  });

  test('a run that has changed something stays on its lane', async () => {
    const { run } = await go([
      { id: 'change', type: 'request', method: 'POST', url: `${shop.origin}/echo`, body: 'x' },
      { id: 'open', type: 'navigate', url: `${site.origin}/app` },
    ]);
    assert.deepEqual([run.status, run.failure?.code, shop.orders.filter(({ path }) => path === '/echo').length], ['failed', 'browser', 1]);
  });

  test('a failed step leaves a picture, the page and its last requests', async () => {
    const { run, results } = await go([open(), { id: 'gone', type: 'click', selectors: ['#nowhere'], timeout: 1000 }]);
    assert.deepEqual([run.failure?.code, run.failure?.step_id], ['selector', 'gone']);
    assert.deepEqual(
      results.files.map(({ name }) => name),
      ['gone-failed.png', 'gone-failed.html', 'gone-failed.requests.json'],
    );
  });
});

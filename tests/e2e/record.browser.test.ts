// A person records on the page of ours, in a browser of their own: what was done becomes a workflow that runs. And what only the runtime token may do.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { ApiError, createClient } from '@weft/client';
import type { NewWorkflow, Recording } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import type { Browser, Page } from 'playwright-core';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser, launchBrowser } from '../browser.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';
import { until } from '../until.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const html = (title: string, body: string) => `<!doctype html><title>${title}</title><body style="margin:0">${body}`;
const FIELD = 'position:absolute;left:20px;width:300px;height:40px';
const SEARCH = html(
  'Shelf',
  `<form action=/found><input name=q aria-label=Words style="${FIELD};top:20px"><input type=password name=pin aria-label=Pin style="${FIELD};top:80px"><button style="${FIELD};top:140px">Find</button></form>`,
);
const found = (query: string) =>
  html('Found', `<h1>Found ${query}</h1><ul>${[1, 2, 3].map((place) => `<li class=book><h2>${query} ${place}</h2></li>`).join('')}</ul>`);
/** Lets whoever clicks go on. */
const QUESTION = html('A question', `<button style="${FIELD};top:20px" onclick="location.assign('/behind')">I am a person</button>`);

suite('a person at our page', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: LocalSite;
  let browser: Browser;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    site = await startSite((path, url) => {
      if (path === '/question') return QUESTION;
      if (path === '/behind') return html('Behind', '<h1 id=behind>Behind it</h1><p>What was behind the question.</p>');
      return path === '/found' ? found(url.searchParams.get('q') ?? '') : SEARCH;
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await agent[Symbol.asyncDispose]();
    await site.close();
  });

  /** Opens our page, and waits for the picture of what is acted on. */
  async function attach(url: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1800, height: 900 } });
    await page.goto(url);
    await page.locator('body[data-acts=true][data-seen=true]').waitFor();
    return page;
  }
  /** By pixels of the page that is acted on. */
  async function clickAt(page: Page, x: number, y: number): Promise<void> {
    // Between two pictures of what is acted on it has no size.
    let width = 0;
    await until(async () => (width = (await page.evaluate(`document.querySelector('img').naturalWidth`)) as number) > 0);
    const box = await page.locator('img').boundingBox();
    assert.ok(box);
    const scale = box.width / width;
    await page.mouse.click(box.x + x * scale, box.y + y * scale);
  }
  /** The same in the moment in which one picture is gone and the next one not there yet. */
  async function clickBetweenPictures(page: Page, x: number, y: number): Promise<void> {
    await until(
      async () =>
        await page.evaluate(`(async () => {
          const picture = document.querySelector('img'), box = picture.getBoundingClientRect(), scale = box.width / picture.naturalWidth;
          if (!picture.naturalWidth) return false;
          picture.removeAttribute('src');
          await undefined;
          if (picture.naturalWidth) return false;
          const at = { clientX: box.x + ${x} * scale, clientY: box.y + ${y} * scale, detail: 1, cancelable: true };
          for (const kind of ['mousedown', 'mouseup']) picture.dispatchEvent(new MouseEvent(kind, at));
          return true;
        })()`),
    );
  }
  async function record(more: object = {}): Promise<Recording> {
    const { id } = await agent.client.recordings.create({ url: `${site.origin}/`, name: 'Find books', ...more });
    return await untilStatus(id, (status) => status !== 'opening');
  }
  async function untilStatus(id: number, isIt: (status: Recording['status']) => boolean): Promise<Recording> {
    for (;;) {
      const recording = await agent.client.recordings.read({ id });
      if (isIt(recording.status)) return recording;
    }
  }

  test('records what is typed and clicked there, keeps no password, and the workflow runs with other words', async () => {
    const { id, status, window } = await record();
    assert.deepEqual([status, window], ['recording', false]);
    const page = await attach((await agent.client.recordings.screen({ id })).url);
    await clickAt(page, 100, 40);
    await page.keyboard.type('tea');
    await clickAt(page, 100, 100);
    await page.keyboard.type('canary-4711');
    await clickAt(page, 100, 160);
    await page.getByText('s4 click').waitFor();
    // A page that is loaded again goes on with the ticket that it was given.
    await page.reload();
    await page.locator('body[data-acts=true][data-seen=true]').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const ended = await untilStatus(id, (now) => now !== 'recording');
    await page.close();
    assert.equal(ended.status, 'finished', ended.message);
    assert.deepEqual(
      ended.steps.map(({ type }) => type),
      ['navigate', 'change', 'change', 'click'],
    );
    const workflow = await agent.client.workflows.read({ id: ended.workflow_id ?? 0 });
    assert.deepEqual([workflow.slug, workflow.steps.length], ['find-books', 4]);
    assert.ok(!JSON.stringify(workflow).includes('canary-4711'));
    const persona = await agent.client.personas.create({ name: 'Ann', origins: [site.origin], password: 'a-secret-1' });
    await agent.client.workflows.update({
      id: workflow.id,
      persona_id: persona.id,
      steps: [...workflow.steps, { id: 'rows', type: 'extractList', selectors: ['li.book'], fields: { title: { selectors: ['h2'] } } }],
    });
    const run = await agent.client.workflows.run({ id: workflow.id, inputs: { words: 'sea' }, wait: true });
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    const { data } = await agent.client.runs.data({ id: run.id });
    assert.deepEqual(data, [{ title: 'sea 1' }, { title: 'sea 2' }, { title: 'sea 3' }]);
  });

  test('weft record says where to open it, tells each step, and names the workflow and its inputs', async () => {
    const env = { ...process.env, HOME: agent.home, SERVICE_HOME: agent.home, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token };
    const child = spawn(process.execPath, [WEFT, 'record', `${site.origin}/`, '--no-window', '--name', 'By command'], { env });
    const output = text(child.stdout);
    let said = '';
    let page: Page | undefined;
    for await (const part of child.stderr) {
      said += String(part);
      const link = /^http\S+\/screen#\S+$/m.exec(said)?.[0];
      if (!link || page) continue;
      page = await attach(link);
      await clickAt(page, 100, 40);
      await page.keyboard.type('tea');
      await clickAt(page, 100, 160);
      await page.getByText('s3 click').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
    }
    await page?.close();
    assert.match(said, /weft: s1 navigate\n/);
    const shown = await output;
    assert.match(shown, /slug +by-command\n[^]*inputs +words\n[^]*weft run by-command/);
    assert.ok(!shown.includes('tea'));
  });

  test('acts in the browser of a run that waits, and the run goes on', async () => {
    const { id } = await agent.client.workflows.create({
      name: 'Behind',
      lane: 'browser',
      steps: [
        { id: 'open', type: 'navigate', url: `${site.origin}/question` },
        {
          id: 'wait',
          type: 'pause',
          reason: 'captcha',
          instructions: 'Say that you are a person.',
          resume: { page: { selectors: ['#behind'] }, op: 'exists' },
        },
        { id: 'h1', type: 'extract', fields: { text: { selectors: ['h1'] } } },
      ],
    } as unknown as NewWorkflow);
    const begun = await agent.client.workflows.run({ id });
    while ((await agent.client.runs.read({ id: begun.id })).status !== 'waiting_human');
    const page = await attach((await agent.client.runs.screen({ id: begun.id })).url);
    assert.equal(await page.innerText('#instructions'), 'Say that you are a person.');
    await clickBetweenPictures(page, 100, 40);
    const run = await agent.client.waitForRun(begun.id, { timeout: 600 });
    await page.close();
    assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
    assert.deepEqual((await agent.client.runs.results({ id: begun.id })).steps['h1'], { text: 'Behind it' });
    await assert.rejects(agent.client.runs.screen({ id: begun.id }), (error) => error instanceof ApiError && error.code === 'conflict');
  });

  test('is refused where only a restricted key is shown, and says where no window can be had', async () => {
    const { token } = await agent.client.keys.create({ name: 'robot', scopes: 'admin' });
    const robot = createClient({ baseUrl: agent.baseUrl, token, retriesMax: 0 });
    await assert.rejects(robot.recordings.create({ url: site.origin }), (error) => error instanceof ApiError && error.status === 403);
    const { ticket } = await robot.wsTicket.create();
    const page = await browser.newPage();
    await page.goto(`${agent.baseUrl}/screen#${new URLSearchParams({ kind: 'recording', id: '1', ticket }).toString()}`);
    await page.getByText('Only the runtime token (wlt_) may act in a browser.').waitFor();
    await page.close();
    const windowed = await record({ window: true });
    assert.equal(windowed.status, 'failed');
    assert.match(windowed.message ?? '', /has no screen/);
    const left = await record();
    await agent.client.recordings.discard({ id: left.id });
    await assert.rejects(agent.client.recordings.read({ id: left.id }), (error) => error instanceof ApiError && error.code === 'not_found');
  });
});

// A workflow that acts in a browser, tried by HTTP beside it: trusted after two different inputs that came to the same, given up at the first difference.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { NewWorkflow, Run, RunEvent, WorkflowCandidate } from '@weft/contract';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startSite } from '../sites/crawl-sites.ts';
import type { LocalSite } from '../sites/crawl-sites.ts';
import { startTypedLines } from './typed-lines.ts';

const html = (title: string, body: string) => `<!doctype html><title>${title}</title><body><main><h1>${title}</h1>${body}</main>`;
const FORM = html('Shelf', `<form action=/found><input name=q aria-label=Words><button>Find</button></form>`);
const POSTED = FORM.replace('action=/found', 'action=/found method=post');

/** A page whose scripts fetch its rows, with a token that its head holds and that is good once. */
const SCRIPTED = (
  token: string,
) => `<!doctype html><title>Shelf</title><meta name="csrf-token" content="${token}"><body><div id=root></div><script>
root.innerHTML = '<h1>Shelf</h1><input name=q aria-label=Words><button>Find</button><ul></ul>';
document.querySelector('button').onclick = async () => {
  const url = '/api/books?kind=paper&words=' + encodeURIComponent(document.querySelector('input').value);
  const answer = await fetch(url, { headers: { 'X-CSRF-Token': document.querySelector('meta').content } });
  document.querySelector('ul').innerHTML = (await answer.json()).found.books
    .map(({ name, price, id }) => '<li class=book><h2>' + name + '</h2><b>$' + price + ' each</b><a href="/book/' + id + '">more</a></li>').join('');
};
</script>`;

suite('the candidate by HTTP', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: LocalSite;
  /** What a request for the rows says of who asks: the HTTP lane sends no `sec-fetch-dest`. */
  const lanes: string[] = [];
  let titleByHttp = '';
  const tokens = new Set<string>();
  let pagesByHttp = 0;
  before(async () => {
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    agent = await startTestAgent({ fetcher, sessions: fetcher.sessions });
    site = await startSite((path, url, request) => {
      const isByHttp = request.headers['sec-fetch-dest'] === undefined;
      if (path === '/scripted' || path === '/listed') {
        const token = randomUUID();
        tokens.add(token);
        if (isByHttp) pagesByHttp++;
        const clicked =
          path === '/listed'
            ? `<script>document.querySelector('input').value = 'all'; document.querySelector('button').click()</script>`
            : '';
        return SCRIPTED(token) + clicked;
      }
      if (path === '/api/books') {
        lanes.push(isByHttp ? 'http' : 'browser');
        if (!tokens.delete(String(request.headers['x-csrf-token']))) return { status: 403, body: 'no' };
        const words = (isByHttp && titleByHttp) || url.searchParams.get('words');
        const books = [1, 2, 3].map((place) => ({ id: place * 7, name: `${words} ${place}`, price: place + 0.5, parts: [] }));
        return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ found: { books, count: 3 } }) };
      }
      if (path !== '/found') return path === '/posts' ? POSTED : FORM;
      const lane = request.headers['sec-fetch-dest'] === undefined ? 'http' : 'browser';
      lanes.push(`${request.method ?? ''} ${lane}`);
      const title = (lane === 'http' && titleByHttp) || url.searchParams.get('q') || 'posted';
      return html('Found', `<ul>${[1, 2, 3].map((place) => `<li class=book><h2>${title} ${place}</h2></li>`).join('')}</ul>`);
    });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site.close();
  });
  beforeEach(() => {
    titleByHttp = '';
    lanes.length = 0;
  });

  const steps = (path: string) => [
    { id: 'open', type: 'navigate', url: `${site.origin}${path}` },
    { id: 'words', type: 'change', selectors: ['[name=q]'], value: '{{inputs.q}}' },
    { id: 'find', type: 'click', selectors: ['button'] },
    { id: 'rows', type: 'extractList', selectors: ['li.book'], fields: { title: { selectors: ['h2'] } } },
  ];
  const INPUTS = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
  async function create(path = '/'): Promise<number> {
    return (await agent.client.workflows.create({ name: 'Find', inputs: INPUTS, steps: steps(path) } as unknown as NewWorkflow)).id;
  }
  async function run(id: number, q: string): Promise<Run> {
    lanes.length = 0;
    const ended = await agent.client.workflows.run({ id, inputs: { q }, wait: true });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended.failure));
    const { data } = await agent.client.runs.data({ id: ended.id });
    assert.deepEqual(
      data,
      [1, 2, 3].map((place) => ({ title: `${q} ${place}` })),
    );
    return ended;
  }
  async function candidateOf(id: number): Promise<WorkflowCandidate> {
    return await agent.client.workflows.candidate({ id });
  }
  async function eventsOf(id: number): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = [];
    // The agent checks each before it sends it.
    for await (const { data } of (await agent.client.runs.events({ id })) ?? []) events.push(data as RunEvent);
    return events;
  }
  const said = async (id: number) => (await eventsOf(id)).flatMap((event) => (event.type === 'log' ? [event.message] : []));
  async function promoted(): Promise<number> {
    const id = await create();
    await run(id, 'sea & sand');
    await run(id, 'tea');
    assert.equal((await candidateOf(id)).status, 'promoted');
    return id;
  }

  test('is tried beside, counts inputs that differ, and answers once two of them agreed', async () => {
    const id = await create();
    const first = await run(id, 'sea & sand');
    assert.deepEqual(lanes, ['GET browser', 'GET http']);
    assert.ok((await said(first.id)).includes('By HTTP the run comes to the same 3 rows.'));
    await run(id, 'sea & sand');
    assert.deepEqual([(await candidateOf(id)).status, first.lane], ['shadow', 'browser']);
    await run(id, 'tea');
    assert.equal((await candidateOf(id)).status, 'promoted');
    const byHttp = await run(id, 'night');
    assert.deepEqual([lanes, byHttp.lane], [['GET http'], 'http']);
    await using lines = startTypedLines(agent);
    assert.match((await lines.run('workflow', 'show', String(id))).out, /\nby http +promoted: \S.*\n/);
    assert.deepEqual(
      (await candidateOf(id)).steps.map((step) => [step.id, step.type]),
      [
        ['open', 'navigate'],
        ['find', 'navigate'],
        ['rows', 'extractList'],
      ],
    );
  });

  test('is held against a browser in every twentieth run, and given up at the first difference', async () => {
    const id = await promoted();
    titleByHttp = 'a wrong one';
    // Nobody sees it until then: what it costs to be sure each time is what it saves.
    for (let runs = 0; runs < 19; runs++) {
      const { id: runId } = await agent.client.workflows.run({ id, inputs: { q: 'x' }, wait: true });
      assert.equal((await agent.client.runs.read({ id: runId })).lane, 'http');
    }
    const twentieth = await run(id, 'day');
    assert.equal(twentieth.lane, 'browser');
    const { status, reason } = await candidateOf(id);
    assert.equal(status, 'demoted');
    assert.match(reason, /row 1 differs/);
    assert.ok((await said(twentieth.id)).some((message) => message.includes('is given up')));
    await run(id, 'next');
    assert.deepEqual(lanes, ['GET browser']);
  });

  test('goes on in a browser in the same run where it fails, keeps each row once, and is given up', async () => {
    const id = await promoted();
    titleByHttp = '</h2></li></ul><ul hidden><li><h2>';
    const ended = await run(id, 'rain');
    assert.deepEqual([ended.lane, ended.rows_extracted, lanes], ['browser', 3, ['GET http', 'GET browser']]);
    const events = await eventsOf(ended.id);
    const indices = events.flatMap((event) => (event.type === 'step' && event.status === 'started' ? [event.index] : []));
    assert.deepEqual(
      indices,
      indices.map((_, place) => place),
    );
    assert.ok(events.some((event) => event.type === 'lane' && event.to === 'browser'));
    assert.equal((await candidateOf(id)).status, 'demoted');
  });

  test('is none where something was sent that may change something, and nothing is sent twice', async () => {
    const id = await create('/posts');
    const ended = await agent.client.workflows.run({ id, inputs: { q: 'tea' }, wait: true });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended.failure));
    assert.deepEqual(lanes, ['POST browser']);
    const { status, reason } = await candidateOf(id);
    assert.equal(status, 'none');
    assert.match(reason, /step find sent something/);
  });

  const SCRIPTED_FIELDS = { title: { selectors: ['h2'] }, cost: { selectors: ['b'] }, address: { selectors: ['a'], attr: 'href' } };
  const THERE = { id: 'there', type: 'waitForElement', selectors: ['li.book'] };
  const scriptedSteps = (fields: object) =>
    steps('/scripted').flatMap<object>((step) => (step.id === 'rows' ? [THERE, { ...step, fields }] : [step]));
  async function runScripted(id: number, q: string): Promise<Run> {
    lanes.length = 0;
    const ended = await agent.client.workflows.run({ id, inputs: { q }, wait: true });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended.failure));
    assert.deepEqual(
      (await agent.client.runs.data({ id: ended.id })).data,
      [1, 2, 3].map((place) => ({ title: `${q} ${place}`, cost: `$${place + 0.5} each`, address: `/book/${place * 7}` })),
    );
    return ended;
  }

  test('asks for the rows that scripts fetched as they did, with its inputs and a token read anew, and answers once two runs agreed', async () => {
    const { id } = await agent.client.workflows.create({
      name: 'Find by script',
      inputs: INPUTS,
      steps: scriptedSteps(SCRIPTED_FIELDS),
    } as unknown as NewWorkflow);
    await runScripted(id, 'sea & sand');
    assert.deepEqual(lanes, ['browser', 'http'], JSON.stringify(await candidateOf(id)));
    await runScripted(id, 'tea {{x}}');
    const { status, steps: found } = await candidateOf(id);
    assert.equal(status, 'promoted');
    assert.deepEqual(
      found.map(({ type }) => type),
      ['navigate', 'extract', 'request', 'assert', 'forEach'],
    );
    const pagesBefore = pagesByHttp;
    const byHttp = await runScripted(id, 'night & day');
    assert.deepEqual([lanes, byHttp.lane, pagesByHttp - pagesBefore], [['http'], 'http', 1]);
  });

  test('takes the place of a browser that every run would go on in, where a page needs one for its scripts alone', async () => {
    const all = [steps('/listed')[0], THERE, steps('')[3]];
    const { id } = await agent.client.workflows.create({ name: 'All', steps: all } as unknown as NewWorkflow);
    for (const lane of ['browser', 'browser', 'http'] as const) {
      const ended = await agent.client.workflows.run({ id, wait: true });
      assert.deepEqual([ended.status, ended.lane, ended.rows_extracted], ['succeeded', lane, 3], JSON.stringify(await candidateOf(id)));
    }
  });

  test('is no matter of a run with a window, which needs a screen', async () => {
    const id = await create();
    const refused = agent.client.workflows.run({ id, inputs: { q: 'tea' }, headed: true });
    await assert.rejects(refused, { status: 400, message: /"headed"\) needs a screen, and this machine has none/ });
    await assert.rejects(agent.client.workflows.dryRun({ id, until: 'open', headed: true }), { status: 400 });
  });

  test('is none for rows that no answer to a script holds, and says so', async () => {
    const fields = { title: { selectors: ['h2'] }, place: { selectors: ['h2'], regex: '(.).$' } };
    const { id } = await agent.client.workflows.create({
      name: 'Part',
      inputs: INPUTS,
      steps: scriptedSteps(fields),
    } as unknown as NewWorkflow);
    const ended = await agent.client.workflows.run({ id, inputs: { q: 'tea' }, wait: true });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended.failure));
    const { status, reason } = await candidateOf(id);
    assert.equal(status, 'none');
    assert.match(reason, /the input q is typed.*; and no answer to its scripts holds the rows as the page shows them/);
  });
});

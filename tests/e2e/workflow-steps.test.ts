import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NewWorkflow, Run, RunResults } from '@weft/contract';
import { startTestAgent } from '../agent.ts';
import type { TestAgent } from '../agent.ts';
import { PASSWORD, USER, startBookshop } from '../sites/bookshop.ts';
import type { Bookshop } from '../sites/bookshop.ts';
import { startSite } from '../sites/crawl-sites.ts';

type Steps = NewWorkflow['steps'];
/** Bodies are written as JSON; the agent checks them. */
type Json = readonly Readonly<Record<string, unknown>>[];

/** What a workflow of these steps came to. */
interface Came {
  readonly run: Run;
  readonly results: RunResults;
  readonly rows: readonly Record<string, unknown>[];
  readonly out: (id: string) => unknown;
  /** `id status` of each step event that ended one. */
  readonly ended: readonly string[];
}

async function onShop(body: (go: (steps: Json, more?: object) => Promise<Came>, shop: Bookshop, agent: TestAgent) => Promise<void>) {
  const shop = await startBookshop();
  try {
    await using agent = await startTestAgent();
    const go = async (steps: Json, more: object = {}) => await runSteps(agent, { name: 'Test', steps: steps as unknown as Steps, ...more });
    await body(go, shop, agent);
    assert.deepEqual(agent.logged, []);
  } finally {
    await shop.close();
  }
}

async function runSteps({ client }: TestAgent, workflow: NewWorkflow): Promise<Came> {
  const { id } = await client.workflows.create(workflow);
  const run = await client.workflows.run({ id, wait: true });
  const results = await client.runs.results({ id: run.id });
  const { data: rows } = await client.runs.data({ id: run.id, limit: 500 });
  const ended: string[] = [];
  for await (const { data } of (await client.runs.events({ id: run.id })) ?? []) {
    const event = data as { type: string; step_id?: string; status?: string };
    if (event.type === 'step' && event.status !== 'started') ended.push(`${event.step_id ?? ''} ${event.status ?? ''}`);
  }
  return { run, results, rows, out: (step) => results.steps[step], ended };
}

const open = (url: string) => ({ id: 'open', type: 'navigate', url }) as const;
const value = (id: string, template: unknown) => ({ id, type: 'setVar', name: id, value: template }) as const;

suite('requests', () => {
  test('a request sends its method, query, headers and each kind of body', () =>
    onShop(async (go, shop) => {
      const { out, run } = await go([
        { id: 'get', type: 'request', url: `${shop.origin}/echo`, query: { q: 'a b' }, headers: { 'x-kind': 'test' } },
        { id: 'text', type: 'request', method: 'POST', url: `${shop.origin}/echo`, body: 'plain' },
        { id: 'form', type: 'request', method: 'POST', url: `${shop.origin}/echo`, form: { a: '1 2', b: '&' } },
        { id: 'json', type: 'request', method: 'PUT', url: `${shop.origin}/echo`, json: { list: [1, '{{steps.get.out.status}}'] } },
      ]);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      const echoed = (id: string) =>
        (out(id) as { json: { method: string; headers: Record<string, string>; body: string; query: object } }).json;
      assert.deepEqual([echoed('get').query, echoed('get').headers['x-kind']], [{ q: 'a b' }, 'test']);
      assert.deepEqual([echoed('text').method, echoed('text').body], ['POST', 'plain']);
      assert.deepEqual([echoed('form').body, echoed('form').headers['content-type']], ['a=1+2&b=%26', 'application/x-www-form-urlencoded']);
      assert.deepEqual([echoed('json').method, shop.orders.length], ['PUT', 2]);
    }));

  test('a status that is not expected fails it, and one that is does not', () =>
    onShop(async (go, shop) => {
      const bad = await go([{ id: 'ask', type: 'request', url: `${shop.origin}/echo?status=404` }]);
      assert.deepEqual([bad.run.status, bad.run.failure?.code, bad.run.failure?.step_id], ['failed', 'http_status', 'ask']);
      const good = await go([{ id: 'ask', type: 'request', url: `${shop.origin}/echo?status=404`, expect_status: [404] }]);
      assert.equal(good.run.status, 'succeeded');
    }));

  test('redirects are followed unless it says not to', () =>
    onShop(async (go, shop) => {
      const away = `${shop.origin}/away?to=/echo`;
      const { out } = await go([
        { id: 'follow', type: 'request', url: away },
        { id: 'stay', type: 'request', url: away, follow: false, expect_status: [307] },
      ]);
      assert.deepEqual([(out('follow') as { url: string }).url, (out('stay') as { status: number }).status], [`${shop.origin}/echo`, 307]);
    }));

  test('what a path names as secret in an answer is masked everywhere from then on', () =>
    onShop(async (go, shop) => {
      const { results, rows } = await go([
        { id: 'ask', type: 'request', url: `${shop.origin}/echo?token=hush-hush-77`, secret_response_paths: ['$.query.token'] },
        { id: 'keep', type: 'emit', rows: { token: '{{steps.ask.out.json.query.token}}', url: '{{steps.ask.out.url}}' } },
      ]);
      assert.equal(JSON.stringify([results, rows]).includes('hush-hush-77'), false);
      assert.equal(rows.length, 1);
    }));

  test('a download is kept as a file of the run', () =>
    onShop(async (go, shop, { client }) => {
      const { results } = await go([{ id: 'get', type: 'download', url: `${shop.origin}/file.txt` }]);
      assert.deepEqual(
        results.files.map(({ name, bytes }) => [name, bytes]),
        [['file.txt', 19]],
      );
      const content = await client.files.content({ id: results.files[0]?.id ?? '' });
      assert.equal(await (content as Response).text(), 'the bytes of a file');
    }));
});

suite('forms', () => {
  test('a form is sent as a browser would, with its hidden token, what is ticked, and a file', () =>
    onShop(async (go, shop, { client }) => {
      const body = new FormData();
      body.set('file', new Blob(['png'], { type: 'image/png' }), 'cover.png');
      const file = (await (
        await client.transport.send({ method: 'POST', path: '/v1/files', body, signal: AbortSignal.timeout(600_000) })
      ).json()) as { id: string };
      const fields = { title: 'Dune', size: 'Large', gift: 'true', news: 'false', cover: `{{file:${file.id}}}` };
      const { run, out } = await go([
        { id: 'send', type: 'form', url: `${shop.origin}/order`, selectors: ['#order'], fields, submit: 'Send it' },
        { id: 'receipt', type: 'extract', fields: { text: { selectors: ['#receipt'], regex: 'of (\\w+)' } } },
      ]);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual(out('receipt'), { text: 'Dune' });
      const sent = shop.orders[0]?.body ?? '';
      assert.match(sent, /name="csrf"\r\n\r\n[0-9a-f]{16}/);
      assert.match(sent, /name="size"\r\n\r\nl\r\n/);
      assert.match(sent, /name="gift"\r\n\r\nyes\r\n/);
      assert.match(sent, /name="note"\r\n\r\na note\r\n/);
      assert.match(sent, /filename="cover.png"/);
      assert.match(sent, /name="act"\r\n\r\nsend\r\n/);
      assert.doesNotMatch(sent, /name="(?:news|gone)"/);
    }));

  test('the form is found by its fields, and read anew for each time that it is sent', () =>
    onShop(async (go, shop) => {
      const send = (id: string) => ({ id, type: 'form', url: `${shop.origin}/order`, fields: { title: id, size: 's' } }) as const;
      const { run } = await go([send('first'), send('second')]);
      assert.deepEqual([run.status, shop.orders.length], ['succeeded', 2]);
    }));

  test('a field or a choice that the form has not fails the step and says which there are', () =>
    onShop(async (go, shop) => {
      const { run } = await go([{ id: 'send', type: 'form', url: `${shop.origin}/order`, index: 1, fields: { titel: 'x' } }]);
      assert.equal(run.failure?.code, 'selector');
      assert.match(run.failure?.message ?? '', /no field "titel"; it has csrf, title, size/);
      const choice = await go([{ id: 'send', type: 'form', url: `${shop.origin}/order`, index: 1, fields: { size: 'Huge' } }]);
      assert.match(choice.run.failure?.message ?? '', /no choice "Huge" for size/);
    }));
});

suite('reading', () => {
  test('fields come from elements, JSON, text and headers, each as its type', () =>
    onShop(async (go, shop) => {
      const { out, run } = await go([
        open(`${shop.origin}/search?q=tea`),
        {
          id: 'page',
          type: 'extract',
          fields: {
            title: { selectors: ['h9', 'h1'] },
            prices: { selectors: ['.price'], type: 'price', many: true },
            when: { selectors: ['time'], type: 'date' },
            number: { selectors: ['li'], attr: 'data-id', type: 'number' },
            html: { selectors: ['h2'], type: 'html' },
            gone: { selectors: ['.none'] },
          },
        },
        { id: 'words', type: 'extract', from: 'text', fields: { shop: { regex: 'A (shop) with' } } },
        { id: 'ask', type: 'navigate', url: '/api/books?q=tea' },
        {
          id: 'json',
          type: 'extract',
          from: 'json',
          fields: { next: {}, first: { path: '$.items[0].title' }, all: { path: '$.items[*].id', many: true } },
        },
        { id: 'head', type: 'extract', from: 'headers', fields: { total: { path: 'X-Total', type: 'count' } } },
      ]);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      const page = out('page') as Record<string, unknown>;
      assert.deepEqual([page['title'], page['when'], page['number'], page['gone']], ['Results for tea', '2026-01-01', 1, null]);
      assert.deepEqual(
        (page['prices'] as { amount: string }[]).map(({ amount }) => amount),
        ['4.50', '5.50', '6.50'],
      );
      assert.match(String(page['html']), /^<h2><a href/);
      assert.deepEqual(
        [out('words'), out('json'), out('head')],
        [{ shop: 'shop' }, { next: '3', first: 'tea 1', all: [1, 2, 3] }, { total: 9 }],
      );
    }));

  test('a list is found by itself, by selectors, or by a path; its limit and its least are kept', () =>
    onShop(async (go, shop) => {
      const own = await go([open(`${shop.origin}/search?q=tea`), { id: 'rows', type: 'extractList' }]);
      assert.deepEqual([own.rows.length, JSON.stringify(own.rows).includes('tea 3')], [3, true]);
      const path = await go([
        open(`${shop.origin}/api/books`),
        { id: 'rows', type: 'extractList', from: 'json', path: '$.items[*]', fields: { title: {}, tag: { path: '$.tags[0]' } }, limit: 2 },
      ]);
      assert.deepEqual(path.rows, [
        { title: 'book 1', tag: 'a' },
        { title: 'book 2', tag: 'a' },
      ]);
      const few = await go([open(`${shop.origin}/search`), { id: 'rows', type: 'extractList', selectors: ['li.book'], min: 4 }]);
      assert.deepEqual([few.run.failure?.code, few.run.failure?.step_id], ['no_rows', 'rows']);
    }));

  test('a required field that is missing fails the step, and so does a page that says something else', () =>
    onShop(async (go, shop) => {
      const missing = await go([
        open(`${shop.origin}/search`),
        { id: 'rows', type: 'extractList', selectors: ['li.book'], fields: { isbn: { selectors: ['.isbn'], required: true } } },
      ]);
      assert.deepEqual([missing.run.failure?.code, missing.rows.length], ['assert', 0]);
      const other = await go([
        open(`${shop.origin}/none`),
        { id: 'look', type: 'assert', that: { page: { selectors: ['li.book'] }, op: 'exists' }, message: 'The shelf is empty.' },
      ]);
      assert.deepEqual([other.run.failure?.code, other.run.failure?.message], ['assert', 'The shelf is empty.']);
    }));

  test('elements are waited for in the page as it came', () =>
    onShop(async (go, shop) => {
      const wait = (more: object) => ({ id: 'wait', type: 'waitForElement', selectors: ['li.book'], ...more }) as const;
      for (const [more, status] of [
        [{}, 'succeeded'],
        [{ operator: '==', count: 3 }, 'succeeded'],
        [{ operator: '<=', count: 2 }, 'failed'],
        [{ count: 4 }, 'failed'],
        [{ attributes: { 'data-id': '2' } }, 'succeeded'],
        [{ attributes: { 'data-id': '2', class: 'other' } }, 'failed'],
      ] as const)
        assert.equal((await go([open(`${shop.origin}/search`), wait(more)])).run.status, status, JSON.stringify(more));
    }));

  test('rows are told apart by a key: a second run replaces what has it', () =>
    onShop(async (_go, shop, agent) => {
      const rows = {
        id: 'rows',
        type: 'extractList',
        selectors: ['li.book'],
        fields: { n: { attr: 'data-id' } },
        dedupe_key: 'n',
      } as const;
      const { id, dataset_id } = await agent.client.workflows.create({
        name: 'Keyed',
        steps: [open(`${shop.origin}/search`), rows] as unknown as Steps,
      });
      for (let i = 0; i < 2; i++) assert.equal((await agent.client.workflows.run({ id, wait: true })).status, 'succeeded');
      assert.equal(((await agent.client.datasets.read({ id: dataset_id })) as { records: number }).records, 3);
    }));

  test('a run holds each key once, as it was read last', () =>
    onShop(async (go) => {
      let asked = 0;
      const site = await startSite((path) => {
        if (path === '/robots.txt') return undefined;
        asked++;
        return `<!doctype html><title>Rows</title><main><h1>Rows</h1><p>Two rows, one of which changes as one looks.</p><ul><li data-name="a"><b>1</b></li><li data-name="b"><b>${asked}</b></li></ul></main>`;
      });
      try {
        const fields = { name: { attr: 'data-name' }, n: { selectors: ['b'] } };
        const list = { id: 'rows', type: 'extractList', selectors: ['li'], fields, dedupe_key: 'name' };
        const { run, rows } = await go([{ id: 'thrice', type: 'forEach', items: [1, 2, 3], as: 'round', body: [open(site.origin), list] }]);
        assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
        assert.deepEqual(
          rows.map(({ name, n }) => [name, n]),
          [
            ['a', '1'],
            ['b', '3'],
          ],
        );
        assert.equal(run.rows_extracted, 2);
      } finally {
        await site.close();
      }
    }));
});

suite('pages', () => {
  const rows = { id: 'rows', type: 'extractList', selectors: ['li.book'], fields: { title: { selectors: ['h2'] } } } as const;
  const jsonRows = { id: 'rows', type: 'extractList', from: 'json', path: '$.items[*]', fields: { title: {} } } as const;
  const titles = Array.from({ length: 9 }, (_, place) => ({ title: `book ${place + 1}` }));

  for (const [name, path, paginate, ended] of [
    ['the next link, found by itself', '/search', { mode: 'next_link', body: [rows] }, 'last_page'],
    ['the next link, by selectors', '/search', { mode: 'next_link', selectors: ['a[rel=next]'], body: [rows] }, 'last_page'],
    ['a counted page', '/search?page=1', { mode: 'page_param', param: 'page', body: [rows] }, 'empty'],
    ['an offset', '/api/books?cursor=0', { mode: 'offset', param: 'cursor', step: 3, body: [jsonRows] }, 'empty'],
    ['a cursor', '/api/books', { mode: 'cursor', param: 'cursor', path: '$.next', body: [jsonRows] }, 'last_page'],
    ['an address in the answer', '/api/books', { mode: 'next_url', path: '$.next_url', body: [jsonRows] }, 'last_page'],
  ] as const)
    test(`goes on by ${name}`, () =>
      onShop(async (go, shop) => {
        const came = await go([open(`${shop.origin}${path}`), { id: 'pages', type: 'paginate', ...paginate }]);
        assert.equal(came.run.status, 'succeeded', JSON.stringify(came.run.failure));
        assert.deepEqual(came.rows, titles);
        assert.equal((came.out('pages') as { ended: string }).ended, ended);
      }));

  test('ends at the most pages, at a page that is the one before, and where nothing is new, and says so', () =>
    onShop(async (go, shop) => {
      const from = open(`${shop.origin}/search`);
      const most = await go([from, { id: 'pages', type: 'paginate', mode: 'next_link', body: [rows], stop: { max_pages: 2 } }]);
      assert.deepEqual([most.rows.length, most.results.warnings.length], [6, 1]);
      const same = await go([from, { id: 'pages', type: 'paginate', mode: 'page_param', param: 'other', body: [rows] }]);
      assert.deepEqual([same.rows.length, same.out('pages')], [3, { pages: 1, ended: 'same_page' }]);
      const old = await go([
        from,
        { id: 'pages', type: 'paginate', mode: 'page_param', param: 'other', body: [rows], stop: { same_page_hash: false } },
      ]);
      assert.deepEqual([old.rows.length, old.out('pages')], [3, { pages: 2, ended: 'no_new_rows' }]);
    }));

  test('rows that a page shows again past the end are not kept, whatever else changes on it', () =>
    onShop(async (go) => {
      let asked = 0;
      const site = await startSite((_path, url) => {
        const from = Math.min(Number(url.searchParams.get('offset') ?? 0), 2);
        const items = [1, 2].map((place) => `<li class="row"><b>row ${from + place}</b></li>`).join('');
        return `<!doctype html><title>Rows</title><main><h1>Rows</h1><p>Asked ${++asked} times, a list of four in two pages.</p><ul>${items}</ul></main>`;
      });
      try {
        const list = { id: 'rows', type: 'extractList', selectors: ['li.row'], fields: { name: { selectors: ['b'] } } };
        const byEmit = [list, { id: 'keep', type: 'emit', rows: '{{steps.rows.out}}' }];
        for (const body of [[list], byEmit]) {
          const paginate = { id: 'pages', type: 'paginate', mode: 'offset', param: 'offset', step: 2, body };
          const came = await go([open(site.origin), paginate]);
          assert.equal(came.run.status, 'succeeded', JSON.stringify(came.run.failure));
          assert.deepEqual(
            came.rows.map(({ name }) => name),
            ['row 1', 'row 2', 'row 3', 'row 4'],
          );
          assert.deepEqual(came.out('pages'), { pages: 3, ended: 'no_new_rows' });
        }
      } finally {
        await site.close();
      }
    }));

  test('pages that only emit go on while what they emit is new', () =>
    onShop(async (go, shop) => {
      const paginate = { id: 'pages', type: 'paginate', mode: 'page_param', param: 'other', stop: { same_page_hash: false, max_pages: 3 } };
      const body = [
        { id: 'add', type: 'setVar', name: 'n', value: '{{vars.n | plus: 1}}' },
        { id: 'keep', type: 'emit', rows: [{ at: '{{vars.n}}' }] },
      ];
      const came = await go([open(`${shop.origin}/search?page=1`), value('n', 0), { ...paginate, body }]);
      assert.deepEqual(
        came.rows.map(({ at }) => at),
        [1, 2, 3],
      );
    }));

  test('a first page without rows is no end but a failure', () =>
    onShop(async (go, shop) => {
      const { run } = await go([open(`${shop.origin}/none`), { id: 'pages', type: 'paginate', mode: 'next_link', body: [rows] }]);
      assert.equal(run.failure?.code, 'no_rows');
    }));
});

suite('flow', () => {
  test('loops, branches and variables', () =>
    onShop(async (go) => {
      const { out, run, ended, results } = await go([
        value('list', ['a', 'b', 'c']),
        {
          id: 'each',
          type: 'forEach',
          items: '{{vars.list}}',
          as: 'letter',
          limit: 2,
          body: [value('last', '{{letter | upcase}}{{index}}')],
        },
        value('n', 0),
        {
          id: 'count',
          type: 'while',
          condition: { value: '{{vars.n}}', op: 'lt', with: 3 },
          body: [value('n', '{{vars.n | plus: 1}}')].map((step) => ({ ...step, id: 'add' })),
        },
        {
          id: 'choose',
          type: 'if',
          branches: [{ when: { value: '{{vars.n}}', op: 'eq', with: 2 }, body: [{ ...value('was', 'two'), id: 'two' }] }],
          else: [{ ...value('was', 'other'), id: 'other' }],
        },
        { ...value('skipped', 1), when: { value: '{{vars.was}}', op: 'eq', with: 'two' } },
      ]);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual([out('last'), out('add'), out('other'), out('two')], ['B1', 3, 'other', undefined]);
      assert.ok(ended.includes('skipped skipped'));
      assert.deepEqual(results.warnings, ['each left out 1 of 3 items, by its "limit".']);
    }));

  test('a loop that goes on too long, and a run with too many steps or pages, end', () =>
    onShop(async (go, shop) => {
      const forever = { id: 'loop', type: 'while', condition: { value: 1, op: 'eq', with: 1 }, max: 5, body: [value('x', 1)] } as const;
      assert.equal((await go([forever])).run.failure?.code, 'assert');
      assert.match((await go([{ ...forever, max: 100 }], { limits: { max_steps: 20 } })).run.failure?.message ?? '', /executed 20 steps/);
      const pages = {
        id: 'loop',
        type: 'while',
        condition: { value: 1, op: 'eq', with: 1 },
        body: [open(`${shop.origin}/search`)],
      } as const;
      assert.match((await go([pages], { limits: { max_pages: 3 } })).run.failure?.message ?? '', /asked for 3 pages/);
    }));

  test('a step is tried again, passed over, or led away from; the end is executed in any case', () =>
    onShop(async (go, shop) => {
      const fails = { id: 'ask', type: 'request', url: `${shop.origin}/flaky` } as const;
      const tried = await go([{ ...fails, retry: { times: 2, delay_ms: 5 } }], { finally: [value('end', 'ended')] });
      assert.deepEqual([tried.run.status, tried.out('end')], ['failed', 'ended']);
      assert.deepEqual(tried.ended, ['ask retrying', 'ask retrying', 'ask failed', 'end succeeded']);
      const passed = await go([{ ...fails, on_error: 'continue' }, value('then', 1)]);
      assert.deepEqual([passed.run.status, passed.out('then'), passed.results.warnings.length], ['succeeded', 1, 1]);
      const led = await go([{ ...fails, on_error: 'goto:there' }, value('between', 1), { ...value('x', 2), id: 'there' }]);
      assert.deepEqual([led.run.status, led.out('between'), led.out('there')], ['succeeded', undefined, 2]);
    }));

  test('the end is executed after a run that took longer than it may, and what came before it is kept', () =>
    onShop(async (go, shop) => {
      const asks = { id: 'ask', type: 'request', url: `${shop.origin}/flaky`, retry: { times: 2, delay_ms: 5000 } };
      const { run, out } = await go([value('before', 1), asks], { limits: { max_seconds: 2 }, finally: [value('end', 'ended')] });
      assert.deepEqual([run.status, run.failure?.code, out('before'), out('end')], ['failed', 'timeout', 1, 'ended']);
      assert.match(run.failure?.message ?? '', /worked for 2 seconds/);
    }));

  test('a stop ends the run as it says', () =>
    onShop(async (go) => {
      const good = await go([{ id: 'stop', type: 'stop' }, value('after', 1)]);
      assert.deepEqual([good.run.status, good.out('after')], ['succeeded', undefined]);
      const bad = await go([{ id: 'stop', type: 'stop', status: 'failed', reason: 'Sold {{"out"}}' }]);
      assert.deepEqual([bad.run.status, bad.run.failure?.code, bad.run.failure?.message], ['failed', 'assert', 'Sold out']);
    }));

  test('rows that are given out and exported, and what stands in them', () =>
    onShop(async (go, _shop, { client }) => {
      const rows = [
        { a: '=1+1', b: 2 },
        { a: 'x,"y"', c: null },
      ];
      const { rows: kept, results } = await go([
        { id: 'give', type: 'emit', rows },
        { id: 'csv', type: 'export', format: 'csv', rows, name: 'sums.csv' },
        { id: 'lines', type: 'export', format: 'jsonl', rows },
      ]);
      assert.deepEqual(kept, rows);
      const [csv, lines] = results.files;
      assert.deepEqual([csv?.name, lines?.name], ['sums.csv', 'lines.jsonl']);
      const text = await ((await client.files.content({ id: csv?.id ?? '' })) as Response).text();
      assert.equal(text, `a,b,c\r\n'=1+1,2,\r\n"x,""y""",,\r\n`);
    }));

  test('a workflow calls another, which is a run of its own', () =>
    onShop(async (go, _shop, { client }) => {
      await client.workflows.create({
        name: 'Inner',
        inputs: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        output: { twice: '{{inputs.n | times: 2}}' },
        steps: [value('x', 1)],
      });
      const { out, run } = await go([{ id: 'call', type: 'call', workflow: 'inner', inputs: { n: 21 } }]);
      assert.deepEqual([run.status, out('call')], ['succeeded', { twice: 42 }]);
      const { data } = await client.runs.list({ kind: 'workflow' });
      const child = data.find(({ parent_id: parent }) => parent === run.id);
      assert.deepEqual([child?.trigger, child?.status], ['run', 'succeeded']);
      const wrong = await go([{ id: 'call', type: 'call', workflow: 'inner', inputs: { n: 'x' } }]);
      assert.equal(wrong.run.failure?.code, 'input');
      assert.match(wrong.run.failure?.message ?? '', /^inputs\.n does not fit: .*integer/);
    }));

  test('a workflow that calls itself for ever ends', () =>
    onShop(async (go) => {
      const { run } = await go([{ id: 'call', type: 'call', workflow: 'self' }], { slug: 'self' });
      assert.match(run.failure?.message ?? '', /as deep as they may|ended as failed/);
    }));
});

suite('secrets and personas', () => {
  const send = (shop: Bookshop, path = '/echo') =>
    ({
      id: 'send',
      type: 'request',
      method: 'POST',
      url: `${shop.origin}${path}`,
      headers: { authorization: 'Bearer {{secret:api}}' },
      json: { key: '{{secret:api}}' },
    }) as const;

  test('a secret reaches the origin that it is for, and stands in nothing that is shown', () =>
    onShop(async (go, shop, { client }) => {
      await client.secrets.create({ key: 'api', value: 'hunter2-hunter2', origins: [shop.origin] });
      const { run, results, rows } = await go([
        send(shop),
        {
          id: 'keep',
          type: 'emit',
          rows: { echoed: '{{steps.send.out.json.body}}', header: '{{steps.send.out.json.headers.authorization}}' },
        },
        { id: 'file', type: 'export', format: 'jsonl', rows: [{ all: '{{steps.send.out.text}}{{steps.send.out.json | json}}' }] },
      ]);
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual(
        [shop.orders[0]?.headers.authorization, shop.orders[0]?.body],
        ['Bearer hunter2-hunter2', '{"key":"hunter2-hunter2"}'],
      );
      const file = await ((await client.files.content({ id: results.files[0]?.id ?? '' })) as Response).text();
      const events: unknown[] = [];
      for await (const { data } of (await client.runs.events({ id: run.id })) ?? []) events.push(data);
      assert.equal(JSON.stringify([results, rows, file, events]).includes('hunter2'), false);
      assert.match(JSON.stringify(rows), /masked/);
    }));

  test('it goes to no other origin, neither at first nor by a redirect', () =>
    onShop(async (go, shop, { client }) => {
      const other = await startBookshop();
      try {
        await client.secrets.create({ key: 'api', value: 'hunter2-hunter2', origins: [shop.origin] });
        const first = await go([send(other)]);
        assert.deepEqual([first.run.failure?.code, other.orders.length], ['input', 0]);
        const led = await go([send(shop, `/away?to=${encodeURIComponent(`${other.origin}/echo`)}`), open(`${other.origin}/search`)]);
        assert.deepEqual([led.run.failure?.code, led.run.failure?.step_id, other.orders.length], ['address', 'send', 0]);
      } finally {
        await other.close();
      }
    }));

  test('a persona logs in by the form of a page, and not again while its session lasts', () =>
    onShop(async (go, shop, { client }) => {
      const persona = await client.personas.create({ name: 'Ada', origins: [shop.origin], username: USER, password: PASSWORD });
      const success = { page: { selectors: ['#hello'] }, op: 'exists' };
      const login = (id: string) => ({ id, type: 'login', url: `${shop.origin}/account`, success });
      const { run, out } = await go(
        [
          login('first'),
          login('second'),
          { id: 'who', type: 'extract', fields: { hello: { selectors: ['#hello'], regex: 'Hello, \\w+' } } },
        ],
        {
          persona_id: persona.id,
        },
      );
      assert.equal(run.status, 'succeeded', JSON.stringify(run.failure));
      assert.deepEqual([out('first'), out('second'), out('who')], [{ reused: false }, { reused: true }, { hello: 'Hello, Ada' }]);
      assert.equal(shop.logins(), 1);
    }));

  test('a login that does not work fails the step, and the password that the page echoes is masked', () =>
    onShop(async (go, shop, { client }) => {
      const persona = await client.personas.create({ name: 'Eve', origins: [shop.origin], username: 'eve', password: 'not the right one' });
      const steps = [{ id: 'in', type: 'login', url: `${shop.origin}/login`, success: { page: { selectors: ['#hello'] }, op: 'exists' } }];
      const { run, results } = await go(steps, { persona_id: persona.id });
      assert.deepEqual([run.failure?.code, run.failure?.step_id, shop.logins()], ['assert', 'in', 0]);
      const page = results.files.find(({ name }) => name === 'in-failed.html');
      const text = await ((await client.files.content({ id: page?.id ?? '' })) as Response).text();
      assert.deepEqual([text.includes('Wrong password'), text.includes('not the right one')], [true, false]);
    }));
});

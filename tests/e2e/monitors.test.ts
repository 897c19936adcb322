// Monitors over HTTP, on a site whose pages change from check to check.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Check, Monitor } from '@weft/contract';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startVersionedSite } from '../sites/versions.ts';
import type { Version, VersionedSite } from '../sites/versions.ts';

type Page = Version | string | undefined;

/** One check: what the page is then, and what comes of it. */
interface Step {
  readonly page: Page;
  readonly verdict: Check['verdict'];
  /** Kinds of the changes that are told; none unless said. */
  readonly told?: readonly string[];
  /** Edits the monitor before the check. */
  readonly edit?: object;
  /** Milliseconds that pass before the check. */
  readonly passes?: number;
  readonly also?: (check: Check, monitor: Monitor) => void;
}

interface Case {
  readonly name: string;
  readonly monitor?: object;
  readonly steps: readonly Step[];
}

const html = (body: string) => `<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`;
const X = (text: string) => html(`<p class="x">${text}</p>`);
const ofX = (extractor: object = { type: 'text' }, more: object = {}) => ({
  selectors: [{ selector: '.x', extractors: [extractor], ...more }],
});
const price = (amount: number) => X(`$${amount}`);
const json = (body: string): Version => ({ body, type: 'application/json' });
const changed = (page: Page, ...told: readonly string[]): Step => ({
  page,
  verdict: 'changed',
  told: told.length > 0 ? told : ['changed'],
});
const first = (page: Page): Step => ({ page, verdict: 'first' });
const same = (page: Page): Step => ({ page, verdict: 'unchanged' });
const trouble = (page: Page, state: Check['state'], told: readonly string[] = []): Step => ({
  page,
  verdict: told.length > 0 ? 'changed' : 'trouble',
  told,
  also: (check) => assert.equal(check.state, state),
});

const CASES: readonly Case[] = [
  { name: 'T1 a page that changed is told once', steps: [first(html('<p>a</p>')), changed(html('<p>b</p>')), same(html('<p>b</p>'))] },
  {
    name: 'T2 the same bytes change nothing and end an error',
    steps: [first(html('a')), trouble({ body: '', status: 500 }, 'error'), same(html('a')), same(html('a'))],
  },
  {
    name: 'T3 an empty page is trouble, and what is known stays',
    steps: [first(html('<p>a</p>')), trouble(html(''), 'empty'), same(html('<p>a</p>'))],
  },
  {
    name: 'T4 an empty page is a change where that is asked for',
    monitor: { empty_is_change: true },
    steps: [first(html('<p>a</p>')), changed({ body: '' })],
  },
  {
    name: 'T5 what changes beside the selector counts for nothing',
    monitor: ofX(),
    steps: [first(X('a')), same(html('<i>new</i><p class="x">a</p>'))],
  },
  {
    name: 'T6 of two selectors the one that changed is named',
    monitor: { selectors: [{ selector: '.x' }, { selector: '.y', name: 'second' }] },
    steps: [
      first(html('<p class="x">a</p><p class="y">b</p>')),
      {
        ...changed(html('<p class="x">a</p><p class="y">c</p>')),
        also: ({ changes }, { selectors }) => assert.equal(changes[0]?.selector_id, selectors.find(({ name }) => name === 'second')?.id),
      },
    ],
  },
  {
    name: 'T7 what may be missing is told when it appears and when it goes',
    monitor: ofX({ type: 'text' }, { allow_missing: true }),
    steps: [first(html('<p>a</p>')), changed(html('<p>a</p><p class="x">b</p>'), 'appeared'), changed(html('<p>a</p>'), 'gone')],
  },
  {
    name: 'T8 what is gone is told once after three checks, and counts anew once it is back',
    monitor: ofX(),
    steps: [
      first(html('<h1>A</h1><p class="x">b</p>')),
      trouble(html('<h1>A</h1>'), 'missing'),
      trouble(html('<h1>A</h1>'), 'missing'),
      { page: html('<h1>A</h1>'), verdict: 'changed', told: ['gone'] },
      trouble(html('<h1>A</h1>'), 'missing'),
      changed(html('<h1>A</h1><p class="x">b</p>'), 'recovered'),
      trouble(html('<h1>A</h1>'), 'missing'),
    ],
  },
  {
    name: 'T9 a selector that holds a picture alone is no empty value',
    monitor: ofX(),
    steps: [first(X('a')), trouble(X('<img src="/a.png" alt="">'), 'missing')],
  },
  {
    name: 'T10 what is subtracted counts for nothing',
    monitor: { filter: { subtract: ['.ad'] } },
    steps: [first(html('a<p class="ad">1</p>')), same(html('a<p class="ad">2</p>'))],
  },
  {
    name: 'T13 a line that is ignored counts for nothing, another does',
    monitor: { filter: { ignore: [String.raw`/v\d+/`] } },
    steps: [first(html('<p>a</p><p>v1</p>')), same(html('<p>a</p><p>v2</p>')), changed(html('<p>b</p><p>v3</p>'))],
  },
  {
    name: 'T15 nothing is told until the word is there',
    monitor: { filter: { trigger: ['BUY'] } },
    steps: [
      first(html('a')),
      { page: html('b'), verdict: 'unchanged', also: ({ trace }) => assert.equal(gate(trace, 'conditions').outcome, 'stopped') },
      { ...changed(html('c BUY')), also: ({ changes }) => assert.equal(changes[0]?.old, 'a') },
    ],
  },
  {
    name: 'T16 nothing is told while the word is there',
    monitor: { filter: { block: ['sold out'] } },
    steps: [first(html('sold out')), same(html('still sold out')), changed(html('here'))],
  },
  {
    name: 'T17 only lines that went',
    monitor: { filter: { only: ['removed'] } },
    steps: [first(html('<p>a</p><p>b</p>')), changed(html('<p>a</p>')), same(html('<p>a</p><p>b</p>')), changed(html('<p>a</p>'))],
  },
  {
    name: 'T18 only lines that are new',
    monitor: { filter: { unique_lines: true } },
    steps: [first(html('<p>a</p><p>b</p>')), same(html('<p>b</p><p>a</p>')), changed(html('<p>b</p><p>c</p>')), same(html('<p>a</p>'))],
  },
  { name: 'T19 blanks are no change', steps: [first(html('a  b')), same(html('a&nbsp;b')), same(html('a<br>b'))] },
  {
    name: 'T20 addresses of links count where they are asked to',
    monitor: { filter: { links: true } },
    steps: [first(html('<a href="/1">a</a>')), changed(html('<a href="/2">a</a>'))],
  },
  { name: 'T20 and not otherwise', steps: [first(html('<a href="/1">a</a>')), same(html('<a href="/2">a</a>'))] },
  { name: 'T21 the order of members means nothing', steps: [first(json('{"a":1,"b":2}')), same(json('{"b":2,"a":1}'))] },
  {
    name: 'T22 a path gives a typed value',
    monitor: { selectors: [{ selector: 'jsonpath/$.p', extractors: [{ type: 'json', path: '$' }] }] },
    steps: [
      first(json('{"p":true}')),
      { ...changed(json('{"p":false}')), also: ({ changes }) => assert.deepEqual([changes[0]?.old, changes[0]?.new], [true, false]) },
    ],
  },
  {
    name: 'T23 what only says that it is JSON is told as that',
    steps: [first(json('{"a":1}')), trouble(json('{"a":'), 'error'), same(json('\ufeff{"a":1}'))],
  },
  {
    name: 'T26 a status that is no page is trouble',
    steps: [first(html('a')), trouble({ body: html('no'), status: 403 }, 'blocked'), same(html('a'))],
  },
  {
    name: 'T26 unless it is accepted',
    monitor: { accept_statuses: [403] },
    steps: [first(html('a')), changed({ body: html('no'), status: 403 })],
  },
  {
    name: 'T28 a rule that was edited is applied to the same bytes',
    monitor: ofX(),
    steps: [
      first(html('<p class="x">a 1</p>')),
      same(html('<p class="x">a 1</p>')),
      { ...changed(html('<p class="x">a 1</p>')), edit: { filter: { ignore: ['/1/'] } } },
    ],
  },
  {
    name: 'T28 also where the site says that nothing has changed',
    monitor: ofX(),
    steps: [
      first({ body: X('a 1'), etag: '"1"' }),
      same({ body: X('a 1'), etag: '"1"' }),
      { ...changed({ body: X('a 1'), etag: '"1"' }), edit: { filter: { ignore: ['/1/'] } } },
    ],
  },
  {
    name: 'a selector that finds another number than before says so, and not that it finds nothing',
    monitor: ofX(),
    steps: [
      first(X('a')),
      {
        ...trouble(`${X('a')}${X('b')}`, 'missing'),
        also: ({ trace }) => assert.match(gate(trace, 'match').reasons.join(' '), /: It finds 2, and found 1 before: /),
      },
    ],
  },
  {
    name: 'T29 conditions decide together, each with its reason',
    monitor: {
      ...ofX({ type: 'text', name: 'n' }),
      when: {
        all: [
          { value: '{{values.n}}', op: 'ge', with: 100 },
          { value: '{{values.n}}', op: 'contains', with: '5' },
        ],
      },
    },
    steps: [
      first(X('1')),
      {
        page: X('50'),
        verdict: 'unchanged',
        also: ({ trace }) => assert.match(gate(trace, 'conditions').reasons.join(' '), /"50" ge "100": does not hold/),
      },
      changed(X('150')),
      same(X('abc')),
    ],
  },
  {
    name: 'T32 what comes back to a known value is not told again',
    monitor: { ...ofX(), known_states: 3 },
    steps: [
      first(X('a')),
      changed(X('b')),
      same(X('a')),
      { page: X('b'), verdict: 'unchanged', also: ({ flapping }) => assert.equal(flapping, true) },
    ],
  },
  {
    name: 'T32 what goes back and forth is never confirmed',
    monitor: { ...ofX(), confirm: { times: 2 } },
    steps: [
      first(X('a')),
      pending(X('b')),
      same(X('a')),
      pending(X('b')),
      { page: X('a'), verdict: 'unchanged', also: ({ flapping }) => assert.equal(flapping, true) },
    ],
  },
  {
    name: 'T33 what one check alone saw is not told',
    monitor: { ...ofX(), confirm: { times: 2 } },
    steps: [
      first(X('a')),
      pending(X('b')),
      {
        page: X('a'),
        verdict: 'unchanged',
        also: ({ values }) => assert.match(values[0]?.reasons.join(' ') ?? '', /nothing was confirmed/),
      },
      pending(X('c')),
      changed(X('c')),
    ],
  },
  {
    name: 'D36 what has to hold for a time is told after it',
    monitor: { ...ofX(), confirm: { hold: 600 } },
    steps: [first(X('a')), pending(X('b')), { ...pending(X('b')), passes: 300_000 }, { ...changed(X('b')), passes: 300_000 }],
  },
  {
    name: 'T34 a page that has not changed costs no body',
    steps: [
      first({ body: html('a'), etag: '"1"' }),
      { page: { body: html('a'), etag: '"1"' }, verdict: 'unchanged', also: ({ page }) => assert.equal(page?.from_cache, true) },
    ],
  },
  {
    name: 'T35 against the baseline it differs as long as it does, and is told once',
    monitor: ofX(),
    steps: [
      first(X('a')),
      { ...changed(X('b')), also: differs(true) },
      { ...same(X('b')), also: differs(true) },
      { ...same(X('a b'.slice(2))), also: differs(true) },
      { ...changed(X('a')), also: differs(false) },
    ],
  },
  {
    name: 'R20 with a band only what lies outside is told',
    monitor: ofX({ type: 'price', alert: { min: 900, max: 1100.1 } }),
    steps: [
      first(price(950.95)),
      same(price(1000.45)),
      changed(price(890.45), 'price'),
      changed(price(820.45), 'price'),
      changed(price(1890.45), 'price'),
    ],
  },
  {
    name: 'R21 a percentage is against the price before',
    monitor: ofX({ type: 'price', alert: { percent: 5 } }),
    steps: [first(price(950.95)), same(price(960.45)), changed(price(1960.45), 'price'), same(price(1950.45))],
  },
  {
    name: 'R22 against the baseline small steps add up',
    monitor: ofX({ type: 'price', alert: { percent: 5, against: 'baseline' } }),
    steps: [
      first(price(1950)),
      same(price(2000)),
      { ...changed(price(2050), 'price'), also: ({ changes }) => assert.equal(changes[0]?.percent?.toFixed(2), '5.13') },
    ],
  },
  {
    name: 'R23 the last other price stays where the price does',
    monitor: ofX({ type: 'price' }),
    steps: [
      first(price(100)),
      { ...changed(price(82), 'price'), also: ({ changes }) => assert.equal(changes[0]?.percent, -18) },
      { ...changed(price(90), 'price'), also: ({ changes }) => assert.equal(changes[0]?.percent?.toFixed(1), '9.8') },
      {
        page: html('<i>more</i><p class="x">$90</p>'),
        verdict: 'unchanged',
        also: ({ values }) => assert.equal(memberOf(values[0]?.previous, 'amount_minor'), 8200),
      },
    ],
  },
  {
    name: 'R15 only what can be bought again is told, and every state is kept',
    monitor: ofX({ type: 'availability', alert: { in_stock_only: true } }),
    steps: [
      first(X('Out of stock')),
      changed(X('In stock'), 'availability'),
      {
        page: X('Out of stock'),
        verdict: 'unchanged',
        also: ({ values }) => assert.equal(memberOf(values[0]?.value, 'state'), 'out_of_stock'),
      },
    ],
  },
];

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function pending(page: Page): Step {
  return { page, verdict: 'pending' };
}

function differs(expected: boolean): NonNullable<Step['also']> {
  return ({ differs_from_baseline: is }) => assert.equal(is, expected);
}

function gate(trace: Check['trace'], name: string): Check['trace'][number] {
  const found = trace.find((one) => one.gate === name);
  assert.ok(found);
  return found;
}

describe('what checks tell', () => {
  let agent: TestAgent;
  let site: VersionedSite;
  before(async () => {
    [agent, site] = await Promise.all([startTestAgent(), startVersionedSite()]);
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  for (const [i, { name, monitor: more = {}, steps }] of CASES.entries())
    test(name, async () => {
      const path = `/${i}`;
      const { id } = (await call('POST', '/v1/monitors', { url: `${site.origin}${path}`, active: false, ...more })) as Monitor;
      const seen: number[] = [];
      for (const [at, step] of steps.entries()) {
        site.set(path, step.page);
        if (step.passes !== undefined) agent.clock.advance(step.passes);
        if (step.edit) await call('PATCH', `/v1/monitors/${id}`, step.edit);
        const run = (await call('POST', `/v1/monitors/${id}/run?wait=true`)) as { id: number; status: string };
        const { output } = (await call('GET', `/v1/runs/${run.id}/results`)) as { output: Check };
        const where = `check ${at + 1}: ${JSON.stringify(output.trace)}`;
        assert.equal(output.verdict, step.verdict, where);
        assert.deepEqual(
          output.changes.map(({ kind }) => kind),
          step.told ?? [],
          where,
        );
        assert.equal(run.status, output.failure === undefined ? 'succeeded' : 'failed');
        const monitor = (await call('GET', `/v1/monitors/${id}`)) as Monitor;
        assert.equal(monitor.checks, at + 1);
        step.also?.(output, monitor);
        seen.push(...output.changes.map((change) => change.id));
      }
      const kept = (await call('GET', `/v1/monitors/${id}/changes`)) as { data: readonly { id: number }[] };
      assert.deepEqual(
        kept.data.map((change) => change.id),
        seen.toReversed(),
      );
    });

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${agent.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${agent.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    assert.ok(response.status < 300, JSON.stringify(answer));
    return answer;
  }
});

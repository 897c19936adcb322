import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { Change, Run, Trigger } from '@weft/contract';
import type { CheckCause, RunCause } from './cause.ts';
import { topicOf, topicsOf } from './cause.ts';
import { hear, isMet } from './hear.ts';
import type { Listener } from './hear.ts';
import { DEPTH_MAX, admitRun } from './mode.ts';
import { plainValue } from './reading.ts';

const listener = (trigger: Trigger, more: Partial<Listener> = {}): Listener => ({
  id: 1,
  automationId: 1,
  place: 0,
  trigger,
  met: undefined,
  ...more,
});
const change = (kind: Change['kind']): Change => ({
  id: 1,
  monitor_id: 1,
  monitor_name: 'Lamp',
  kind,
  summary: `It is ${kind}.`,
  run_id: 3,
  created_at: '2026-01-01T00:00:00.000Z',
});
const check = (
  values: CheckCause['current']['values'],
  kinds: readonly Change['kind'][] = [],
  state: CheckCause['current']['state'] = 'ok',
): CheckCause => ({
  kind: 'check',
  monitor: { id: 1, name: 'Lamp', tags: ['shelf'] },
  runId: 3,
  current: { state, values },
  changes: kinds.map(change),
});
const ended = (status: Run['status'], kind = 'workflow'): RunCause => ({
  kind: 'run',
  run: { id: 4, status, source: { kind, id: 2, name: 'W' } },
});
const below: Trigger = { type: 'value', monitor_id: 1, name: 'price', below: 100 };

suite('what sets an automation off', () => {
  for (const [trigger, cause, isSetOff] of [
    [{ type: 'change', monitor_id: 1 }, check({}, ['price']), true],
    [{ type: 'change', monitor_id: 1 }, check({}), false],
    [{ type: 'change', tag: 'shelf', kinds: ['gone'] }, check({}, ['price']), false],
    [{ type: 'change', tag: 'shelf', kinds: ['gone'] }, check({}, ['price', 'gone']), true],
    [{ type: 'error', monitor_id: 1 }, check({}, ['price']), false],
    [{ type: 'error', monitor_id: 1 }, check({}, ['blocked']), true],
    [{ type: 'error', workflow_id: 2 }, ended('failed'), true],
    [{ type: 'error', workflow_id: 2 }, ended('cancelled'), false],
    [{ type: 'run_finished', workflow_id: 2 }, ended('cancelled'), true],
    [{ type: 'run_finished', workflow_id: 2, status: ['failed'] }, ended('succeeded'), false],
    [{ type: 'run_finished', ref: '2' }, ended('succeeded', 'crawl_definition'), true],
    [{ type: 'waits_human' }, ended('waiting_human'), true],
    [{ type: 'waits_human', workflow_id: 2 }, ended('waiting_human'), true],
    [{ type: 'held', monitor_id: 1, state: 'ok', seconds: 5 }, check({}), false],
  ] as const satisfies readonly (readonly [Trigger, CheckCause | RunCause, boolean])[])
    test(`${JSON.stringify(trigger)} by ${JSON.stringify(cause.kind === 'run' ? cause.run.status : cause.changes.map(({ kind }) => kind))}: ${isSetOff}`, () => {
      assert.equal(hear(cause, [listener(trigger)]).firings.length === 1, isSetOff);
      const topic = topicOf(trigger);
      assert.ok(topic !== undefined && topicsOf(cause).includes(topic), 'and it is found by what it listens for');
    });

  test('of one automation the first trigger that fits counts, and each knows what it saw', () => {
    const listeners = [
      listener(below, { id: 2, place: 1, met: false }),
      listener({ type: 'change', monitor_id: 1 }, { id: 1, place: 0 }),
      listener(below, { id: 3, automationId: 2, met: true }),
    ];
    const { firings, marks } = hear(check({ price: 90 }, ['price']), listeners);
    assert.deepEqual(
      firings.map(({ automationId, data }) => [automationId, data.type]),
      [[1, 'change']],
    );
    assert.deepEqual(
      marks.map(({ listener: { id }, met }) => [id, met]),
      [[2, true]],
    );
  });

  test('over any course of values, a limit is crossed as often as a value below it follows one that is not', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 90, max: 110 })), { maxLength: 30 }), (course) => {
        let met: boolean | undefined;
        let crossed = 0;
        for (const price of course) {
          const { firings, marks } = hear(check(price === null ? {} : { price }), [listener(below, { met })]);
          crossed += firings.length;
          met = marks[0]?.met ?? met;
        }
        const known = course.filter((price) => price !== null);
        assert.equal(crossed, known.filter((price, i) => price < 100 && (known[i - 1] ?? 0) >= 100).length);
      }),
    );
  });

  for (const [more, value, met] of [
    [{ is: 'in_stock' }, 'in_stock', true],
    [{ is: 'in_stock' }, 'out_of_stock', false],
    [{ above: 1, below: 3 }, 2, true],
    [{ above: 1, below: 3 }, 3, false],
    [{ above: 1 }, '2', true],
    [{ above: 1 }, 'many', false],
    [{ above: 1 }, undefined, undefined],
  ] as const)
    test(`${JSON.stringify(value)} that should be ${JSON.stringify(more)}: ${met}`, () => {
      const reading = { state: 'ok', values: value === undefined ? {} : { v: value } } as const;
      assert.equal(isMet({ type: 'held', monitor_id: 1, name: 'v', seconds: 5, ...more }, reading), met);
    });

  test('prices are numbers of their currency, stock is its state', () => {
    const values = [{ amount_minor: 1250, currency: 'EUR' }, { amount_minor: 1250, currency: 'JPY' }, { state: 'in_stock' }, 3, ['a']];
    assert.deepEqual(values.map(plainValue), [12.5, 1250, 'in_stock', 3, ['a']]);
  });
});

suite('modes', () => {
  for (const [mode, live, kind] of [
    ['single', [], 'begin'],
    ['single', [7], 'refuse'],
    ['restart', [7], 'restart'],
    ['queued', [7], 'begin'],
    ['queued', [7, 8, 9], 'refuse'],
    ['parallel', [7, 8], 'begin'],
    ['parallel', [7, 8, 9], 'refuse'],
  ] as const)
    test(`${mode} with ${live.length} live runs: ${kind}`, () => assert.equal(admitRun({ mode, max: 3, live, depth: 1 }).kind, kind));

  test('the fifth that others led to acts, the sixth does not', () => {
    const kinds = [DEPTH_MAX, DEPTH_MAX + 1].map((depth) => admitRun({ mode: 'parallel', max: 3, live: [], depth }).kind);
    assert.deepEqual(kinds, ['begin', 'refuse']);
  });
});

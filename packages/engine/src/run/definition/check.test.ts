import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { NewWorkflow } from '@weft/contract';
import { checkWorkflow } from './check.ts';

type Json = readonly Readonly<Record<string, unknown>>[];
const check = (steps: Json, more: object = {}) =>
  checkWorkflow({ steps, ...more } as unknown as NewWorkflow).map(({ path, message }) => `${path} ${message}`);
const open = { id: 'open', type: 'navigate', url: 'https://x.test/' };
const wait = (id: string, more: object = {}) => ({ id, type: 'setVar', name: 'x', value: 1, ...more });

suite('what is wrong with a workflow', () => {
  test('nothing, where nothing is', () =>
    assert.deepEqual(
      check(
        [
          { ...open, url: 'https://x.test/?q={{inputs.q}}', save_as: 'page' },
          {
            id: 'each',
            type: 'forEach',
            items: '{{steps.open.out}}',
            as: 'row',
            body: [wait('x', { value: '{{row.title}} {{index}} {{vars.page}}' })],
          },
          { id: 'send', type: 'request', method: 'POST', url: 'https://x.test/', headers: { authorization: 'Bearer {{secret:KEY}}' } },
        ],
        { inputs: { type: 'object', properties: { q: { type: 'string' } } }, output: '{{steps.x.out}}' },
      ),
      [],
    ));

  for (const [steps, more, fault] of [
    [[open, open], {}, /^steps\.1\.id "open" stands twice$/],
    [[{ ...open, url: '{{inputs.q}}' }], {}, /^steps\.0\.url refers to the input "q"; there is none$/],
    [[{ ...open, url: '{{steps.later.out}}' }, wait('later')], {}, /^steps\.0\.url refers to step "later", and no step before it/],
    [[wait('x', { value: '{{item}}' })], {}, /refers to "item"; there are inputs, vars, steps$/],
    [[wait('x', { value: '{{vars.y}}' })], {}, /refers to the variable "y"; there are x$/],
    [[{ ...open, url: 'https://x.test/?k={{secret:K}}' }], {}, /^steps\.0\.url names a secret/],
    [[wait('x', { value: { deep: ['{{persona.password}}'] } })], {}, /^steps\.0\.value\.deep\.0 names a secret/],
    [[{ ...open, url: '{{' }], {}, /^steps\.0\.url opens {{ without/],
    [[wait('x', { on_error: 'goto:y' })], {}, /^steps\.0\.on_error goes to "y", and no step beside it/],
    [[{ id: 'c', type: 'click', selectors: ['div['] }], {}, /^steps\.0\.selectors is wrong: The selector `div\[`/],
    [[{ id: 'e', type: 'extract', fields: { a: { regex: '(?=x)' } } }], {}, /^steps\.0\.fields\.a\.regex is wrong/],
    [[{ id: 'e', type: 'extractList', path: '$[' }], {}, /^steps\.0\.path is wrong/],
    [[{ id: 'c', type: 'click', selectors: ['a'] }], { lane: 'http' }, /^lane can't be http: step c does not go there$/],
    [[{ id: 'r', type: 'request', url: 'https://x.test/', body: 'x' }], {}, /is a GET request, which has no body$/],
    [[{ id: 'r', type: 'request', method: 'POST', url: 'https://x.test/', body: 'x', json: 1 }], {}, /more than one of "body"/],
    [[{ id: 'd', type: 'download' }], {}, /needs either "url" or "selectors"$/],
    [[{ id: 'p', type: 'paginate', mode: 'cursor', body: [] }], {}, /goes by cursor and needs "param"$/],
    [[{ id: 'c', type: 'click', selectors: ['a'], offset_x: 1 }], {}, /one of "offset_x" and "offset_y"/],
    [[wait('x', { when: { value: 1, op: 'exists', with: 1 } })], {}, /^steps\.0\.when exists takes no "with"$/],
    [[wait('x', { when: { all: [{ op: 'eq', with: 1 }] } })], {}, /^steps\.0\.when\.all\.0 compares either "value" or "page"$/],
    [[open], { inputs: { type: 'object', properties: { Q: {} } } }, /^inputs\.properties\.Q must be called by an identifier/],
    [[open], { inputs: { type: 'object', colour: 'red' } }, /^inputs is no schema/],
    [[open], { output: '{{steps.gone.out}}' }, /^output refers to step "gone"/],
    [
      [{ id: 'i', type: 'if', branches: [{ when: { value: 1, op: 'eq', with: 1 }, body: [{ ...open, url: '{{x}}' }] }] }],
      {},
      /^steps\.0\.branches\.0\.body\.0\.url refers to "x"/,
    ],
  ] as const)
    test(`says ${String(fault)}`, () => {
      const faults = check(steps, more);
      assert.equal(faults.length, steps.length === 2 && steps[0] === steps[1] ? 1 : faults.length);
      assert.match(faults[0] ?? 'nothing', fault);
    });

  test('all of it, in the order of its parts', () =>
    assert.deepEqual(
      check([
        { ...open, url: '{{a}}' },
        { ...open, id: 'two', url: '{{b}}' },
      ]).length,
      2,
    ));
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Step } from '@weft/contract';
import { goesByHttp, needsOf } from './needs.ts';

const open: Step = { id: 'open', type: 'navigate', url: 'https://shop.example/{{inputs.q}}' };
const shot: Step = { id: 'shot', type: 'screenshot' };
const always = { value: 1, op: 'exists' as const };

suite('what a workflow needs', () => {
  const cases: readonly (readonly [what: string, definition: Parameters<typeof needsOf>[0], needs: readonly string[]])[] = [
    ['public pages', { steps: [open] }, []],
    ['a persona', { persona_id: 1, steps: [open] }, ['persona persona_id']],
    [
      'a login',
      { steps: [{ id: 'in', type: 'login', url: 'https://a.example', success: always }] },
      ['persona steps.0', 'session steps.0'],
    ],
    [
      'a secret in a header',
      { steps: [{ ...open, id: 'ask', type: 'request', headers: { a: 'Bearer {{secret:key}}' } }] },
      ['secret steps.0.headers.a'],
    ],
    [
      'a secret in a body of text',
      { steps: [{ ...open, id: 'ask', type: 'request', method: 'POST', body: '{{secret:key}}' }] },
      ['secret steps.0.body'],
    ],
    [
      'a member of JSON with the name of another member',
      { steps: [{ ...open, id: 'ask', type: 'request', method: 'POST', json: { key: '{{secret:key}}' } }] },
      ['secret steps.0.json.key'],
    ],
    [
      'a step in a branch, and in what is done else',
      {
        steps: [
          {
            id: 'if',
            type: 'if',
            branches: [
              { when: always, body: [open] },
              { when: always, body: [shot] },
            ],
            else: [{ ...shot, id: 'other' }],
          },
        ],
      },
      ['file steps.0.branches.1.body.0', 'file steps.0.else.0'],
    ],
    [
      'a step in a loop at the end',
      {
        steps: [open],
        finally: [
          { id: 'each', type: 'forEach', items: [1], body: [{ id: 'wait', type: 'pause', reason: 'approval', instructions: 'Look' }] },
        ],
      },
      ['pause finally.0.body.0'],
    ],
    ['another workflow', { steps: [{ id: 'call', type: 'call', workflow: 'other' }] }, ['call steps.0']],
    ['a value of a persona in its output', { steps: [open], output: { who: '{{persona.username}}' } }, ['persona output.who']],
    ['a script that looks like a template', { steps: [{ id: 'run', type: 'script', source: '() => { if (a) {{ b } }' }] }, []],
  ];
  for (const [what, definition, needs] of cases)
    test(what, () =>
      assert.deepEqual(
        needsOf(definition).map(({ kind, path }) => `${kind} ${path}`),
        needs,
      ),
    );

  test('a run begins without a browser where every step can go by HTTP', () => {
    assert.equal(goesByHttp({ steps: [open] }), true);
    assert.equal(goesByHttp({ steps: [open], lane: 'browser' }), false);
    assert.equal(goesByHttp({ steps: [open], finally: [shot] }), false);
  });
});

// Where logins end, one case a line.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Step } from '@weft/contract';
import { loginEndOf } from './login-end.ts';

const shown = { page: { selectors: ['p'] }, op: 'exists' };
const login = { id: 'in', type: 'login', url: 'https://a.test', success: shown };
const send = { id: 'send', type: 'change', selectors: ['i'], value: '{{ persona.password }}' };
const code = { id: 'code', type: 'otp', selectors: ['i'] };
const proof = { id: 'proof', type: 'waitForElement', selectors: ['p'] };
const go = { id: 'go', type: 'click', selectors: ['b'] };
const led = { ...go, id: 'led', asserted_events: [{ type: 'navigation', url: '/in' }] };
const perhaps = (...body: object[]) => ({ id: 'if', type: 'if', branches: [{ when: shown, body }] });

const CASES: readonly (readonly [steps: readonly object[], until: string | undefined, kept: number])[] = [
  [[login, go], 'in', 1],
  [[login, go, { ...login, id: 'again' }, go], 'again', 3],
  [[send, code, go, proof, go], 'proof', 4],
  [[send, led, proof], 'led', 2],
  [[go, perhaps(send, go, proof), go], 'proof', 2],
  [[go, perhaps(send, go), proof, go], 'proof', 3],
  [[perhaps(perhaps(login)), go], 'in', 1],
  [[proof, send, go], undefined, 0],
  [[go, proof], undefined, 0],
];

suite('the end of a login', () => {
  for (const [steps, until, kept] of CASES)
    test(`${steps.map((step) => ('id' in step ? String(step.id) : '')).join(', ')}: ${until ?? 'none'}`, () => {
      const end = loginEndOf(steps as unknown as readonly Step[]);
      assert.deepEqual([end?.until, end?.steps.length ?? 0], [until, kept]);
    });
});

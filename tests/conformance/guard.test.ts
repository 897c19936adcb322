// Requests that a web page or another program could send to the loopback port. The numbers are those of our list of attacks.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { RawAnswer } from '../raw-request.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { OWN, TOKEN, guardCases, sendCase } from './guard-cases.ts';

const CASES = guardCases({ read: '/v1/agent', write: '/v1/keys' });

suite('guard', () => {
  let agent: TestAgent;
  before(async () => {
    agent = await startTestAgent();
  });
  after(() => agent[Symbol.asyncDispose]());

  for (const guardCase of CASES)
    test(guardCase.name, async () => {
      const answer = await sendCase(guarded(agent), guardCase);
      const expected = typeof guardCase.status === 'number' ? [guardCase.status] : guardCase.status;
      assert.ok(expected.includes(answer.status), `answered ${answer.status}: ${answer.body}`);
      if (answer.status === 403) assertRefusal(answer);
      assert.equal((await agent.client.keys.list()).count, 0, 'nothing was created');
    });

  test('A15 an answer can neither be sniffed as a script nor be read by another origin', async () => {
    const answer = await sendCase(guarded(agent), { name: '', headers: [OWN, TOKEN], status: 200 });
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
    assert.match(answer.headers['content-security-policy'] ?? '', /sandbox/);
  });

  test('the process is alive after all of them', async () => assert.equal((await agent.client.agent.status()).name, 'weft'));
});

const guarded = ({ port, token }: TestAgent) => ({ port, token, host: `127.0.0.1:${port}` });

/** The same body for every refusal, before authentication, and never a CORS header. */
function assertRefusal(answer: RawAnswer): void {
  assert.equal((JSON.parse(answer.body) as { code: string }).code, 'forbidden');
  assert.match(answer.body, /127\.0\.0\.1/);
  assert.deepEqual(
    Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
    [],
  );
}

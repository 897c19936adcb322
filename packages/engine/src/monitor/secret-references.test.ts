import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfSecrets, fillIn, secretsNamedIn } from './secret-references.ts';

const ORIGIN = 'https://shop.example';
const secretFor = (key: string, origin: string) => `${key} for ${origin}`;

test('each reference is put in, in headers and in the body, and everything else stays as it is', () => {
  const body = new TextEncoder().encode('{"key":"{{ secret : a.b-c_1 }}","other":"{{x}} {{persona.password}} ü"}');
  const { request, secrets } = fillIn({ headers: { 'x-key': 'k {{secret:one}}{{secret:two}}', accept: '*/*' }, body }, ORIGIN, secretFor);
  assert.deepEqual(request.headers, { 'x-key': `k one for ${ORIGIN}two for ${ORIGIN}`, accept: '*/*' });
  assert.equal(new TextDecoder().decode(request.body), `{"key":"a.b-c_1 for ${ORIGIN}","other":"{{x}} {{persona.password}} ü"}`);
  assert.deepEqual(
    secrets,
    ['one', 'two', 'a.b-c_1'].map((key) => `${key} for ${ORIGIN}`),
  );
});

test('a secret follows no redirect to another origin; what holds none goes where it is led', async () => {
  const { beforeRedirect } = fillIn({ headers: { a: '{{secret:one}}' } }, ORIGIN, secretFor).request;
  assert.ok(beforeRedirect);
  await beforeRedirect(`${ORIGIN}/next`, 302, 'public');
  for (const url of ['http://shop.example/', 'https://shop.example:444/', 'https://other.example/', 'nowhere'])
    await assert.rejects(beforeRedirect(url, 302, 'public'), { code: 'address', message: /for https:\/\/shop\.example alone/ });
  assert.equal(fillIn({ headers: { a: 'plain' } }, ORIGIN, secretFor).request.beforeRedirect, undefined);
});

test('a reference that would be sent as it is has a fault', () => {
  for (const text of ['', 'plain', '{{secret:k}}', '{{ secret : k }} and {{x}}', '{{secretive}}'])
    assert.equal(faultOfSecrets(text), undefined, text);
  for (const text of ['{{secret}}', '{{secret:}}', '{{secret:a b}}', '{{secret:k}', '{{secret:k | upcase}}', '{{secret:k}} {{ secret.k }}'])
    assert.match(faultOfSecrets(text) ?? '', /write \{\{secret:KEY\}\}/, text);
  assert.deepEqual(secretsNamedIn('{{secret:a}} {{b}} {{ secret:c }}'), ['a', 'c']);
});

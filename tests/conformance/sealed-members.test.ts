// What goes into the vault is quoted by no refusal: not by one of a schema, nor by one of the JSON parser.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { KernelCall } from './kernel.ts';
import { startKernelAgent } from './kernel.ts';
import { patch, post } from './ways.ts';

const CANARY = 'zK4"wQ9&xT7vB2';
/** Longer than any value may be, and it begins like one. */
const ENDLESS = CANARY.repeat(10_000);
const SLACK = { kind: 'slack' };
const WITH_PASSWORD = `https://me:${encodeURIComponent(CANARY)}@slack.test/x`;

const REFUSED: Readonly<Record<string, KernelCall>> = {
  'a value that is too long': post('/v1/secrets', { key: 'api', value: ENDLESS }),
  'a value in a list': post('/v1/secrets', { key: 'api', value: [CANARY] }),
  'a password that is too long': post('/v1/personas', { name: 'shop', password: ENDLESS }),
  'a field that is too long': post('/v1/personas', { name: 'shop', fields: { pin: ENDLESS } }),
  'a field of a bad name': post('/v1/personas', { name: 'shop', fields: { 'The PIN': CANARY } }),
  'a seed that is none': post('/v1/personas', { name: 'shop', totp_seed: CANARY }),
  'a change that is too long': patch('/v1/personas/1', { password: ENDLESS }),
  'a password of a channel that is too long': post('/x/notices/channels', { name: 'm', to: SLACK, secrets: { password: ENDLESS } }),
  'a signing secret that is none': post('/x/notices/channels', { name: 'm', to: SLACK, secrets: { secret: CANARY } }),
  'an address of a channel that is none': post('/x/notices/channels', { name: 'm', to: SLACK, secrets: { url: CANARY } }),
  'an address of a channel with a password': post('/x/notices/channels', { name: 'm', to: SLACK, secrets: { url: WITH_PASSWORD } }),
  'a value that its channel has no use for': post('/x/notices/channels', { name: 'm', to: SLACK, secrets: { token: CANARY } }),
  'a passphrase that is too short': post('/v1/vault/unlock', { new_passphrase: CANARY.slice(0, 7) }),
  'a passphrase that is too long': post('/v1/vault/unlock', { passphrase: ENDLESS }),
  'a code that is too long': post('/v1/personas/validate-totp', { totp_seed: 'JBSWY3DPEHPK3PXP', code: CANARY.repeat(2) }),
  'a header that can stand in no request': post('/v1/crawl', { url: 'http://a.test/', send: { headers: { 'x-key': `${CANARY}\n` } } }),
  'a header of a bad name': post('/v1/crawl', { url: 'http://a.test/', send: { headers: { 'x key': CANARY } } }),
  "a header that is not the caller's": post('/x/extract', { url: 'http://a.test/', css: 'a', send: { headers: { Host: CANARY } } }),
  'a header that is too long': post('/x/extract', { url: 'http://a.test/', css: 'a', send: { headers: { 'x-key': ENDLESS } } }),
  'a cookie that is too long': post('/v1/crawl', { url: 'http://a.test/', send: { cookies: [{ name: 'a', value: ENDLESS }] } }),
  'a body for many pages': post('/v1/crawl', { url: 'http://a.test/', send: { body: CANARY } }),
  'a body that ends too early': post('/v1/secrets', `{"key": "api", "value": "${CANARY.replace('"', '')}`),
  'a body with a quote too many': post('/v1/secrets', `{"key": "api", "value": "${CANARY}"}`),
  'a body with a comma too many': post('/v1/secrets', `{"key": "api", "value": "${CANARY.replace('"', '')}",}`),
  'a body that is the value alone': post('/v1/secrets', CANARY.slice(4)),
};

suite('a refusal quotes nothing of a sealed member', () => {
  for (const [name, call] of Object.entries(REFUSED))
    test(name, async () => {
      await using agent = await startKernelAgent();
      const response = await agent.call({ ...call, token: agent.token });
      const text = await response.text();
      assert.equal(response.status, 400, text);
      for (const part of CANARY.split('"')) assert.ok(!text.includes(part.slice(0, 4)), text);
      for (const part of ['wQ9&', 'xT7v']) assert.ok(!text.includes(part), text);
    });
});

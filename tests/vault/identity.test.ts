// Secrets and personas as their users meet them: over the interface, and as what sends their values takes them.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Persona, Secret, TotpReport, VaultStatus } from '@weft/contract';
import { codeAt, readSeed } from './seeds.ts';
import { createHttpSessions } from '../../packages/daemon/src/workflows/session.ts';
import { createPersonas } from '../../packages/daemon/src/personas/persona.ts';
import { createProfiles } from '../../packages/daemon/src/personas/profile.ts';
import { createPersonaStore } from '../../packages/daemon/src/personas/store.ts';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { createSecrets } from '../../packages/daemon/src/secrets/secret.ts';
import { createSecretStore } from '../../packages/daemon/src/secrets/store.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { PASSPHRASE, openTestVault } from './vaults.ts';
import type { TestVault } from './vaults.ts';

const SITE = 'https://shop.test';
const SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

async function sent<Body>(agent: KernelAgent, method: string, target: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const answer = await agent.json(method, target, body);
  return { status: answer.status, body: answer.body as Body };
}

suite('secrets', () => {
  test('a new one is 201, its replacement 200, and no answer holds a value', async () => {
    await using agent = await startKernelAgent();
    const first = await sent<Secret>(agent, 'POST', '/v1/secrets', {
      key: 'api',
      value: 'hunter2',
      origins: ['https://B.test', `${SITE}/`],
    });
    assert.deepEqual([first.status, first.body.origins], [201, ['https://b.test', SITE]]);
    agent.clock.advance(1000);
    const second = await sent<Secret>(agent, 'POST', '/v1/secrets', { key: 'api', value: 'hunter3' });
    assert.deepEqual([second.status, second.body.origins, second.body.created_at], [200, first.body.origins, first.body.created_at]);
    assert.notEqual(second.body.updated_at, first.body.updated_at);
    const all = JSON.stringify([first, second, await agent.json('GET', '/v1/secrets'), await agent.json('GET', '/v1/secrets/api')]);
    assert.ok(!all.includes('hunter'));
  });

  for (const [origin, says] of [
    ['https://shop.test/path', /such as https:\/\/shop\.test/],
    ['https://*.shop.test', /exact origin/],
    ['shop.test', /exact origin/],
    ['https://alice@shop.test', /exact origin/],
    ['ftp://shop.test', /exact origin/],
    ['https://shop.test:443', /such as https:\/\/shop\.test/],
  ] as const)
    test(`are not bound to ${origin}`, async () => {
      await using agent = await startKernelAgent();
      const { status, body } = await sent<{ error: string }>(agent, 'POST', '/v1/secrets', { key: 'api', value: 'x', origins: [origin] });
      assert.equal(status, 400);
      assert.match(body.error, says);
    });

  test('while the vault is locked their names, origins and times are read, and nothing is written', async () => {
    await using agent = await startKernelAgent();
    await agent.json('POST', '/v1/secrets', { key: 'api', value: 'hunter2', origins: [SITE] });
    const open = await agent.json('GET', '/v1/secrets');
    await agent.json('POST', '/v1/vault/unlock', { new_passphrase: PASSPHRASE });
    await agent.json('POST', '/v1/vault/lock');
    assert.deepEqual(await agent.json('GET', '/v1/secrets'), open);
    for (const [method, target, body] of [
      ['POST', '/v1/secrets', { key: 'other', value: 'x' }],
      ['DELETE', '/v1/secrets/api', undefined],
      ['POST', '/v1/personas', { name: 'shop', password: 'x' }],
    ] as const)
      assert.equal((await agent.json(method, target, body)).status, 423, `${method} ${target}`);
    assert.deepEqual(await agent.json('GET', '/v1/secrets'), open);
  });

  test('go to the origins that they are bound to and to no other', async () => {
    await using kept = openTestVault();
    const secrets = createSecrets({ store: createSecretStore(kept.database), vault: kept.vault, clock: kept.clock });
    secrets.put({ key: 'api', value: 'hunter2', origins: [SITE] });
    secrets.put({ key: 'free', value: 'hunter2' });
    assert.equal(secrets.valueFor('api', SITE), 'hunter2');
    assert.equal(secrets.require('api').last_used_at, '2026-01-01T00:00:00.000Z');
    for (const origin of ['http://shop.test', 'https://shop.test:8443', 'https://www.shop.test', 'https://shop.test.evil.test', ''])
      assert.throws(() => secrets.valueFor('api', origin), { code: 'forbidden' }, origin);
    assert.throws(() => secrets.valueFor('free', SITE), /it is for no origin yet/);
    assert.throws(() => secrets.valueFor('none', SITE), { code: 'not_found' });
    kept.vault.lock();
    assert.throws(() => secrets.valueFor('api', SITE), { code: 'vault_locked' });
  });
});

suite('who may', () => {
  test('set a passphrase: the runtime token alone', async () => {
    await using agent = await startKernelAgent();
    const { token } = await agent.mint('read,run,admin');
    const body = { new_passphrase: PASSPHRASE };
    const refused = await agent.call({ method: 'POST', target: '/v1/vault/unlock', token, body });
    assert.equal(refused.status, 403, await refused.text());
    assert.equal((await agent.call({ method: 'POST', target: '/v1/vault/unlock', token })).status, 200);
    assert.equal((await sent<VaultStatus>(agent, 'GET', '/v1/vault/status')).body.passphrase, false);
    assert.equal((await agent.json('POST', '/v1/vault/unlock', body)).status, 200);
  });

  test('see the vault in the status of the agent once there is one', async () => {
    await using agent = await startKernelAgent();
    const vaultOf = async () => (await sent<{ vault?: object }>(agent, 'GET', '/v1/agent')).body.vault;
    assert.equal(await vaultOf(), undefined);
    await agent.json('POST', '/v1/secrets', { key: 'api', value: 'hunter2' });
    assert.deepEqual(await vaultOf(), { locked: false, passphrase: false, waiting: 0 });
  });
});

suite('personas', () => {
  const ALICE = {
    name: 'shop',
    origins: [SITE],
    username: 'alice@shop.test',
    password: 'hunter2',
    fields: { customer_number: '4711', pin: '0815' },
    totp_seed: SEED,
    locale: 'de-DE',
    proxy: 'office',
  };

  test('say what is set and never what it is', async () => {
    await using agent = await startKernelAgent();
    const { status, body } = await sent<Persona>(agent, 'POST', '/v1/personas', ALICE);
    assert.equal(status, 201);
    assert.deepEqual(body, {
      id: 1,
      name: 'shop',
      origins: [SITE],
      has_username: true,
      has_password: true,
      fields: ['customer_number', 'pin'],
      locale: 'de-DE',
      two_factor: 'totp',
      has_totp_seed: true,
      proxy: 'office',
      sessions: [],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    });
    const all = JSON.stringify([await agent.json('GET', '/v1/personas'), await agent.json('GET', '/v1/personas/1')]);
    for (const value of ['alice', 'hunter2', '4711', '0815', SEED]) assert.ok(!all.includes(value), value);
  });

  test('are changed by a merge patch: null takes out, what is not named stays', async () => {
    await using agent = await startKernelAgent();
    await agent.json('POST', '/v1/personas', ALICE);
    const change = async (patch: object) => (await sent<Persona>(agent, 'PATCH', '/v1/personas/1', patch)).body;
    assert.deepEqual((await change({ fields: { pin: null, hint: 'cat' } })).fields, ['customer_number', 'hint']);
    const stripped = await change({ username: null, totp_seed: null, locale: null, name: 'the shop' });
    assert.deepEqual(
      [stripped.name, stripped.has_username, stripped.has_password, stripped.has_totp_seed, stripped.two_factor, stripped.locale],
      ['the shop', false, true, false, 'none', undefined],
    );
    assert.deepEqual((await change({ fields: null })).fields, []);
    assert.equal((await agent.json('PATCH', '/v1/personas/1', { two_factor: 'totp' })).status, 400);
    assert.equal((await change({ two_factor: 'ask' })).two_factor, 'ask');
    assert.equal((await change({ totp_seed: SEED })).two_factor, 'ask', 'what was said stays');
    assert.equal((await agent.json('PATCH', '/v1/personas/1', { name: null })).status, 400);
  });

  test('lose their values and sessions with other origins, but for what is sent with them', async () => {
    await using agent = await startKernelAgent();
    await agent.json('POST', '/v1/personas', ALICE);
    const moved = await sent<Persona>(agent, 'PATCH', '/v1/personas/1', { origins: ['https://other.test'], password: 'again' });
    const { has_username, has_password, has_totp_seed, fields, two_factor } = moved.body;
    assert.deepEqual([has_username, has_password, has_totp_seed, fields, two_factor], [false, true, false, [], 'none']);
    const same = await sent<Persona>(agent, 'PATCH', '/v1/personas/1', { origins: ['https://OTHER.test/'] });
    assert.equal(same.body.has_password, true, 'the same origins written otherwise are no others');
  });

  test('are refused with a seed that is none, a language that is none, or totp without a seed', async () => {
    await using agent = await startKernelAgent();
    for (const wrong of [{ totp_seed: 'nonsense!' }, { locale: 'not a language' }, { two_factor: 'totp', totp_seed: undefined }])
      assert.equal((await agent.json('POST', '/v1/personas', { ...ALICE, ...wrong })).status, 400, JSON.stringify(wrong));
    assert.deepEqual((await sent<{ count: number }>(agent, 'GET', '/v1/personas')).body.count, 0);
    assert.equal((await sent<VaultStatus>(agent, 'GET', '/v1/vault/status')).body.values, 0, 'and nothing of them was kept');
  });

  test('take their live runs, values and sessions with them when they are deleted, and no id comes again', async () => {
    await using kept = openTestVault();
    const { personas, runs, profiles } = nounsOf(kept);
    const id = personas.create(ALICE);
    const run = runs.create(
      { kind: 'workflow', source_kind: 'workflow', source_id: 7, source_name: 'orders', owner_id: 'runtime', persona_id: id },
      () => null,
    );
    const other = runs.create(
      { kind: 'workflow', source_kind: 'workflow', source_id: 7, source_name: 'orders', owner_id: 'runtime' },
      () => null,
    );
    profiles.replace(id, 'browser', 0, { cookies: [], origins: [] }, { provenLoggedIn: true });
    assert.deepEqual(
      personas.runs(id, {}).data.map(({ row_id, persona_id }) => [row_id, persona_id]),
      [[run.id, id]],
    );
    assert.deepEqual(personas.delete(id), [run.id]);
    assert.deepEqual([runs.require(run.id).status, runs.require(other.id).status], ['cancelled', 'queued']);
    assert.equal(kept.vault.status().values, 0);
    assert.throws(() => personas.require(id), { code: 'not_found' });
    assert.equal(personas.create({ name: 'next' }), id + 1);
  });

  test('give their values to their origins alone', async () => {
    await using kept = openTestVault();
    const { personas } = nounsOf(kept);
    const id = personas.create(ALICE);
    assert.equal(personas.valueFor(id, 'username', SITE), 'alice@shop.test');
    assert.equal(personas.valueFor(id, 'customer_number', SITE), '4711');
    assert.equal(personas.valueFor(id, 'nothing', SITE), undefined);
    assert.equal(personas.valueFor(id, 'totp_seed', SITE), undefined, 'a seed is no value to send');
    assert.throws(() => personas.valueFor(id, 'username', 'https://evil.test'), { code: 'forbidden' });
    assert.throws(() => personas.spendCode(id, 'https://evil.test'), { code: 'forbidden' });
    kept.vault.lock();
    assert.throws(() => personas.valueFor(id, 'username', SITE), { code: 'vault_locked' });
  });

  test('give each TOTP code once, also after a start', async () => {
    await using kept = openTestVault();
    const id = nounsOf(kept).personas.create(ALICE);
    const codes = Array.from({ length: 4 }, () => nounsOf(kept).personas.spendCode(id, SITE));
    const [first] = codes;
    assert.deepEqual(
      codes.map(({ counter }) => counter - (first?.counter ?? 0)),
      [0, 1, 2, 3],
    );
    for (const { code, fromMs } of codes) assert.equal(code, codeAt(readSeed(SEED), fromMs));
  });
});

suite('a session of a persona', () => {
  const COOKIE = { name: 'sid', value: 'abc', domain: 'shop.test', path: '/', expires: -1, httpOnly: true, secure: true } as const;
  const STATE = {
    cookies: [{ ...COOKIE, sameSite: 'Lax' as const }],
    origins: [{ origin: SITE, localStorage: [{ name: 'a', value: 'b' }] }],
  };
  const PROOF = { provenLoggedIn: true } as const;

  test('is replaced by who read the newest one, and by nobody else', async () => {
    await using kept = openTestVault();
    const { personas, profiles } = nounsOf(kept);
    const id = personas.create({ name: 'shop', origins: [SITE] });
    assert.equal(profiles.read(id, 'browser'), undefined);
    assert.equal(profiles.replace(id, 'browser', 0, STATE, PROOF), true);
    assert.equal(profiles.replace(id, 'browser', 0, { ...STATE, cookies: [] }, PROOF), false);
    const read = profiles.read(id, 'browser');
    assert.deepEqual([read?.version, read?.state], [1, STATE]);
    assert.equal(profiles.replace(id, 'browser', 1, { ...STATE, cookies: [] }, PROOF), true);
    assert.equal(profiles.replace(id, 'browser', 1, STATE, PROOF), false);
    const newer = profiles.read(id, 'browser');
    assert.deepEqual([newer?.version, newer?.state], [2, { ...STATE, cookies: [] }]);
    assert.equal(profiles.read(id, 'other'), undefined);
    assert.deepEqual(
      personas.require(id).sessions.map(({ scope, version }) => [scope, version]),
      [['browser', 2]],
    );
    personas.update(id, { origins: ['https://other.test'] });
    assert.equal(profiles.read(id, 'browser'), undefined);
  });

  test('is not replaced without the proof of a login, nor for a persona that is gone', async () => {
    await using kept = openTestVault();
    const { personas, profiles } = nounsOf(kept);
    const id = personas.create({ name: 'shop', origins: [SITE] });
    // @ts-expect-error a run that did not prove itself logged in has nothing to hand in
    assert.equal(profiles.replace(id, 'browser', 0, STATE, { provenLoggedIn: false }), false);
    assert.equal(profiles.read(id, 'browser'), undefined);
    assert.throws(() => profiles.replace(id + 1, 'browser', 0, STATE, PROOF), { code: 'not_found' });
  });
});

suite('validate-totp', () => {
  test('says of which kind a seed is, how long its code lives, and whether a code is one of it', async () => {
    await using agent = await startKernelAgent();
    const nowMs = agent.clock.now();
    const ask = async (body: object) => (await sent<TotpReport>(agent, 'POST', '/v1/personas/validate-totp', body)).body;
    const address = `otpauth://totp/ACME:john?secret=${SEED}&issuer=ACME&digits=8&period=60&algorithm=SHA256`;
    assert.deepEqual(await ask({ totp_seed: address }), {
      valid: true,
      algorithm: 'SHA256',
      digits: 8,
      period: 60,
      issuer: 'ACME',
      account: 'john',
      seconds_left: 60,
    });
    for (const drift of [-1, 0, 1]) {
      const report = await ask({ totp_seed: SEED, code: codeAt(readSeed(SEED), nowMs + drift * 30_000) });
      assert.deepEqual([report.code_matches, report.code_drift], [true, drift]);
    }
    const far = await ask({ totp_seed: SEED, code: codeAt(readSeed(SEED), nowMs + 90_000) });
    assert.deepEqual([far.code_matches, far.code_drift], [false, undefined]);
  });

  test('says what is wrong with 200, and never the seed', async () => {
    await using agent = await startKernelAgent();
    for (const [totp_seed, reason] of [
      ['', 'empty'],
      ['GE', 'too_short'],
      ['A'.repeat(1_000_000), 'too_long'],
      [`${SEED}0`, 'not_base32'],
    ] as const) {
      const { status, body } = await sent<TotpReport>(agent, 'POST', '/v1/personas/validate-totp', { totp_seed });
      assert.deepEqual([status, body.valid, body.reason], [200, false, reason]);
      assert.ok(!JSON.stringify(body).includes(SEED.slice(0, 6)));
    }
  });
});

/** What acts as a persona, over one vault. */
function nounsOf({ vault, database, clock }: TestVault) {
  const store = createPersonaStore(database);
  const runs = createRuns({ store: createRunStore(database), notifier: createRunNotifier(), clock });
  const profiles = createProfiles({ store, vault, clock });
  const sessions = createHttpSessions({ vault, profiles, clock });
  return { runs, personas: createPersonas({ store, vault, runs, clock, profiles, sessions }), profiles };
}

// 55 values go into the vault; then every operation is called in every way that its tests know, and nothing that comes out or stays on the disk holds one of them (D34).
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { DAEMON_TABLE, EXTRA_TABLE, listOperations } from '@weft/contract';
import type { Persona, Ticket } from '@weft/contract';
import { REACH } from '../conformance/reach.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { twoPages } from '../conformance/ways.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { CanaryGrep } from './grep.ts';
import type { Sighting } from './grep.ts';

const SECRETS = 20;
const PERSONAS = 10;
const CHANNELS = 5;

/** No server listens there. */
const MAIL = { kind: 'smtp', host: '127.0.0.1', port: 9, security: 'none', username: 'me', from: 'a@b.test', to: ['c@d.test'] };

/** Characters that URLs, JSON and HTML escape stand between random ones, so that no eight bytes are those of another value. */
function canary(): string {
  const random = randomBytes(21).toString('base64url').match(/.{4}/g) ?? [];
  return random.map((four, i) => `${four}${'"<&ö/ \''.charAt(i)}`).join('');
}

interface Planted {
  readonly values: readonly string[];
  readonly grep: CanaryGrep;
}

/** How something is asked of an agent: as the kernel's or over a socket. */
type Ask = (method: string, target: string, body: unknown) => Promise<{ readonly status: number; readonly text: string }>;

/** Fifty-five values in all: twenty secrets, username, password and a field of ten personas, and the passwords of five channels. */
async function plant(ask: Ask): Promise<Planted> {
  const values: string[] = [];
  const value = () => {
    const made = canary();
    values.push(made);
    return made;
  };
  const keep = async (target: string, body: object) => assert.equal((await ask('POST', target, body)).status, 201);
  for (let i = 0; i < SECRETS; i++) await keep('/v1/secrets', { key: `canary_${i}`, value: value(), origins: ['https://site.test'] });
  for (let i = 0; i < PERSONAS; i++)
    await keep('/v1/personas', {
      name: `p${i}`,
      origins: ['https://site.test'],
      username: value(),
      password: value(),
      fields: { pin: value() },
    });
  for (let i = 0; i < CHANNELS; i++) await keep('/x/notices/channels', { name: `c${i}`, to: MAIL, secrets: { password: value() } });
  assert.equal(values.length, 55);
  return { values, grep: new CanaryGrep(values) };
}

/** A home that all of them are kept in, and that no agent runs on. */
async function plantHome(path: string): Promise<Planted> {
  await using agent = await startKernelAgent({ home: path });
  return await plant(askKernel(agent));
}

/** Sends each value where one is taken, with something wrong beside it; the refusals must quote none. */
async function misuse(ask: Ask, { values }: Planted): Promise<string> {
  const texts: string[] = [];
  for (const [i, value] of values.entries())
    for (const [method, target, body] of [
      ['POST', '/v1/secrets', { key: `canary_${i}`, value: value.repeat(3000) }],
      ['POST', '/v1/secrets', { key: `canary_${i}`, value, nonsense: true }],
      ['POST', '/v1/secrets', { key: 'not a key', value }],
      ['POST', '/v1/secrets', { key: `canary_${i}`, value, origins: ['nowhere'] }],
      ['POST', '/v1/personas', { name: 'x', password: [value] }],
      ['POST', '/v1/personas', { name: 'x', fields: { 'A Name': value } }],
      ['POST', '/v1/personas', { name: 'x', totp_seed: value }],
      ['PATCH', '/v1/personas/999', { password: value }],
      ['POST', '/v1/personas/validate-totp', { totp_seed: value, code: value.slice(0, 20) }],
      ['POST', '/v1/vault/unlock', { passphrase: value }],
    ] as const)
      texts.push((await ask(method, target, body)).text);
  for (const value of values.slice(-CHANNELS))
    for (const [method, target, body] of [
      ['POST', '/x/notices/channels', { name: 'x', to: MAIL, secrets: { password: value.repeat(100) } }],
      ['POST', '/x/notices/channels', { name: 'x', to: MAIL, secrets: { token: value } }],
      ['POST', '/x/notices/channels', { name: 'x', to: { kind: 'slack' }, secrets: { url: value } }],
      ['POST', '/x/notices/channels', { name: 'x', to: { kind: 'webhook', url: 'https://a.test/' }, secrets: { secret: value } }],
      ['PATCH', '/x/notices/channels/1', { to: { host: 'localhost' }, secrets: { url: value } }],
      ['POST', '/x/notices/channels/1/test', undefined],
    ] as const)
      texts.push((await ask(method, target, body)).text);
  return texts.join('\n');
}

function assertClean(sightings: readonly Sighting[], where: string): void {
  assert.deepEqual(
    sightings.map(({ form, value }) => `${form} of ${value}`),
    [],
    where,
  );
}

function assertFolderClean(folder: string, { grep }: Planted): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  for (const path of files) assertClean(grep.search(readFileSync(path)), path);
  return files.length;
}

suite('the search itself', () => {
  const value = canary();
  const grep = new CanaryGrep([value]);
  const bytes = Buffer.from(value);
  for (const [form, text] of [
    ['raw', `x${value}y`],
    ['a piece of eight', value.slice(3, 11)],
    ['base64', Buffer.from(`user:${value}`).toString('base64')],
    ['base64url', Buffer.from(`u:${value}`).toString('base64url')],
    ['hexadecimal', bytes.toString('hex')],
    ['URL', encodeURIComponent(value)],
    ['JSON', JSON.stringify({ value })],
    ['reversed', [...value].toReversed().join('')],
  ] as const)
    test(`finds ${form}`, () => assert.ok(grep.search(Buffer.from(text)).length > 0));

  test('finds nothing in what has nothing to do with it', () => {
    assert.deepEqual(grep.search(randomBytes(1_000_000)), []);
    for (let i = 0; i < 100; i++) assert.deepEqual(grep.search(Buffer.from(canary())), []);
  });
});

suite('no value comes out', () => {
  const homes = mkdtempSync(join(tmpdir(), 'weft-canary-'));
  let planted: Planted;
  before(async () => {
    planted = await plantHome(join(homes, 'first'));
  });
  after(() => rmSync(homes, { recursive: true }));

  for (const { id } of [...listOperations(DAEMON_TABLE), ...listOperations(EXTRA_TABLE)])
    test(`of ${id}, in every status that its tests reach`, async () => {
      const reach = REACH[id];
      assert.ok(reach);
      const home = join(homes, id);
      cpSync(join(homes, 'first'), home, { recursive: true });
      await using agent = await startKernelAgent({ fetcher: twoPages(), home });
      const answers: string[] = [];
      for (const prepare of [() => reach.base, ...Object.values(reach.ways).map((way) => () => way.prepare(agent))]) {
        const response = await agent.call({ token: agent.token, ...(await prepare()) });
        answers.push(JSON.stringify([...response.headers]), await response.text());
      }
      assertClean(planted.grep.search(Buffer.from(answers.join('\n'))), 'what was answered');
      assertClean(planted.grep.search(Buffer.from(JSON.stringify(agent.logged))), 'the log');
      assertFolderClean(home, planted);
    });

  test('of a program: refusals, event streams, sockets, exports, logs, database and its log, home, temporary folder, arguments and environment', async (context) => {
    const temporary = mkdtempSync(join(tmpdir(), 'weft-canary-'));
    await using site = await serveOnLoopback((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shelf</title><p>Three books stand on it.</p>');
    });
    await using program = await startProgram({ variables: { TMPDIR: temporary } });
    const ask = askProgram(program, await program.ready());
    const kept = await plant(ask);
    const answers = [await misuse(ask, kept)];
    const crawl = await ask('POST', '/v1/crawl', { url: site.url, limit: 1, wait: true });
    const { id, dataset_id } = JSON.parse(crawl.text) as { id: number; dataset_id: number };
    const ticket = JSON.parse((await ask('POST', '/v1/ws-ticket', undefined)).text) as Ticket;
    const frames = await framesOf(ticket.url, () => ask('POST', '/v1/crawl', { url: site.url, limit: 1, wait: true }));
    answers.push(crawl.text, frames);
    for (const target of [
      `/v1/runs/${id}/events`,
      `/v1/datasets/${dataset_id}/export?format=csv`,
      '/v1/secrets',
      '/v1/personas',
      '/x/notices/channels',
      '/x/notices/deliveries',
      '/v1/vault/status',
      '/v1/health',
      '/openapi.json',
    ])
      answers.push((await ask('GET', target, undefined)).text);
    const { data } = JSON.parse((await ask('GET', '/v1/personas', undefined)).text) as { data: Persona[] };
    for (const persona of data.slice(0, 5)) answers.push((await ask('PATCH', `/v1/personas/${persona.id}`, { name: 'renamed' })).text);
    await ask('POST', '/x/vault/rotate', {});
    await ask('POST', '/v1/vault/unlock', { new_passphrase: 'correct horse battery' });
    assertClean(kept.grep.search(Buffer.from(answers.join('\n'))), 'what was answered');
    if (process.platform === 'linux')
      for (const name of ['cmdline', 'environ']) assertClean(kept.grep.search(readFileSync(`/proc/${program.process.pid}/${name}`)), name);
    const live = assertFolderClean(program.home, kept);
    program.process.kill('SIGTERM');
    const { stderr } = await program.exit;
    assertClean(kept.grep.search(Buffer.from(stderr)), 'standard error');
    context.diagnostic(`${live} files of a live home, ${assertFolderClean(program.home, kept)} of a stopped one`);
    assertFolderClean(temporary, kept);
    rmSync(temporary, { recursive: true });
  });
});

function askKernel(agent: KernelAgent): Ask {
  return async (method, target, body) => {
    // Buckets fill only here.
    agent.clock.advance(1000);
    const response = await agent.call({ method, target, token: agent.token, body });
    return { status: response.status, text: await response.text() };
  };
}

function askProgram(program: Program, token: string): Ask {
  return async (method, target, body) => {
    const response = await fetch(`${program.baseUrl}${target}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}

/** What a WebSocket carries while something happens. */
async function framesOf(url: string, happen: () => Promise<unknown>): Promise<string> {
  const socket = new WebSocket(url);
  const frames: string[] = [];
  socket.addEventListener('message', ({ data }) => void frames.push(String(data)));
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  await happen();
  socket.close();
  await new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }));
  assert.ok(frames.length > 0);
  return frames.join('\n');
}

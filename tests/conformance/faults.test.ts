// Faults around an agent: its database, its home, its clock, its callers. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Run } from '@weft/contract';
import { DAEMON_TABLE } from '@weft/contract';
import { ConfigError } from '../../packages/daemon/src/config.ts';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { prepareHome } from '../../packages/daemon/src/home.ts';
import { startTestAgent, testClock } from '../agent.ts';
import { rawRequest, requestText } from '../raw-request.ts';
import { startKernelAgent } from './kernel.ts';
import { PAGE_URL, STUCK_URL, twoPages } from './ways.ts';

/** What has become of the database while the agent was away, and what the refusal must say. */
const DAMAGES: readonly (readonly [name: string, damage: (path: string) => void, says: RegExp])[] = [
  ['garbage', (path) => writeFileSync(path, 'this is no database, '.repeat(1000)), /not a database/],
  ['nothing, of zero length', (path) => truncateSync(path, 0), /empty \(0 bytes\)/],
  ['half of itself', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)), /malformed|damaged/],
  ['a page of zeros', (path) => writeFileSync(path, withZeros(readFileSync(path))), /malformed|damaged|not a database/],
  ['a later version', (path) => setVersion(path, 9999), /later version of Weft \(schema 9999/],
];

suite('F5 a database that became', () => {
  for (const [name, damage, says] of DAMAGES)
    test(`${name} is refused with a line that names it, and kept as it is`, async () => {
      await using home = await homeWithKey();
      const path = join(home.path, 'weft.db');
      damage(path);
      const before = readFileSync(path);
      await assert.rejects(startTestAgent({ home: home.path }), (error: Error) => {
        assert.ok(error instanceof ConfigError, error.stack);
        assert.match(error.message, says);
        assert.ok(error.message.includes(path), error.message);
        return true;
      });
      assert.deepEqual(readFileSync(path), before);
      assert.ok(!existsSync(join(home.path, 'runtime.json')));
    });

  test('absent while its log of writes is there is refused, because those writes would be lost', async () => {
    await using home = await homeWithKey();
    const path = join(home.path, 'weft.db');
    await using agent = await startTestAgent({ home: home.path });
    await agent.client.keys.create({ name: 'in the log', scopes: 'read' });
    const other = mkdtempSync(join(tmpdir(), 'weft-wal-'));
    try {
      copyFileSync(`${path}-wal`, join(other, 'weft.db-wal'));
      assert.throws(() => openDatabase({ path: join(other, 'weft.db'), backups: other, nowMs: 0 }), /weft\.db is gone.*weft\.db-wal/s);
      assert.deepEqual(readdirSync(other), ['weft.db-wal']);
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test('empty because the first start of all was ended begins anew', async () => {
    const home = mkdtempSync(join(tmpdir(), 'weft-first-'));
    try {
      writeFileSync(join(home, 'weft.db'), '');
      await using agent = await startTestAgent({ home });
      assert.equal((await agent.client.keys.list()).count, 0);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  test('absent beside other parts of the home is refused, says how to go on, and nothing of it is touched', async () => {
    await using home = await homeWithKey();
    const path = join(home.path, 'weft.db');
    const away = `${path}.away`;
    renameSync(path, away);
    await assert.rejects(
      startTestAgent({ home: home.path }),
      /weft\.db is gone, but of the same home there is a token\. Put it back.*begin anew/s,
    );
    assert.ok(!existsSync(path));
    renameSync(away, path);
    await using agent = await startTestAgent({ home: home.path });
    assert.equal((await agent.client.keys.list()).count, 1);
  });
});

suite('F6 a second agent', () => {
  test('on the same home is refused, and the first goes on', async () => {
    await using first = await startTestAgent();
    const runtime = readFileSync(join(first.home, 'runtime.json'), 'utf8');
    await assert.rejects(startTestAgent({ home: first.home }), /Another agent is running on this home/);
    assert.equal((await first.client.keys.create({ name: 'x', scopes: 'read' })).name, 'x');
    assert.equal(readFileSync(join(first.home, 'runtime.json'), 'utf8'), runtime);
  });

  test('after the first has ended keeps its keys and its token', async () => {
    await using home = await homeWithKey();
    await using agent = await startTestAgent({ home: home.path });
    assert.equal((await agent.client.keys.list()).count, 1);
    assert.equal(agent.token, home.token);
  });
});

suite('F7 a home', () => {
  for (const name of [
    'with spaces',
    'ünïcödé 田中 \u{1f600}',
    'quote\'and"both',
    'per%20cent#hash?',
    `long-${'x'.repeat(195)}`,
    'new\nline',
    '-dash',
  ])
    test(`called ${JSON.stringify(name).slice(0, 40)} works`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'weft-home-'));
      try {
        await using agent = await startTestAgent({ home: join(folder, name) });
        await agent.client.keys.create({ name: 'x', scopes: 'read' });
        assert.equal((await agent.client.agent.health()).parts[0]?.status, 'ok');
        assert.deepEqual(agent.logged, []);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

  test('below a file is refused with what to do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-home-'));
    writeFileSync(join(folder, 'file'), '');
    assert.throws(() => prepareHome(join(folder, 'file', 'home')), /The home folder .* can't be used: .*SERVICE_HOME/);
    rmSync(folder, { recursive: true });
  });
});

suite('F8 a clock', () => {
  for (const [name, jumpMs] of [
    ['that is put back an hour', -3_600_000],
    ['that jumps ten years ahead', 10 * 365 * 86_400_000],
  ] as const)
    test(`${name} leaves no negative duration, no lost run and a live stream`, async () => {
      await using agent = await startKernelAgent({ fetcher: twoPages() });
      const { id } = (await agent.json('POST', '/v1/crawl', { url: STUCK_URL })).body as Run;
      agent.clock.jump(jumpMs);
      await agent.services.prune();
      const { body: page } = await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
      assert.equal((page as Run).status, 'succeeded');
      const cancelled = (await agent.json('POST', `/v1/runs/${id}/cancel`)).body as Run;
      assert.equal(cancelled.status, 'cancelled');
      assert.ok((cancelled.duration_ms ?? 0) >= 0);
      const status = (await agent.json('GET', '/v1/agent')).body as { uptime_seconds: number };
      assert.ok(status.uptime_seconds >= 0);
      assert.deepEqual(agent.logged, []);
    });
});

suite('F14 cancels that race', () => {
  test('have one winner; the others are answered 409 with the run', async () => {
    await using agent = await startTestAgent({ fetcher: twoPages() });
    const { id } = await agent.client.crawl.start({ url: STUCK_URL });
    const headers = [`Host: 127.0.0.1:${agent.port}`, `Authorization: Bearer ${agent.token}`];
    const cancel = (path: string) => rawRequest(agent.port, requestText({ method: 'POST', target: path, headers }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => cancel(i % 2 ? `/v1/runs/${id}/cancel` : `/v1/crawl/${id}/cancel`)),
    );
    assert.deepEqual(
      [answers.filter(({ status }) => status === 200).length, answers.filter(({ status }) => status === 409).length],
      [1, 49],
    );
    const schema = DAEMON_TABLE.runs.cancel.replies[409].content['application/json'];
    for (const { body } of answers) assert.equal(schema.parse(JSON.parse(body)).status, 'cancelled');
    const events = await rawRequest(agent.port, requestText({ target: `/v1/runs/${id}/events`, headers }));
    assert.equal(events.body.match(/"type":"finished"/g)?.length, 1);
  });

  test('with the end of their run leave it settled once, whoever wins', async () => {
    await using agent = await startKernelAgent({ fetcher: twoPages() });
    for (let i = 0; i < 100; i++) {
      agent.clock.advance(1000);
      const { id } = (await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1 })).body as Run;
      for (let turns = i % 12; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      const { status, body } = await agent.json('POST', `/v1/runs/${id}/cancel`);
      assert.equal((body as Run).status === 'cancelled', status === 200);
      const response = await agent.call({ target: `/v1/runs/${id}/events`, token: agent.token });
      const text = await response.text();
      assert.equal(text.match(/"type":"finished"/g)?.length, 1);
      assert.match(text.trimEnd().split('\n').at(-1) ?? '', /"type":"finished"/);
    }
    const late = agent.database.fast.prepare(
      `SELECT e.run_id FROM run_event e JOIN run_event f ON f.run_id = e.run_id AND f.body LIKE '{"type":"finished"%' WHERE e.seq > f.seq`,
    );
    assert.deepEqual(late.all(), [], 'nothing is logged after the end');
  });
});

suite('F20 a database that another program holds', () => {
  test('is a 500 that says so and when to come back; reading goes on, and writing too once it is let go', async () => {
    await using agent = await startKernelAgent();
    const { token } = await agent.mint('read');
    const other = new DatabaseSync(join(agent.home, 'weft.db'));
    other.exec('BEGIN IMMEDIATE');
    const response = await agent.call({ method: 'POST', target: '/v1/keys', token: agent.token, body: { name: 'x', scopes: 'read' } });
    const text = await response.text();
    assert.deepEqual([response.status, response.headers.get('retry-after')], [500, '1'], text);
    assert.match(text, /Another program holds the database/);
    assert.doesNotMatch(text, /SQLITE|locked|weft\.db/i);
    assert.equal((await agent.call({ target: '/v1/keys', token: agent.token })).status, 200);
    assert.equal((await agent.call({ target: '/v1/runs', token })).status, 200, 'a key reads, although its use can not be noted');
    const health = (await agent.json('GET', '/v1/health')).body as { status: string };
    assert.equal(health.status, 'fail');
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await agent.json('POST', '/v1/keys', { name: 'x', scopes: 'read' })).status, 201);
    assert.equal(((await agent.json('GET', '/v1/health')).body as { status: string }).status, 'ok');
  });
});

/** A home that an agent has used and left. */
async function homeWithKey() {
  const path = mkdtempSync(join(tmpdir(), 'weft-fault-'));
  const agent = await startTestAgent({ home: path, clock: testClock() });
  await agent.client.keys.create({ name: 'x', scopes: 'read' });
  const { token } = agent;
  await agent[Symbol.asyncDispose]();
  return { path, token, [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }) };
}

function withZeros(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(8192), bytes.subarray(12_288)]);
}

function setVersion(path: string, version: number): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

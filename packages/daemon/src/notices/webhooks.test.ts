// Webhooks end to end: told, signed, sent, logged, tried again, given up (D48, F68).
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { SECRET, openTestNotices } from '../../../../tests/noticing.ts';
import { serveReceiver } from '../../../../tests/sites/receiver.ts';
import type { Answering, ReceivedCall } from '../../../../tests/sites/receiver.ts';
import { transaction } from '../db/open.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const headersOf = ({ headers }: ReceivedCall) => headers as Record<string, string>;

/** Verifiers hold the time of a message against their own clock. */
function verifyAt(nowMs: number, secret: string, call: ReceivedCall | undefined): void {
  assert.ok(call);
  const { now } = Date;
  Date.now = () => nowMs;
  try {
    new Webhook(secret).verify(call.body, headersOf(call));
    new SvixWebhook(secret).verify(call.body, headersOf(call));
  } finally {
    Date.now = now;
  }
}

suite('a webhook', () => {
  test('is signed so that two verifiers of others accept it, and is logged', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200, body: 'thanks' }));
    await using agent = openTestNotices();
    const id = agent.tell(agent.webhook(receiver.url), { data: { change: { old: 1, new: 2 } } });
    const [attempt] = await agent.tried(id, 1);
    const [call] = receiver.calls;
    assert.ok(call);
    verifyAt(agent.base.clock.now(), SECRET, call);
    assert.throws(() => verifyAt(agent.base.clock.now(), OTHER_SECRET, call));
    assert.throws(() => verifyAt(agent.base.clock.now(), SECRET, { ...call, body: `${call.body} ` }));
    assert.deepEqual([attempt?.outcome, attempt?.status, attempt?.answer], ['sent', 200, 'thanks']);
    assert.equal(agent.status(id), 'sent');
    assert.equal(call.headers['webhook-id'], agent.notices.require(id).message_id);
    assert.match(agent.notices.require(id).message_id, /^msg_[0-9a-f]{32}$/);
    assert.deepEqual(JSON.parse(call.body), {
      type: 'monitor.changed',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { change: { old: 1, new: 2 }, level: 'info', subject: { kind: 'monitor', id: 7, name: 'Shop' } },
    });
  });

  test('is signed by two secrets for a day after a change, and then by the new one alone', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const { clock } = agent.base;
    const channel = agent.webhook(receiver.url);
    clock.advance(MINUTE);
    agent.channels.update(channel, { secrets: { secret: OTHER_SECRET } });
    await agent.tried(agent.tell(channel), 1);
    verifyAt(clock.now(), SECRET, receiver.calls[0]);
    verifyAt(clock.now(), OTHER_SECRET, receiver.calls[0]);
    clock.advance(DAY);
    await agent.tried(agent.tell(channel), 1);
    verifyAt(clock.now(), OTHER_SECRET, receiver.calls[1]);
    assert.throws(() => verifyAt(clock.now(), SECRET, receiver.calls[1]));
  });

  test('has one id and one body in every attempt, and the time of each', async () => {
    await using receiver = await serveReceiver(() => ({ status: receiver.calls.length < 3 ? 503 : 200 }));
    await using agent = openTestNotices();
    const id = agent.tell(agent.webhook(receiver.url));
    await agent.tried(id, 1);
    agent.base.clock.advance(MINUTE);
    await agent.tried(id, 2);
    agent.base.clock.advance(10 * MINUTE);
    const tries = await agent.tried(id, 3);
    assert.deepEqual(
      tries.map(({ outcome, status }) => [outcome, status]),
      [
        ['failed', 503],
        ['failed', 503],
        ['sent', 200],
      ],
    );
    const calls = receiver.calls.map((call) => headersOf(call));
    assert.equal(new Set(calls.map((headers) => headers['webhook-id'])).size, 1);
    assert.equal(new Set(receiver.calls.map(({ body }) => body)).size, 1);
    assert.equal(new Set(calls.map((headers) => headers['webhook-timestamp'])).size, 3);
    verifyAt(agent.base.clock.now(), SECRET, receiver.calls[2]);
  });
});

suite('what a receiver answers', () => {
  const cases: readonly (readonly [promise: string, answering: Answering, expected: string, said: RegExp])[] = [
    ['204 has arrived', () => ({ status: 204 }), 'sent 204', /^$/],
    ['301 is not followed', () => ({ status: 301, headers: { location: '/elsewhere' } }), 'pending 301', /redirects are not followed/],
    [
      '307 is not followed',
      () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } }),
      'pending 307',
      /redirects are not followed/,
    ],
    ['400 is tried again', () => ({ status: 400, body: 'what?' }), 'pending 400', /what\?/],
    ['404 is tried again', () => ({ status: 404 }), 'pending 404', /^$/],
    ['410 ends it', () => ({ status: 410 }), 'failed 410', /^$/],
    ['500 is tried again', () => ({ status: 500, body: '<h1>Oops</h1>' }), 'pending 500', /Oops/],
    ['a reset is tried again', (_call, response) => void response.destroy(), 'pending undefined', /connection/],
    [
      'an answer that never ends is cut',
      (_call, response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
        };
        response.on('drain', more);
        more();
        return undefined;
      },
      'sent 200',
      /^x{999}…$/,
    ],
    [
      'an answer that breaks off has been given',
      (_call, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
        return undefined;
      },
      'sent 200',
      /^(half)?$/,
    ],
    [
      'an endless refusal is one',
      (_call, response) => {
        response.writeHead(500);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'y')));
        };
        response.on('drain', more);
        more();
        return undefined;
      },
      'pending 500',
      /^y{999}…$/,
    ],
  ];
  for (const [promise, answering, expected, said] of cases)
    test(promise, async () => {
      await using receiver = await serveReceiver(answering);
      await using agent = openTestNotices();
      const id = agent.tell(agent.webhook(receiver.url));
      const [attempt] = await agent.tried(id, 1);
      assert.equal(`${agent.status(id)} ${attempt?.status}`, expected);
      assert.match(attempt?.error ?? attempt?.answer ?? '', said);
      assert.equal(receiver.calls.length, 1);
      assert.deepEqual(agent.errors, []);
    });

  test('429 with Retry-After rests the whole channel until then', async () => {
    let isOpen = false;
    await using receiver = await serveReceiver(() => (isOpen ? { status: 200 } : { status: 429, headers: { 'retry-after': '3600' } }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const first = agent.tell(channel);
    await agent.tried(first, 1);
    const second = agent.tell(channel);
    assert.equal(agent.channels.require(channel).rests_because, 'retry_after');
    agent.base.clock.advance(59 * MINUTE);
    assert.deepEqual(await agent.queues.ready(agent.base.clock.now(), 10), []);
    isOpen = true;
    agent.base.clock.advance(MINUTE);
    await agent.tried(first, 2);
    await agent.tried(second, 1);
    assert.deepEqual([agent.status(first), agent.status(second)], ['sent', 'sent']);
  });

  test('410 switches the channel off, and the others are not told by it', async () => {
    await using receiver = await serveReceiver(() => ({ status: 410 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    await agent.tried(agent.tell(channel), 1);
    const { enabled, disabled_reason: reason } = agent.channels.require(channel);
    assert.equal(enabled, false);
    assert.match(reason ?? '', /410/);
    assert.deepEqual(agent.disabled, [`hook: ${reason}`]);
    const waiting = agent.tell(channel);
    agent.base.clock.advance(DAY);
    assert.deepEqual([agent.status(waiting), receiver.calls.length], ['pending', 1]);
  });

  test('eight failures give a delivery up, and five days of them switch the channel off', async () => {
    await using receiver = await serveReceiver(() => ({ status: 500 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const first = agent.tell(channel);
    for (let tries = 1; tries <= 8; tries++) {
      await agent.tried(first, tries);
      agent.base.clock.advance(13 * 60 * MINUTE);
    }
    assert.equal(agent.status(first), 'failed');
    assert.match(agent.notices.require(first).reason ?? '', /8 attempts/);
    assert.equal(agent.channels.require(channel).enabled, true);
    agent.base.clock.advance(2 * DAY);
    await agent.tried(agent.tell(channel), 1);
    assert.match(agent.channels.require(channel).disabled_reason ?? '', /five days.*500/);
  });
});

suite('a delivery', () => {
  test('is a part of the transaction that tells: what is rolled back is not sent', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const { fast } = agent.base.database;
    assert.throws(() =>
      transaction(fast, () => {
        agent.tell(channel);
        throw new Error('the change was not kept');
      }),
    );
    const id = transaction(fast, () => agent.tell(channel));
    await agent.tried(id, 1);
    assert.deepEqual([receiver.calls.length, agent.notices.list({}).data.length], [1, 1]);
  });

  test('is told once of one key to each channel', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const [a, b] = [agent.webhook(receiver.url), agent.webhook(receiver.url)];
    const notice = { event: 'run.failed', subject: { kind: 'run', id: 3 }, data: {}, dedupe_key: 'run-3' } as const;
    assert.equal(agent.notices.tell({ ...notice, channels: [a] }).length, 1);
    assert.equal(agent.notices.tell(notice).length, 1, 'the other channel had not been told');
    assert.deepEqual(agent.notices.tell({ ...notice, channels: [a, b, 999] }), []);
  });

  test('that was sent is sent again under its id', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const id = agent.tell(agent.webhook(receiver.url));
    await agent.tried(id, 1);
    assert.equal(agent.notices.redeliver(id).status, 'pending');
    await agent.tried(id, 2);
    const [first, second] = receiver.calls;
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  });

  test('goes with its channel, and nothing more is sent there', async () => {
    await using receiver = await serveReceiver(() => ({ status: 500 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const id = agent.tell(channel);
    await agent.tried(id, 1);
    agent.channels.delete(channel);
    agent.base.clock.advance(DAY);
    assert.throws(() => agent.notices.require(id), /no delivery/);
    assert.deepEqual([agent.status(id), receiver.calls.length], ['gone', 1]);
    assert.deepEqual(agent.base.vault.recordsOf('channel'), []);
  });

  test('to a name that was public is not sent once it turns private', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    agent.base.database.fast.exec(`UPDATE notice_channel SET reach = 'public'`);
    const [attempt] = await agent.tried(agent.tell(channel), 1);
    assert.match(attempt?.error ?? '', /internal|private|not.*reach/i);
    assert.equal(receiver.calls.length, 0);
  });
});

// Channels: their hours, their words, their secrets, and that none stands in the way of another (F69).
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { ChannelPatch, NewChannel } from '@weft/contract';
import { createDesktop } from '@weft/engine/io';
import { openTestNotices } from '../../../../tests/noticing.ts';
import { serveMail } from '../../../../tests/sites/mail-server.ts';
import { serveReceiver } from '../../../../tests/sites/receiver.ts';
import { until } from '../../../../tests/until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Not the words of any message. */
const TOKEN = '77:kQ9wXv3LpT5zR8';
const PASSWORD = 'Vr4qPz81LmNw';

suite('the hours of a channel', () => {
  test('a digest is one message of what came in its minutes', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url, { digest_minutes: 15 });
    const first = agent.tell(channel, { data: { message: 'one' } });
    agent.base.clock.advance(10 * MINUTE);
    const second = agent.tell(channel, { data: { message: 'two' } });
    assert.deepEqual([agent.status(first), agent.status(second), receiver.calls.length], ['pending', 'collected', 0]);
    agent.base.clock.advance(5 * MINUTE);
    await agent.tried(first, 1);
    const { type, data } = JSON.parse(receiver.calls[0]?.body ?? '{}') as {
      type: string;
      data: { count: number; notices: { data: object }[] };
    };
    assert.deepEqual([type, data.count], ['notices.digest', 2]);
    assert.deepEqual(
      data.notices.map((notice) => (notice.data as { message: string }).message),
      ['one', 'two'],
    );
    assert.equal(agent.notices.require(second).collected_into, first);
    assert.throws(() => agent.notices.redeliver(second), /delivery 1/);
  });

  test('what comes in quiet hours is sent at their end, and what had failed as well', async () => {
    await using receiver = await serveReceiver(() => ({ status: receiver.calls.length === 1 ? 500 : 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url, { quiet: { from: '00:10', to: '06:00', timezone: 'UTC', drop: false } });
    const before = agent.tell(channel);
    await agent.tried(before, 1);
    agent.base.clock.jump(30 * MINUTE);
    const night = agent.tell(channel);
    await until(() => agent.channels.require(channel).rests_because === 'quiet_hours');
    assert.equal(agent.channels.require(channel).rests_until, '2026-01-01T06:00:00.000Z');
    agent.base.clock.advance(5 * HOUR);
    assert.equal(receiver.calls.length, 1);
    agent.base.clock.advance(30 * MINUTE);
    await agent.tried(before, 2);
    await agent.tried(night, 1);
    assert.deepEqual([agent.status(before), agent.status(night)], ['sent', 'sent']);
  });

  test('what comes in quiet hours is dropped where the channel says so', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url, { quiet: { from: '23:00', to: '06:00', timezone: 'UTC', drop: true } });
    const id = agent.tell(channel);
    assert.deepEqual([agent.status(id), agent.notices.require(id).reason], ['dropped', 'It came in quiet hours.']);
  });

  test('a muted channel drops what comes, and sends later what had waited', async () => {
    await using receiver = await serveReceiver(() => ({ status: receiver.calls.length === 1 ? 500 : 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const waiting = agent.tell(channel);
    await agent.tried(waiting, 1);
    agent.channels.mute(channel, '2026-01-01T02:00:00+01:00');
    assert.equal(agent.channels.require(channel).muted_until, '2026-01-01T01:00:00.000Z');
    assert.equal(agent.status(agent.tell(channel)), 'dropped');
    agent.base.clock.advance(59 * MINUTE);
    assert.deepEqual(await agent.queues.ready(agent.base.clock.now(), 9), []);
    agent.base.clock.advance(MINUTE);
    await agent.tried(waiting, 2);
    assert.equal(agent.status(waiting), 'sent');
    assert.throws(() => agent.channels.mute(channel, '2026-01-01T00:00:00Z'), /later than now/);
  });

  test('a channel is told of what names no channel unless it is only for what names it', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const [all, named, errors] = [
      agent.webhook(receiver.url),
      agent.webhook(receiver.url, { default: false }),
      agent.webhook(receiver.url, { level_min: 'error' }),
    ];
    agent.notices.tell({ event: 'monitor.changed', subject: { kind: 'monitor', id: 1 }, data: {} });
    const told = agent.notices.list({}).data.map(({ channel_id, status }) => [channel_id, status]);
    assert.deepEqual(told, [
      [errors, 'dropped'],
      [all, 'pending'],
    ]);
    agent.tell(named);
    agent.channels.update(named, { enabled: false });
    assert.equal(agent.status(agent.tell(named)), 'dropped', 'it was switched off by hand');
  });
});

suite('no channel stands in the way of another', () => {
  test('one that never answers delays none', async () => {
    const held = Promise.withResolvers<void>();
    await using dead = await serveReceiver(() => void held.resolve());
    await using living = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const [stuck, well] = [agent.webhook(dead.url), agent.webhook(living.url)];
    for (let i = 0; i < 20; i++) agent.tell(stuck);
    await held.promise;
    const ids = Array.from({ length: 20 }, () => agent.tell(well));
    for (const id of ids) await agent.tried(id, 1);
    assert.deepEqual([dead.calls.length, living.calls.length], [1, 20]);
  });

  test('a bad template of one is nothing to another', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const url = `${receiver.origin}/services/T/B/x`;
    const slack = agent.channels.create({ name: 's', to: { kind: 'slack' }, secrets: { url }, templates: { body: 'fine' } });
    // A template that was fine under an earlier release.
    agent.base.database.fast.exec(`UPDATE notice_channel SET definition = json_set(definition, '$.templates.body', '{% nope %}')`);
    const [failing, well] = [agent.tell(slack), agent.tell(agent.webhook(receiver.url))];
    const [attempt] = await agent.tried(failing, 1);
    await agent.tried(well, 1);
    assert.equal(attempt?.outcome, 'sent');
    assert.match(attempt.note ?? '', /template of the body failed: line 1/);
    assert.equal((JSON.parse(receiver.calls[0]?.body ?? '{}') as { text: string }).text, 'Shop: changed\nIt changed.');
  });
});

suite('the secrets of a channel', () => {
  test('while the vault is locked what needs it waits, is named, and goes once it is open', async () => {
    await using receiver = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const channel = agent.webhook(receiver.url);
    const plain = agent.channels.create({ name: 'n', to: { kind: 'ntfy', server: receiver.url, topic: 'open' } });
    const { vault } = agent.base;
    await vault.unlock({ new_passphrase: 'correct horse battery' });
    vault.lock();
    const [locked, open] = [agent.tell(channel), agent.tell(plain)];
    await agent.tried(open, 1);
    await until(() => vault.status().waiting.length === 1);
    assert.deepEqual(
      vault.status().waiting.map(({ kind, id, name }) => [kind, id, name]),
      [['channel', channel, 'hook']],
    );
    assert.equal(agent.channels.require(channel).rests_because, 'vault_locked');
    await assert.rejects(agent.channels.test(channel, AbortSignal.timeout(600_000)), /locked/);
    await vault.unlock({ passphrase: 'correct horse battery' });
    await agent.tried(locked, 1);
    assert.deepEqual([agent.status(locked), agent.notices.require(locked).attempts], ['sent', 1]);
  });

  test('are masked wherever a server shows them back', async () => {
    await using receiver = await serveReceiver(({ path, headers }) => ({
      status: 500,
      body: `no ${path} for ${headers.authorization ?? '-'}`,
    }));
    await using agent = openTestNotices();
    const url = `${receiver.origin}/services/T0/B0/${PASSWORD}`;
    const channels = [
      { name: 't', to: { kind: 'telegram', server: receiver.url, chat_id: '1' }, secrets: { token: TOKEN } },
      { name: 'n', to: { kind: 'ntfy', server: receiver.url, topic: 'a' }, secrets: { token: TOKEN } },
      { name: 's', to: { kind: 'slack' }, secrets: { url } },
      { name: 'd', to: { kind: 'discord' }, secrets: { url: 'http://127.0.0.1:1/api/webhooks/1/Vr4qPz81LmNw' } },
    ] satisfies NewChannel[];
    for (const channel of channels) {
      const id = agent.channels.create(channel);
      const [attempt] = await agent.tried(agent.tell(id), 1);
      const shown = JSON.stringify([attempt, agent.channels.require(id), await agent.channels.test(id, AbortSignal.timeout(600_000))]);
      assert.equal(attempt?.outcome, 'failed');
      for (const secret of [TOKEN, PASSWORD]) assert.ok(!shown.includes(secret), shown);
    }
  });

  test('go to no other server than the one that they were given for', async () => {
    await using agent = openTestNotices();
    const to = { kind: 'ntfy', server: 'https://ntfy.one.test', topic: 'a' } as const;
    const id = agent.channels.create({ name: 'n', to, secrets: { token: TOKEN } });
    const move: ChannelPatch = { to: { server: 'https://ntfy.two.test' } };
    assert.throws(() => agent.channels.update(id, move), /"secrets\.token" was given for https:\/\/ntfy\.one\.test/);
    agent.channels.update(id, { to: { topic: 'b' } });
    agent.channels.update(id, { ...move, secrets: { token: null } });
    const { to: moved, secrets } = agent.channels.require(id);
    assert.deepEqual([moved, secrets], [{ kind: 'ntfy', server: 'https://ntfy.two.test', topic: 'b' }, []]);
  });

  const refused: readonly (readonly [promise: string, channel: NewChannel, said: RegExp])[] = [
    ['a webhook without one', { name: 'w', to: { kind: 'webhook', url: 'https://a.test/' } }, /"secrets\.secret" is needed for webhook/],
    ['one that a kind has no use for', { name: 'x', to: { kind: 'desktop' }, secrets: { token: 'x' } }, /"secrets\.token" has no meaning/],
    [
      'templates of a webhook',
      { name: 'w', to: { kind: 'webhook', url: 'https://a.test/' }, secrets: { secret: 'x' }, templates: { body: 'x' } },
      /"templates" have no meaning/,
    ],
    [
      'a bad template',
      { name: 'x', to: { kind: 'desktop' }, templates: { title: 'fine', body: 'a\n{% nope %}' } },
      /"templates\.body" can't be used: line 2, column 1/,
    ],
  ];
  for (const [promise, channel, said] of refused)
    test(`${promise} is refused, and nothing is kept`, async () => {
      await using agent = openTestNotices();
      assert.throws(() => agent.channels.create(channel), said);
      assert.equal(agent.channels.list({}).total, 0);
      assert.deepEqual(agent.base.vault.recordsOf('channel'), []);
    });
});

suite('mail', () => {
  const to = { kind: 'smtp', host: '127.0.0.1', security: 'none', from: 'weft@a.test', to: ['me@b.test', 'you@c.test'] } as const;
  const channel = (port: number, more: Partial<NewChannel> = {}): NewChannel => ({
    name: 'm',
    to: { ...to, to: [...to.to], port },
    ...more,
  });

  test('arrives as text and as HTML in which nothing of a page is markup, with one id in every attempt', async () => {
    await using server = await serveMail({ refuses: (count) => (count === 1 ? '451 later' : undefined) });
    await using agent = openTestNotices();
    const id = agent.tell(agent.channels.create(channel(server.port)), {
      data: { change: { old: 'x', new: 'y', difference: '<script>alert(1)</script>' } },
    });
    assert.deepEqual(
      (await agent.tried(id, 1)).map(({ outcome, status }) => [outcome, status]),
      [['failed', 451]],
    );
    agent.base.clock.advance(MINUTE);
    const tries = await agent.tried(id, 2);
    assert.deepEqual([tries[1]?.outcome, tries[1]?.status], ['sent', 250]);
    const [first, second] = server.mails;
    assert.ok(first && second);
    assert.deepEqual(second.to, ['me@b.test', 'you@c.test']);
    assert.match(second.source, /^Subject: Shop: changed\r$/m);
    assert.ok(!/<script/.test(second.source.split('text/html')[1] ?? '<script'));
    const messageIds = [first, second].map(({ source }) => /^Message-ID: <(msg_\w+@a\.test)>/m.exec(source)?.[1]);
    assert.ok(messageIds[0]);
    assert.equal(messageIds[0], messageIds[1]);
  });

  test('signs in with the password that is sealed, which no error shows', async () => {
    await using server = await serveMail({ user: 'me', password: PASSWORD });
    await using agent = openTestNotices();
    const create = (password: string) =>
      agent.channels.create({ name: 'm', to: { ...to, to: [...to.to], port: server.port, username: 'me' }, secrets: { password } });
    assert.equal((await agent.tried(agent.tell(create(PASSWORD)), 1))[0]?.outcome, 'sent');
    const [wrong] = await agent.tried(agent.tell(create('not the password')), 1);
    assert.deepEqual([wrong?.outcome, wrong?.status], ['failed', 535]);
    assert.ok(!JSON.stringify(wrong).includes('not the password'));
  });

  test('is not sent without the encryption that was asked for', async () => {
    await using server = await serveMail({ offersTls: false });
    await using agent = openTestNotices();
    const id = agent.channels.create(channel(server.port, { to: { ...to, to: [...to.to], port: server.port, security: 'starttls' } }));
    const [attempt] = await agent.tried(agent.tell(id), 1);
    assert.equal(attempt?.outcome, 'failed');
    assert.equal(server.mails.length, 0);
  });

  test('to a server that is not there says so', async () => {
    await using agent = openTestNotices();
    const [attempt] = await agent.tried(agent.tell(agent.channels.create(channel(1))), 1);
    assert.match(attempt?.error ?? '', /mail server 127\.0\.0\.1:1 did not take the mail.*ECONNREFUSED/);
  });
});

suite('a message on the desktop', () => {
  const never = new AbortController().signal;

  test('is given to the program of the system as it is', { skip: process.platform !== 'linux' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-desktop-'));
    try {
      writeFileSync(join(folder, 'notify-send'), `#!/bin/sh\nprintf '%s|' "$@" > '${folder}/shown'\n`);
      chmodSync(join(folder, 'notify-send'), 0o755);
      const show = createDesktop({ variables: { PATH: `${folder}:${process.env['PATH']}` } });
      await show('-t $(id)', 'a "b" `c`', never);
      assert.equal(readFileSync(join(folder, 'shown'), 'utf8'), '--app-name=Weft|--|-t $(id)|a "b" `c`|');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is refused with a reason where there is no such program', async () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      await assert.rejects(
        createDesktop({ platform, variables: { PATH: '/nowhere' } })('a', 'b', never),
        /This machine has no \S+, so no message/,
      );
  });
});

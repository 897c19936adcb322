// What takes long: receivers that let a sender wait, and a channel with a million deliveries (F68, F69).
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openTestNotices } from '../../../../tests/noticing.ts';
import { serveReceiver } from '../../../../tests/sites/receiver.ts';
import type { Answering } from '../../../../tests/sites/receiver.ts';
import { until } from '../../../../tests/until.ts';

const BACKLOG = 1_000_000;

suite('a receiver that lets us wait', () => {
  const cases: readonly (readonly [promise: string, answering: Answering, expected: string])[] = [
    ['and never answers is left after fifteen seconds', () => undefined, 'failed undefined'],
    [
      'and never ends its answer has given one',
      (_call, response) => {
        response.writeHead(200);
        response.write('so far');
        return undefined;
      },
      'sent 200',
    ],
  ];
  test(cases.map(([promise]) => promise).join('; one that waits '), { timeout: 600_000 }, async () => {
    await Promise.all(
      cases.map(async ([promise, answering, expected]) => {
        await using receiver = await serveReceiver(answering);
        await using agent = openTestNotices();
        const { outcome, status } = await agent.channels.test(agent.webhook(receiver.url), AbortSignal.timeout(600_000));
        assert.equal(`${outcome} ${status}`, expected, promise);
      }),
    );
  });
});

suite('a million deliveries of one dead channel', () => {
  test('delay no other, and are deleted with it in turns', { timeout: 600_000 }, async () => {
    await using dead = await serveReceiver(() => ({ status: 500 }));
    await using living = await serveReceiver(() => ({ status: 200 }));
    await using agent = openTestNotices();
    const { fast } = agent.base.database;
    const [stuck, well] = [agent.webhook(dead.url), agent.webhook(living.url)];
    fast
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO delivery (message_id, channel_id, status, event, level, subject, data, due_at, created_at)
         SELECT 'msg_' || i, ?, 'pending', 'monitor.changed', 'info', '{"kind":"monitor","id":1}', '{}', 0, 0 FROM n`,
      )
      .run(BACKLOG, stuck);
    fast.exec('UPDATE notice_channel SET next_at = 0 WHERE id = 1');
    const ids = Array.from({ length: 50 }, () => agent.tell(well));
    for (const id of ids) await agent.tried(id, 1);
    await until(() => dead.calls.length > 0);
    assert.equal(living.calls.length, 50);
    assert.equal(dead.calls.length, 1, 'the dead one rests');
    assert.equal(agent.channels.require(stuck).pending, 1000);
    agent.channels.delete(stuck);
    assert.throws(() => agent.notices.require(1), /no delivery/);
    const first = agent.tell(well);
    await agent.tried(first, 1);
    await until(() => agent.rows.find(1) === undefined);
  });
});

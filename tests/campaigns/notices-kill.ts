// Kills an agent with SIGKILL in the middle of its deliveries, starts it again, and looks that each message has arrived, under one id (D48, F1).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { SECRET } from '../noticing.ts';
import { serveReceiver } from '../sites/receiver.ts';

export const roundsInTests = 2;

const CHANNELS = 3;
const PER_ROUND = 40;

/** One round queues messages, starts the agent, and kills it after some of them have come. A last life delivers the rest. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-notices-kill-'));
  let onCall = () => {};
  await using receiver = await serveReceiver(() => {
    queueMicrotask(onCall);
    return { status: 200 };
  });
  const queued = new Set<string>();
  try {
    await makeChannels(home, receiver.url);
    for (let round = 0; round < rounds; round++) {
      for (const id of queue(home, round)) queued.add(id);
      await using program = await startProgram({ home });
      let left = 1 + Math.floor(random() * PER_ROUND * CHANNELS);
      const killed = Promise.withResolvers<void>();
      onCall = () => {
        if (--left === 0) killed.resolve(void program.process.kill('SIGKILL'));
      };
      await killed.promise;
      await program.exit;
    }
    await using last = await startProgram({ home });
    const token = await last.ready();
    await untilDelivered(last, token);
    const arrived = receiver.calls.map(({ headers }) => String(headers['webhook-id']));
    assert.deepEqual(
      [...queued].filter((id) => !arrived.includes(id)),
      [],
      'each message has arrived',
    );
    assert.deepEqual(
      [...new Set(arrived)].filter((id) => !queued.has(id)),
      [],
      'and no other',
    );
    // Each kill may make the message of each channel that was under way come twice.
    assert.ok(arrived.length <= queued.size + rounds * CHANNELS, `${arrived.length} calls for ${queued.size} messages`);
    log(`${rounds} kills, ${queued.size} messages, ${arrived.length} calls: none lost, none under another id`);
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function makeChannels(home: string, url: string): Promise<void> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  for (let i = 0; i < CHANNELS; i++) {
    const body = { name: `channel ${i}`, to: { kind: 'webhook', url }, secrets: { secret: SECRET } };
    const response = await fetch(`${program.baseUrl}/x/notices/channels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 201);
  }
}

/** Writes rows as `tell` does, into the database of an agent that does not run. */
function queue(home: string, round: number): string[] {
  const sql = new DatabaseSync(join(home, 'weft.db'));
  const insert = sql.prepare(
    `INSERT INTO delivery (message_id, channel_id, status, event, level, subject, data, due_at, created_at)
     VALUES (?, ?, 'pending', 'monitor.changed', 'info', '{"kind":"monitor","id":1}', '{}', ?, ?)`,
  );
  const ids: string[] = [];
  sql.exec('BEGIN');
  for (let channel = 1; channel <= CHANNELS; channel++)
    for (let i = 0; i < PER_ROUND; i++) {
      const id = `msg_${round}_${channel}_${i}`;
      insert.run(id, channel, Date.now(), Date.now());
      ids.push(id);
    }
  sql.exec(
    `UPDATE notice_channel SET next_at = (SELECT min(due_at) FROM delivery WHERE channel_id = notice_channel.id AND status = 'pending')`,
  );
  sql.exec('COMMIT');
  sql.close();
  return ids;
}

async function untilDelivered(program: Program, token: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${program.baseUrl}/x/notices/deliveries?status=pending&limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { count } = (await response.json()) as { count: number };
    if (count === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

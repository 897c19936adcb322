import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createIdempotencyStore } from './idempotency.ts';
import { openDatabase } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'weft-notes-'));
const database = openDatabase({ path: join(folder, 'weft.db'), backups: folder, nowMs: 0 });
const notes = createIdempotencyStore(database, { now: () => 1_000_000 }, new Uint8Array(32));
const note = (effect: unknown) => ({ print: 'p', effect });
after(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const addKey = (id: string) =>
  database.fast
    .prepare(`INSERT INTO api_key (id, name, scopes, token_hash, created_at) VALUES (?, 'n', 'read', ?, 0)`)
    .run(id, Buffer.from(id));
const keysNow = () =>
  database.fast
    .prepare('SELECT id FROM api_key ORDER BY id')
    .all()
    .map(({ id }) => id);

suite('notes of keyed calls', () => {
  test('an effect and its note are kept together', () => {
    assert.deepEqual(
      notes.once('a', () => (addKey('kept'), 7), note),
      { isRepeated: false, effect: 7 },
    );
    assert.deepEqual(
      notes.once('a', () => assert.fail('it was had before'), note),
      { isRepeated: true, note: { print: 'p', effect: 7 } },
    );
    assert.deepEqual([notes.find('a'), keysNow()], [{ print: 'p', effect: 7 }, ['kept']]);
  });

  test('neither is kept where the effect, or what is noted of it, fails', () => {
    const fail = () => {
      throw new Error('broke');
    };
    assert.throws(() => notes.once('b', () => (addKey('lost'), fail()), note), /broke/);
    assert.throws(() => notes.once('b', () => addKey('lost'), fail), /broke/);
    assert.deepEqual([notes.find('b'), keysNow()], [undefined, ['kept']]);
  });

  test('what must not be shown again is not on the disk', () => {
    notes.once(
      'c',
      () => ({ token: 'wlk_secret' }),
      () => note(undefined),
    );
    assert.deepEqual(notes.find('c'), { print: 'p', effect: undefined });
  });

  test('an effect that would end after its transaction is a fault of the program', () =>
    assert.throws(() => notes.once('d', async () => addKey('late'), note), /no part of its transaction/));
});

// The vault as those meet it who keep something in it, and those who try to get in.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { VaultStatus } from '@weft/contract';
import type { Keychain } from '../../packages/daemon/src/vault/keychain.ts';
import { parseHeader, readHeader, writeHeader } from '../../packages/daemon/src/vault/header.ts';
import { transaction } from '../../packages/daemon/src/db/open.ts';
import type { TestVault } from './vaults.ts';
import { PASSPHRASE, PLACE, makeHome, openTestVault, withBitTurned } from './vaults.ts';

const LOCKED = { code: 'vault_locked' };
const textOf = ({ vault }: TestVault, place: typeof PLACE | { owner: string; record: string; field: string } = PLACE) =>
  vault.find(place)?.toString();

suite('a vault without a passphrase', () => {
  test('is made by the first value, and its key is a file that its user alone may read', async () => {
    await using kept = openTestVault();
    const { vault, home } = kept;
    assert.deepEqual([vault.status().exists, vault.status().locked, vault.summary()], [false, false, undefined]);
    assert.deepEqual(readdirSync(home.file('vault')), []);
    vault.put(PLACE, 'hunter2');
    assert.equal(textOf(kept), 'hunter2');
    const { exists, locked, passphrase, device_key, note, values } = vault.status();
    assert.deepEqual([exists, locked, passphrase, device_key, values], [true, false, false, 'file', 1]);
    assert.match(note ?? '', /whoever can read the home can/);
    assert.deepEqual(readdirSync(home.file('vault')).sort(), ['device.key', 'header-a', 'header-b']);
    for (const name of readdirSync(home.file('vault'))) assert.equal(statSync(home.file('vault', name)).mode & 0o777, 0o600, name);
  });

  test('is open again after a start', async () => {
    using home = makeHome();
    {
      await using first = openTestVault({ home: home.path });
      first.vault.put(PLACE, 'hunter2');
    }
    await using second = openTestVault({ home: home.path });
    assert.equal(textOf(second), 'hunter2');
  });

  test('opens nothing while it is locked, and is unlocked by nothing but the word', async () => {
    await using kept = openTestVault();
    kept.vault.put(PLACE, 'hunter2');
    assert.equal(kept.vault.lock().locked, true);
    for (const act of [
      () => kept.vault.require(),
      () => kept.vault.find(PLACE),
      () => kept.vault.put(PLACE, 'x'),
      () => kept.vault.remove(PLACE.owner, PLACE.record),
    ])
      assert.throws(act, LOCKED);
    assert.deepEqual(kept.vault.fieldsOf('secret', 'api'), ['value']);
    assert.equal((await kept.vault.unlock({})).locked, false);
    assert.equal(textOf(kept), 'hunter2');
  });

  test('refuses a passphrase that it does not have', async () => {
    await using kept = openTestVault();
    kept.vault.put(PLACE, 'hunter2');
    await assert.rejects(kept.vault.unlock({ passphrase: PASSPHRASE }), { code: 'bad_request' });
  });

  test('stays shut without its device key, and never begins anew over values that are there', async () => {
    using home = makeHome();
    {
      await using first = openTestVault({ home: home.path });
      first.vault.put(PLACE, 'hunter2');
    }
    rmSync(join(home.path, 'vault', 'device.key'));
    {
      await using second = openTestVault({ home: home.path });
      assert.equal(second.vault.status().locked, true);
      await assert.rejects(second.vault.unlock({}), LOCKED);
    }
    for (const slot of ['header-a', 'header-b']) rmSync(join(home.path, 'vault', slot));
    await using third = openTestVault({ home: home.path });
    assert.deepEqual([third.vault.status().exists, third.vault.status().locked], [true, true]);
    assert.match(third.vault.status().note ?? '', /damaged or gone/);
    await assert.rejects(third.vault.unlock({}), LOCKED);
    assert.throws(() => third.vault.put(PLACE, 'x'), LOCKED);
  });
});

suite('a keychain', () => {
  const memoryKeychain = (): Keychain & { readonly texts: Map<string, string> } => {
    const texts = new Map<string, string>();
    return {
      texts,
      find: (account) => texts.get(account),
      keep: (account, text) => (texts.set(account, text), true),
      forget: (account) => void texts.delete(account),
    };
  };

  test('holds the key of the device in place of a file, until a passphrase is set', async () => {
    const keychain = memoryKeychain();
    await using kept = openTestVault({ keychain });
    kept.vault.put(PLACE, 'hunter2');
    assert.equal(kept.vault.status().device_key, 'keychain');
    assert.equal(existsSync(kept.home.file('vault', 'device.key')), false);
    assert.equal(keychain.texts.size, 1);
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    assert.equal(keychain.texts.size, 0);
    assert.equal(textOf(kept), 'hunter2');
  });

  test('that keeps nothing leaves it to a file', async () => {
    await using kept = openTestVault({ keychain: { ...memoryKeychain(), keep: () => false } });
    kept.vault.put(PLACE, 'hunter2');
    assert.equal(kept.vault.status().device_key, 'file');
  });
});

suite('a passphrase', () => {
  test('once set is all that opens it: the key of the device is gone and everything is sealed anew', async () => {
    using home = makeHome();
    const before = join(home.path, 'before.key');
    {
      await using first = openTestVault({ home: home.path });
      for (let i = 0; i < 50; i++) first.vault.put({ ...PLACE, record: `r${i}` }, `value ${i}`);
      copyFileSync(first.home.file('vault', 'device.key'), before);
      const status = await first.vault.unlock({ new_passphrase: PASSPHRASE });
      assert.deepEqual([status.passphrase, status.device_key, status.reseal_pending], [true, undefined, 0]);
      assert.equal(textOf(first, { ...PLACE, record: 'r49' }), 'value 49');
    }
    const epochs = () => {
      const sql = openTestVault({ home: home.path });
      const rows = sql.database.fast.prepare('SELECT DISTINCT epoch FROM vault_value UNION SELECT epoch FROM vault_index').all();
      return { sql, rows: rows.map((row) => row['epoch']) };
    };
    const { sql, rows } = epochs();
    await using second = sql;
    assert.deepEqual(rows, [2]);
    assert.equal(existsSync(join(home.path, 'vault', 'device.key')), false);
    copyFileSync(before, join(home.path, 'vault', 'device.key'));
    assert.equal(second.vault.status().locked, true);
    await assert.rejects(second.vault.unlock({}), /send it as `passphrase`/);
    await assert.rejects(second.vault.unlock({ passphrase: 'correct horse batterz' }), LOCKED);
    await second.vault.unlock({ passphrase: PASSPHRASE });
    assert.equal(textOf(second, { ...PLACE, record: 'r0' }), 'value 0');
    assert.equal(existsSync(join(home.path, 'vault', 'device.key')), false, 'what was left of the device key goes');
  });

  test('is changed only with the old one, and the old one opens nothing then', async () => {
    await using kept = openTestVault();
    kept.vault.put(PLACE, 'hunter2');
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    await assert.rejects(kept.vault.unlock({ new_passphrase: 'a new one entirely' }), LOCKED);
    await assert.rejects(kept.vault.unlock({ passphrase: 'wrong', new_passphrase: 'a new one entirely' }), LOCKED);
    await kept.vault.unlock({ passphrase: PASSPHRASE, new_passphrase: 'a new one entirely' });
    kept.vault.lock();
    await assert.rejects(kept.vault.unlock({ passphrase: PASSPHRASE }), LOCKED);
    await kept.vault.unlock({ passphrase: 'a new one entirely' });
    assert.equal(textOf(kept), 'hunter2');
  });

  test('rotation takes a new key, seals everything with it, and keeps how the vault is opened', async () => {
    await using kept = openTestVault();
    const epochs = () =>
      kept.database.fast
        .prepare('SELECT DISTINCT epoch FROM vault_value')
        .all()
        .map((row) => row['epoch']);
    kept.vault.put(PLACE, 'hunter2');
    await kept.vault.rotate({});
    assert.deepEqual([epochs(), textOf(kept)], [[2], 'hunter2']);
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    await assert.rejects(kept.vault.rotate({}), LOCKED);
    await kept.vault.rotate({ passphrase: PASSPHRASE });
    assert.deepEqual([epochs(), textOf(kept)], [[4], 'hunter2']);
    kept.vault.lock();
    await kept.vault.unlock({ passphrase: PASSPHRASE });
    assert.equal(textOf(kept), 'hunter2');
  });

  test('sealing anew that a lock broke off goes on with the next unlock, and every value opens meanwhile', async () => {
    await using kept = openTestVault();
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    const record = (i: number) => ({ ...PLACE, record: `r${i}` });
    transaction(kept.database.fast, () => {
      for (let i = 0; i < 200; i++) kept.vault.put(record(i), `value ${i}`);
    });
    const rotated = kept.vault.rotate({ passphrase: PASSPHRASE });
    const pending = () => (kept.database.fast.prepare('SELECT count(*) AS n FROM vault_value WHERE epoch = 2').get() as { n: number }).n;
    await new Promise<void>((resolve) => {
      const look = () => (pending() < 200 ? resolve() : setImmediate(look));
      look();
    });
    kept.vault.lock();
    await rotated;
    assert.ok(pending() > 0 && pending() < 200, `${pending()}`);
    await kept.vault.unlock({ passphrase: PASSPHRASE });
    assert.equal(pending(), 0);
    for (let i = 0; i < 200; i++) assert.equal(textOf(kept, record(i)), `value ${i}`);
    assert.deepEqual(kept.vault.status().damaged, []);
  });
});

suite('F65 a vault that is guessed at', () => {
  test('100 wrong passphrases: five are looked at at once, the others after waits that grow to five minutes', async () => {
    await using kept = openTestVault();
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    kept.vault.lock();
    const waits: number[] = [];
    let looked = 0;
    for (let guess = 0; guess < 100; guess++) {
      const error = await kept.vault
        .unlock({ passphrase: `guess ${guess}` })
        .catch((thrown: unknown) => thrown as { code: string; retryAfterSeconds?: number });
      assert.ok('code' in error);
      if (error.code === 'vault_locked') looked++;
      else {
        assert.equal(error.code, 'too_many_requests');
        if (waits.length < 10) {
          waits.push(error.retryAfterSeconds ?? 0);
          kept.clock.advance((error.retryAfterSeconds ?? 0) * 1000);
        }
      }
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    assert.equal(looked, 15);
    await assert.rejects(kept.vault.unlock({ passphrase: PASSPHRASE }), { code: 'too_many_requests' }, 'not even the right one');
    kept.clock.advance(300_000);
    assert.equal((await kept.vault.unlock({ passphrase: PASSPHRASE })).locked, false);
    await assert.rejects(kept.vault.unlock({ passphrase: 'wrong' }), LOCKED, 'and it counts anew');
  });

  test('guesses that come at once are looked at one after another', async () => {
    await using kept = openTestVault();
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => kept.vault.unlock({ passphrase: `guess ${i}` }).catch(({ code }: { code: string }) => code)),
    );
    assert.deepEqual(codes, [...Array<string>(5).fill('vault_locked'), ...Array<string>(3).fill('too_many_requests')]);
  });

  test('a damaged header is refused in the words of a wrong passphrase', async () => {
    using home = makeHome();
    {
      await using first = openTestVault({ home: home.path });
      first.vault.put(PLACE, 'hunter2');
      await first.vault.unlock({ new_passphrase: PASSPHRASE });
    }
    await using second = openTestVault({ home: home.path });
    const messageOf = async (passphrase: string) => await second.vault.unlock({ passphrase }).then(String, ({ message }: Error) => message);
    const wrong = await messageOf('wrong');
    for (const slot of ['header-a', 'header-b'])
      writeFileSync(join(home.path, 'vault', slot), withBitTurned(readFileSync(join(home.path, 'vault', slot)), 700));
    assert.equal(await messageOf(PASSPHRASE), wrong);
    for (const slot of ['header-a', 'header-b']) writeFileSync(join(home.path, 'vault', slot), '');
    assert.equal(await messageOf(PASSPHRASE), wrong);
  });
});

suite('F65 a header that was altered', () => {
  test('is none, whichever bit of it is turned', async () => {
    await using kept = openTestVault();
    kept.vault.put(PLACE, 'hunter2');
    const whole = readFileSync(kept.home.file('vault', 'header-a'));
    assert.ok(parseHeader(whole.toString()));
    for (let bit = 0; bit < whole.byteLength * 8; bit++)
      assert.equal(parseHeader(withBitTurned(whole, bit).toString()), undefined, `bit ${bit}`);
  });

  test('is mended from the other file, and in both files opens nothing', async () => {
    using home = makeHome();
    {
      await using first = openTestVault({ home: home.path });
      first.vault.put(PLACE, 'hunter2');
    }
    const slots = ['header-a', 'header-b'].map((slot) => join(home.path, 'vault', slot));
    const whole = readFileSync(slots[0] ?? '');
    for (const slot of slots) {
      writeFileSync(slot, withBitTurned(whole, 999));
      await using second = openTestVault({ home: home.path });
      assert.equal(textOf(second), 'hunter2');
      assert.deepEqual(readFileSync(slot), whole);
    }
    for (const slot of slots) writeFileSync(slot, withBitTurned(whole, 999));
    await using third = openTestVault({ home: home.path });
    await assert.rejects(third.vault.unlock({}), LOCKED);
  });

  test('with a checksum that fits opens nothing either: each of its members is sealed with the keys', async () => {
    await using kept = openTestVault();
    kept.vault.put(PLACE, 'hunter2');
    const folder = kept.home.file('vault');
    const header = readHeader(folder);
    assert.ok(header);
    const keys = Buffer.from(header.keys, 'base64url');
    keys.writeUInt8(keys.readUInt8(40) ^ 1, 40);
    for (const change of [
      { vault_id: '0'.repeat(32) },
      { counter: header.counter + 1 },
      { keys: keys.toString('base64url') },
      { keys: '' },
      { wrap: { kind: 'device', place: 'keychain' } as const },
    ]) {
      writeHeader(folder, { ...header, ...change });
      kept.vault.lock();
      await assert.rejects(kept.vault.unlock({}), LOCKED, JSON.stringify(change));
    }
    writeHeader(folder, header);
    await kept.vault.unlock({});
    assert.equal(textOf(kept), 'hunter2');
  });

  test('whose passphrase costs too little or too much is none', async () => {
    await using kept = openTestVault();
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    const header = readHeader(kept.home.file('vault'));
    assert.ok(header?.wrap.kind === 'passphrase');
    for (const change of [{ memory: 1024 }, { memory: 2 ** 21 }, { passes: 1 }]) {
      writeHeader(kept.home.file('vault'), { ...header, wrap: { ...header.wrap, cost: { ...header.wrap.cost, ...change } } });
      assert.equal(readHeader(kept.home.file('vault')), undefined, JSON.stringify(change));
    }
  });
});

suite('F65 records that were altered', () => {
  interface Row {
    readonly record: string;
    readonly version: number;
    readonly epoch: number;
    readonly sealed: Uint8Array;
  }
  const rowOf = ({ database }: TestVault, record: string) =>
    database.fast.prepare('SELECT record, version, epoch, sealed FROM vault_value WHERE record = ?').get(record) as unknown as Row;
  const setRow = ({ database }: TestVault, { version, epoch, sealed }: Row, record: string) =>
    void database.fast
      .prepare('UPDATE vault_value SET version = ?, epoch = ?, sealed = ? WHERE record = ?')
      .run(version, epoch, sealed, record);
  const damagedOf = (status: VaultStatus) => status.damaged.map(({ record }) => record);
  const at = (record: string) => ({ ...PLACE, record });
  const fill = (kept: TestVault) => {
    for (const record of ['a', 'b', 'c']) kept.vault.put(at(record), `value of ${record}`);
  };

  test('swapped with another one, both are refused by name and the rest opens', async () => {
    await using kept = openTestVault();
    fill(kept);
    const [a, b] = [rowOf(kept, 'a'), rowOf(kept, 'b')];
    setRow(kept, b, 'a');
    setRow(kept, a, 'b');
    assert.deepEqual(damagedOf(kept.vault.status()), ['a', 'b']);
    for (const record of ['a', 'b']) assert.throws(() => kept.vault.find(at(record)), /is not what was kept/);
    assert.equal(textOf(kept, at('c')), 'value of c');
  });

  test('swapped with the texts alone, the versions kept, they do not open', async () => {
    await using kept = openTestVault();
    fill(kept);
    const [a, b] = [rowOf(kept, 'a'), rowOf(kept, 'b')];
    setRow(kept, { ...a, sealed: b.sealed }, 'a');
    setRow(kept, { ...b, sealed: a.sealed }, 'b');
    for (const record of ['a', 'b']) assert.throws(() => kept.vault.find(at(record)), /is not what was kept/);
  });

  test('an older one is refused, also under the version of the newer, and is named after a start', async () => {
    using home = makeHome();
    {
      await using kept = openTestVault({ home: home.path });
      fill(kept);
      const older = rowOf(kept, 'a');
      kept.vault.put(at('a'), 'the newer value');
      const newer = rowOf(kept, 'a');
      setRow(kept, { ...older, version: newer.version }, 'a');
      assert.throws(() => kept.vault.find(at('a')), /is not what was kept/);
      setRow(kept, older, 'a');
      assert.throws(() => kept.vault.find(at('a')), /is not what was kept/);
    }
    await using second = openTestVault({ home: home.path });
    assert.deepEqual(damagedOf(second.vault.status()), ['a']);
    second.vault.put(at('a'), 'set again');
    assert.deepEqual([damagedOf(second.vault.status()), textOf(second, at('a'))], [[], 'set again']);
  });

  test('one that was taken out or put in is named', async () => {
    await using kept = openTestVault();
    fill(kept);
    kept.database.fast.exec(`UPDATE vault_value SET record = 'd' WHERE record = 'c'`);
    assert.deepEqual(damagedOf(kept.vault.status()), ['d', 'c']);
    for (const record of ['c', 'd']) assert.throws(() => kept.vault.find(at(record)), /is not what was kept/);
  });

  test('no value is trusted under an index that was altered, is older, or is gone', async () => {
    await using kept = openTestVault();
    fill(kept);
    const index = kept.database.fast.prepare('SELECT * FROM vault_index').get() as { version: number; sealed: Uint8Array };
    const setIndex = (version: number, sealed: Uint8Array) =>
      void kept.database.fast.prepare('UPDATE vault_index SET version = ?, sealed = ?').run(version, sealed);
    for (let bit = 0; bit < index.sealed.byteLength * 8; bit += 7) {
      setIndex(index.version, withBitTurned(index.sealed, bit));
      assert.throws(() => kept.vault.find(at('b')), /is not what was kept/, `bit ${bit}`);
    }
    setIndex(index.version - 1, index.sealed);
    kept.vault.lock();
    await kept.vault.unlock({});
    assert.deepEqual(damagedOf(kept.vault.status()), ['a', 'b', 'c']);
    setIndex(index.version, index.sealed);
    kept.vault.lock();
    await kept.vault.unlock({});
    assert.deepEqual(damagedOf(kept.vault.status()), []);
    kept.vault.put(at('a'), 'newer');
    setIndex(index.version, index.sealed);
    assert.deepEqual(damagedOf(kept.vault.status()), ['a']);
    kept.database.fast.exec('DELETE FROM vault_index');
    assert.deepEqual(damagedOf(kept.vault.status()), ['a', 'b', 'c']);
  });

  test('every bit of a value that is turned is noticed', async () => {
    await using kept = openTestVault();
    fill(kept);
    const row = rowOf(kept, 'a');
    for (let bit = 0; bit < row.sealed.byteLength * 8; bit++) {
      setRow(kept, { ...row, sealed: withBitTurned(row.sealed, bit) }, 'a');
      assert.throws(() => kept.vault.find(at('a')), /is not what was kept/, `bit ${bit}`);
    }
  });

  test('what a transaction takes back is not remembered', async () => {
    await using kept = openTestVault();
    fill(kept);
    assert.throws(
      () =>
        transaction(kept.database.fast, () => {
          kept.vault.put(at('a'), 'never');
          assert.equal(textOf(kept, at('a')), 'never');
          throw new Error('taken back');
        }),
      /taken back/,
    );
    assert.equal(textOf(kept, at('a')), 'value of a');
    kept.vault.put(at('b'), 'now');
    assert.deepEqual([textOf(kept, at('a')), textOf(kept, at('b')), damagedOf(kept.vault.status())], ['value of a', 'now', []]);
  });
});

suite('locking', () => {
  const openIdle = async (idleMinutes: number) => {
    const kept = openTestVault({ idleMinutes });
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    kept.vault.put(PLACE, 'hunter2');
    return kept;
  };
  const isLocked = ({ vault }: TestVault) => vault.status().locked;

  test('never comes by itself unless a time is set, whatever the clock does', async () => {
    await using kept = await openIdle(0);
    kept.clock.advance(30 * 86_400_000);
    kept.clock.jump(86_400_000);
    assert.equal(isLocked(kept), false);
  });

  test('comes after the time without use, and each use begins it anew', async () => {
    await using kept = await openIdle(15);
    for (let i = 0; i < 4; i++) {
      for (let minute = 0; minute < 14; minute++) kept.clock.advance(60_000);
      assert.equal(textOf(kept), 'hunter2');
    }
    for (let minute = 0; minute < 15; minute++) kept.clock.advance(60_000);
    assert.equal(isLocked(kept), true);
    await kept.vault.unlock({ passphrase: PASSPHRASE });
    assert.equal(isLocked(kept), false);
    kept.clock.advance(16 * 60_000);
    assert.equal(isLocked(kept), true);
  });

  for (const [name, jumpMs] of [
    ['a machine that slept', 121_000],
    ['a clock that was set back', -121_000],
  ] as const)
    test(`comes with ${name} for more than two minutes`, async () => {
      await using kept = await openIdle(15);
      kept.clock.jump(jumpMs);
      kept.clock.advance(30_000);
      assert.equal(isLocked(kept), true);
    });

  test('does not come with a clock that is set by a minute', async () => {
    await using kept = await openIdle(15);
    kept.clock.jump(60_000);
    kept.clock.advance(30_000);
    assert.equal(isLocked(kept), false);
  });
});

suite('what waits for the vault', () => {
  test('is named by the status and told once, until it is open', async () => {
    await using kept = openTestVault();
    await kept.vault.unlock({ new_passphrase: PASSPHRASE });
    kept.vault.lock();
    const orders = { kind: 'workflow', id: 7, name: 'orders' };
    for (let i = 0; i < 3; i++) assert.throws(() => kept.vault.require(orders), LOCKED);
    assert.throws(() => kept.vault.require({ kind: 'monitor', id: 7, name: 'stock' }), LOCKED);
    assert.throws(() => kept.vault.require(), LOCKED);
    assert.deepEqual(kept.vault.status().waiting, [
      { ...orders, since: '2026-01-01T00:00:00.000Z', times: 3 },
      { kind: 'monitor', id: 7, name: 'stock', since: '2026-01-01T00:00:00.000Z', times: 1 },
    ]);
    assert.deepEqual(kept.vault.summary(), { locked: true, passphrase: true, waiting: 2 });
    assert.deepEqual(
      kept.logged.map(([fields]) => fields),
      [
        { kind: 'workflow', id: 7 },
        { kind: 'monitor', id: 7 },
      ],
    );
    await kept.vault.unlock({ passphrase: PASSPHRASE });
    assert.deepEqual(kept.vault.status().waiting, []);
  });
});

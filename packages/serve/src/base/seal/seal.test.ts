import assert from 'node:assert/strict';
import { argon2Sync, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decrypt, encrypt } from './aead.ts';
import { isAcceptable, newPassphraseCost, passphraseKey } from './passphrase.ts';
import { SealError, openValue, sealValue } from './seal.ts';
import type { SealPlace } from './seal.ts';

const VECTORS = readFileSync(join(import.meta.dirname, '../../../../../tests/vectors/wycheproof.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t'));
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const vectorsOf = (kind: string) => VECTORS.filter(([name]) => name === kind);

const MASTER = Buffer.alloc(32, 7);
const PLACE: SealPlace = { vault: 'v1', table: 'secret', record: 'api', field: 'value', epoch: 1, version: 3 };

suite('the cipher', () => {
  for (const [, id, key = '', iv = '', aad = '', message = '', sealed = '', result] of vectorsOf('aes-gcm'))
    test(`Wycheproof AES-GCM ${id} is ${result}`, () => {
      const made = { key: bytes(key), iv: bytes(iv), aad: bytes(aad) };
      if (result === 'invalid') return void assert.throws(() => decrypt(made, bytes(sealed)));
      assert.equal(encrypt(made, bytes(message)).toString('hex'), sealed);
      assert.equal(decrypt(made, bytes(sealed)).toString('hex'), message);
    });

  test('refuses a tag that was cut short', () => {
    const made = { key: MASTER, iv: Buffer.alloc(12), aad: Buffer.alloc(0) };
    const sealed = encrypt(made, Buffer.alloc(0));
    for (let length = 0; length < sealed.byteLength; length++) assert.throws(() => decrypt(made, sealed.subarray(0, length)), `${length}`);
  });
});

suite('the key of a write', () => {
  for (const [, id, key = '', salt = '', info = '', size, made = '', result] of vectorsOf('hkdf'))
    test(`Wycheproof HKDF-SHA-256 ${id} is ${result}`, () => {
      const derive = () => Buffer.from(hkdfSync('sha256', bytes(key), bytes(salt), bytes(info), Number(size))).toString('hex');
      if (result === 'invalid') assert.throws(derive);
      else assert.equal(derive(), made);
    });
});

suite('a sealed value', () => {
  test('opens in its place, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (plain) => {
        assert.deepEqual(openValue(MASTER, PLACE, sealValue(MASTER, PLACE, plain)), Buffer.from(plain));
      }),
    );
  });

  test('opens nowhere else: not with another vault, table, record, field, epoch, version or master key', () => {
    const sealed = sealValue(MASTER, PLACE, Buffer.from('hunter2'));
    for (const change of [{ vault: 'v2' }, { table: 'persona' }, { record: 'ap' }, { field: 'valu' }, { epoch: 2 }, { version: 2 }])
      assert.throws(() => openValue(MASTER, { ...PLACE, ...change }, sealed), SealError);
    assert.throws(() => openValue(Buffer.alloc(32, 8), PLACE, sealed), SealError);
    // The ends of two names are no other place's.
    assert.throws(() => openValue(MASTER, { ...PLACE, table: 'secre', record: 'tapi' }, sealed), SealError);
  });

  test('does not open with any bit of it turned, nor cut, nor longer', () => {
    const sealed = sealValue(MASTER, PLACE, Buffer.from('hunter2'));
    for (let bit = 0; bit < sealed.byteLength * 8; bit++) {
      const turned = Buffer.from(sealed);
      turned.writeUInt8(turned.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.throws(() => openValue(MASTER, PLACE, turned), SealError, `bit ${bit}`);
    }
    for (let length = 0; length < sealed.byteLength; length++)
      assert.throws(() => openValue(MASTER, PLACE, sealed.subarray(0, length)), SealError, `${length} bytes`);
    assert.throws(() => openValue(MASTER, PLACE, Buffer.concat([sealed, Buffer.of(0)])), SealError);
  });

  test('is another one at every write', () => {
    const made = new Set(Array.from({ length: 1000 }, () => sealValue(MASTER, PLACE, Buffer.from('same')).toString('hex')));
    assert.equal(made.size, 1000);
  });
});

suite('a passphrase', () => {
  test('RFC 9106, 5.3: Argon2id of this Node is that of the RFC', () => {
    const tag = argon2Sync('argon2id', {
      message: Buffer.alloc(32, 1),
      nonce: Buffer.alloc(16, 2),
      secret: Buffer.alloc(8, 3),
      associatedData: Buffer.alloc(12, 4),
      memory: 32,
      passes: 3,
      parallelism: 4,
      tagLength: 32,
    });
    assert.equal(tag.toString('hex'), '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659');
  });

  test('gives one key at one cost, another at another salt, and the same in both forms of an accent', async () => {
    const cost = newPassphraseCost();
    const key = await passphraseKey('caf\u00e9 noir', cost);
    assert.equal(key.byteLength, 32);
    assert.deepEqual(await passphraseKey('cafe\u0301 noir', cost), key);
    assert.notDeepEqual(await passphraseKey('caf\u00e9 noir', newPassphraseCost()), key);
    assert.notDeepEqual(await passphraseKey('caf\u00e9 noi', cost), key);
  });

  const cost = newPassphraseCost();
  for (const [name, change] of Object.entries({
    'too little memory': { memory: 19_455 },
    'too much memory': { memory: 1_048_577 },
    'one pass': { passes: 1 },
    'too many passes': { passes: 17 },
    'no lane': { parallelism: 0 },
    'too many lanes': { parallelism: 17 },
    'half a pass': { passes: 2.5 },
    'a short salt': { salt: 'AAAA' },
    'no number': { memory: NaN },
  }))
    test(`is refused with ${name}`, async () => {
      assert.equal(isAcceptable({ ...cost, ...change }), false);
      await assert.rejects(passphraseKey('x', { ...cost, ...change }), RangeError);
    });
});

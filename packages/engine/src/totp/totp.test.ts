import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { codeAt, findDrift, nextCode, secondsLeft } from './codes.ts';
import { readSeed } from './seed.ts';
import type { Totp } from './seed.ts';

const SEED = 'JBSWY3DPEHPK3PXP';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function totpOf(text: string): Totp {
  const read = readSeed(text);
  assert.ok('totp' in read, 'fault' in read ? read.message : '');
  return read.totp;
}

/** RFC 6238, appendix B: seconds, then the codes of SHA-1, SHA-256 and SHA-512, whose seeds are as long as their hashes. */
const RFC_6238: readonly (readonly [seconds: number, ...codes: string[]])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
];
const HASHES = [
  ['SHA1', 20],
  ['SHA256', 32],
  ['SHA512', 64],
] as const;

suite('codes', () => {
  for (const [seconds, ...codes] of RFC_6238)
    for (const [i, [algorithm, bytes]] of HASHES.entries())
      test(`RFC 6238: ${algorithm} at ${seconds}`, () => {
        const secret = base32(Buffer.from('1234567890'.repeat(7).slice(0, bytes)));
        const totp = totpOf(`otpauth://totp/rfc?secret=${secret}&algorithm=${algorithm}&digits=8`);
        assert.equal(codeAt(totp, seconds * 1000), codes[i]);
      });

  test('live to the end of their period', () => {
    const totp = totpOf(SEED);
    for (const [atMs, left] of [
      [0, 30],
      [1, 30],
      [1000, 29],
      [29_000, 1],
      [29_999, 1],
      [30_000, 30],
    ] as const)
      assert.equal(secondsLeft(totp, atMs), left, `${atMs}`);
  });

  test('are told with how far another clock is from ours, and only a period', () => {
    const totp = totpOf(SEED);
    const nowMs = 1_700_000_000_000;
    for (const drift of [-1, 0, 1]) assert.equal(findDrift(totp, codeAt(totp, nowMs + drift * 30_000), nowMs), drift);
    for (const drift of [-2, 2]) assert.equal(findDrift(totp, codeAt(totp, nowMs + drift * 30_000), nowMs), undefined);
    const code = codeAt(totp, nowMs);
    assert.equal(findDrift(totp, `${code.slice(0, 3)} ${code.slice(3)}`, nowMs), 0);
    for (const wrong of ['', '12', 'abcdef', `${code}0`]) assert.equal(findDrift(totp, wrong, nowMs), undefined, wrong);
  });
});

suite('the code to send next', () => {
  const totp = totpOf(SEED);
  const base = 60_000_000;
  for (const [name, nowMs, spent, counter, fromMs] of [
    ['is that of now with much of its life left', base, undefined, 2000, base],
    ['is that of now with five seconds left', base + 24_999, undefined, 2000, base + 24_999],
    ['is the next one with less left', base + 25_000, undefined, 2001, base + 30_000],
    ['is the next one where that of now was sent', base + 3000, 2000, 2001, base + 30_000],
    ['is the one behind the next where both were sent', base + 3000, 2001, 2002, base + 60_000],
    ['is that of now where an older one was sent', base, 1999, 2000, base],
  ] as const)
    test(name, () => {
      const next = nextCode(totp, nowMs, spent);
      assert.deepEqual([next.counter, next.fromMs], [counter, fromMs]);
      assert.equal(next.code, codeAt(totp, next.fromMs));
      assert.ok(next.untilMs - next.fromMs >= 5000);
    });

  test('has at least half of its life left where that is less than five seconds', () => {
    const quick = totpOf(`otpauth://totp/x?secret=${SEED}&period=4`);
    assert.equal(nextCode(quick, 1999, undefined).counter, 0);
    assert.equal(nextCode(quick, 2000, undefined).counter, 1);
  });
});

suite('seeds', () => {
  const plain = totpOf(SEED);
  for (const [name, text] of Object.entries({
    'in groups': 'JBSW Y3DP EHPK 3PXP',
    'in small letters': 'jbswy3dpehpk3pxp',
    'with hyphens': 'JBSW-Y3DP-EHPK-3PXP',
    'with padding': `${SEED}======`,
    'with spaces around': `  ${SEED}\n`,
    'as an address': `otpauth://totp/?secret=${SEED}`,
    'as an address in large letters': `OTPAUTH://TOTP/?secret=${SEED}`,
  }))
    test(`are read ${name}`, () => assert.deepEqual(totpOf(text), plain));

  test('are of SHA-1, six digits and thirty seconds unless they say', () => {
    assert.deepEqual([plain.algorithm, plain.digits, plain.period, plain.secret.length], ['SHA1', 6, 30, 10]);
    assert.deepEqual(plain.warnings, ['short_seed']);
    assert.deepEqual(totpOf(base32(new Uint8Array(16))).warnings, []);
  });

  for (const algorithm of ['SHA1', 'SHA256', 'SHA512'] as const)
    for (const digits of [6, 7, 8])
      for (const period of [15, 30, 60])
        test(`are read with ${algorithm}, ${digits} digits and ${period} seconds`, () => {
          const totp = totpOf(`otpauth://totp/x?secret=${SEED}&algorithm=${algorithm.toLowerCase()}&digits=${digits}&period=${period}`);
          assert.deepEqual([totp.algorithm, totp.digits, totp.period], [algorithm, digits, period]);
        });

  test('bring issuer and account, percent-encoded or not, and a mismatch is told', () => {
    const secret = `secret=${SEED}`;
    for (const [address, issuer, account, warnings] of [
      [`otpauth://totp/ACME%20Co:john%40example.com?${secret}&issuer=ACME%20Co`, 'ACME Co', 'john@example.com', []],
      [`otpauth://totp/ACME%20Co%3Ajohn@example.com?${secret}`, 'ACME Co', 'john@example.com', []],
      [`otpauth://totp/john?${secret}&issuer=ACME`, 'ACME', 'john', []],
      [`otpauth://totp/Other:john?${secret}&issuer=ACME`, 'ACME', 'john', ['issuer_mismatch']],
      [`otpauth://totp/100%:john?${secret}`, '100%', 'john', []],
    ] as const) {
      const totp = totpOf(address);
      assert.deepEqual([totp.issuer, totp.account, totp.warnings], [issuer, account, [...warnings, 'short_seed']], address);
    }
  });

  for (const [name, text, fault] of [
    ['nothing', '', 'empty'],
    ['blanks', ' \n ', 'empty'],
    ['padding alone', '====', 'empty'],
    ['one byte', 'GE', 'too_short'],
    ['nine bytes', 'JBSWY3DPEHPK3PX'.slice(0, 14), 'too_short'],
    ['a megabyte', 'A'.repeat(1_000_000), 'too_long'],
    ['a zero', 'JBSWY3DPEHPK3PX0', 'not_base32'],
    ['a one', 'JBSWY3DPEHPK3PX1', 'not_base32'],
    ['an eight', 'JBSWY3DPEHPK3PX8', 'not_base32'],
    ['a nine', 'JBSWY3DPEHPK3PX9', 'not_base32'],
    ['letters of elsewhere', 'JBSWY3DPEHPK3PXÄ', 'not_base32'],
    ['another address', 'https://example.com/?secret=JBSWY3DPEHPK3PXP', 'not_an_address'],
    ['a counter', `otpauth://hotp/x?secret=${SEED}&counter=1`, 'not_totp'],
    ['no secret', 'otpauth://totp/x?issuer=ACME', 'no_secret'],
    ['an empty secret', 'otpauth://totp/x?secret=', 'no_secret'],
    ['two secrets', `otpauth://totp/x?secret=${SEED}&secret=${SEED}`, 'two_secrets'],
    ['MD5', `otpauth://totp/x?secret=${SEED}&algorithm=MD5`, 'bad_algorithm'],
    ['five digits', `otpauth://totp/x?secret=${SEED}&digits=5`, 'bad_digits'],
    ['nine digits', `otpauth://totp/x?secret=${SEED}&digits=9`, 'bad_digits'],
    ['half a digit', `otpauth://totp/x?secret=${SEED}&digits=6.5`, 'bad_digits'],
    ['no time', `otpauth://totp/x?secret=${SEED}&period=0`, 'bad_period'],
    ['a negative time', `otpauth://totp/x?secret=${SEED}&period=-30`, 'bad_period'],
    ['an hour', `otpauth://totp/x?secret=${SEED}&period=3600`, 'bad_period'],
  ] as const)
    test(`are refused with ${name}, and nothing of them is said`, () => {
      const read = readSeed(text);
      assert.ok('fault' in read);
      assert.equal(read.fault, fault);
      assert.ok(!/[A-Z2-7]{5}/.test(read.message.replace('SHA256', '').replace('SHA512', '')), read.message);
    });
});

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readCookieFile } from './cookie-file.ts';
import { CommandError } from './exit.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LATER = NOW / 1000 + 60;

suite('a file of cookies', () => {
  test('is read as curl and wget write it, with HttpOnly, subdomains and sessions; what has expired is left out', () => {
    const lines = [
      '# Netscape HTTP Cookie File',
      '',
      `#HttpOnly_.a.test\tTRUE\t/app\tTRUE\t${LATER}\tsid\tone=two`,
      'b.test\tFALSE\t/\tFALSE\t0\tkept\t',
      `b.test\tFALSE\t/\tFALSE\t${LATER - 120}\told\tx`,
    ];
    assert.deepEqual(readCookieFile(lines.join('\r\n'), 'c.txt', NOW), [
      { name: 'sid', value: 'one=two', domain: '.a.test', path: '/app', secure: true, http_only: true, expires: LATER },
      { name: 'kept', value: '', domain: 'b.test', path: '/', secure: false, http_only: false, expires: -1 },
    ]);
  });

  test('is read as Playwright writes it', () => {
    const state = {
      cookies: [{ name: 'a', value: 'b', domain: '.a.test', path: '/', expires: -1, httpOnly: true, secure: false }],
      origins: [],
    };
    assert.deepEqual(readCookieFile(JSON.stringify(state), 's.json', NOW), [
      { name: 'a', value: 'b', domain: '.a.test', path: '/', expires: -1, http_only: true, secure: false },
    ]);
  });

  for (const [what, text] of [
    ['another file', 'name=s3cr3tvalue'],
    ['a line with spaces for tabs', 'a.test FALSE / FALSE 0 sid s3cr3tvalue'],
    ['JSON that is none', '{"cookies": s3cr3tvalue'],
    ['JSON of something else', '{"cookie": "s3cr3tvalue"}'],
  ] as const)
    test(`${what} is refused by its line, and no value is quoted`, () =>
      assert.throws(
        () => readCookieFile(text, 'c.txt', NOW),
        (error) => error instanceof CommandError && error.message.includes('c.txt') && !error.message.includes('s3cr3t'),
      ));
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rateLimitedError, retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2030, 0, 1, 12, 0, 0);
const page = (status: number, value?: string) => ({
  url: 'https://a.example/',
  status,
  headers: value === undefined ? [] : ([['retry-after', value]] as const),
});

describe('retryAfterMs', () => {
  const rows: readonly (readonly [status: number, value: string | undefined, waitMs: number | undefined])[] = [
    [429, '120', 120_000],
    [503, '0', 0],
    [429, ' 5 ', 5_000],
    [503, 'Tue, 01 Jan 2030 12:01:00 GMT', 60_000],
    [429, 'Tue, 01 Jan 2030 11:00:00 GMT', 0],
    [429, '999999999', 86_400_000],
    [503, 'Fri, 01 Jan 2100 00:00:00 GMT', 86_400_000],
    [429, 'soon', undefined],
    [429, '', undefined],
    [429, '-5x', undefined],
    [429, undefined, undefined],
    [200, '120', undefined],
    [500, '120', undefined],
  ];
  for (const [status, value, waitMs] of rows) {
    test(`${status} with ${JSON.stringify(value)} is ${waitMs}`, () => assert.equal(retryAfterMs(page(status, value), NOW), waitMs));
  }
});

describe('rateLimitedError', () => {
  test('says until when the host is left alone', () => {
    const error = rateLimitedError(page(429, '120'), NOW);
    assert.deepEqual([error?.code, error?.next, error?.status, error?.retryAtMs], ['rate_limited', 'retry_later', 429, NOW + 120_000]);
    assert.match(error?.message ?? '', /120 seconds/);
  });
  test('says so when the server gave no time', () => assert.equal(rateLimitedError(page(503), NOW)?.retryAtMs, undefined));
  test('is absent for any other page', () => assert.equal(rateLimitedError(page(404), NOW), undefined));
});

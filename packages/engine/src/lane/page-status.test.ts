import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseStatus } from './page-status.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const answer = (status: number, retryAfter?: string) => ({
  status,
  url: 'http://site.test/',
  headers: retryAfter === undefined ? [] : [['retry-after', retryAfter] as const],
});

for (const status of [200, 201, 203, 204])
  test(`${status} can be a page`, () => assert.equal(refuseStatus(answer(status), NOW), undefined));

for (const [status, code, message] of [
  [206, 'http_status', /a part, though the whole was asked for/],
  [302, 'http_status', /a redirect that leads nowhere/],
  [304, 'http_status', /that was not the question/],
  [404, 'http_status', /answered 404; nothing was kept/],
  [500, 'server_error', /answered 500; nothing was kept/],
  [429, 'rate_limited', /Ask again later/],
  [503, 'rate_limited', /Ask again later/],
] as const)
  test(`${status} is ${code}`, () => {
    const error = refuseStatus(answer(status), NOW);
    assert.deepEqual([error?.code, error?.status, error?.retryAtMs], [code, status, undefined]);
    assert.match(error?.message ?? '', message);
  });

for (const [value, waitMs] of [
  ['120', 120_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['999999999', 86_400_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
] as const)
  test(`a 503 with Retry-After ${value} says when to ask again`, () => {
    const error = refuseStatus(answer(503, value), NOW);
    assert.equal(error?.retryAtMs, waitMs === undefined ? undefined : NOW + waitMs);
  });

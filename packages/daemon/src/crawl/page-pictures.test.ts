import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@weft/contract';
import type { Page } from '@weft/engine';
import { keepPictures } from './page-pictures.ts';

const PAGE: Page = {
  requestedUrl: 'https://shop.test/a',
  url: 'https://shop.test/a',
  status: 200,
  headers: [],
  body: new Uint8Array(),
  contentType: 'text/html',
  lane: 'browser',
  laneReason: 'asked',
  redirects: [],
  timings: { totalMs: 0 },
  fetchedAtMs: 0,
  optionsIgnored: [],
  fromCache: false,
  screenshot: new Uint8Array([1]),
};

const full = new AppError('device_capacity', 'The disk has less than 500 MB free; make room, or delete files.');
const locked = Object.assign(new Error('database is locked'), { errcode: 5 });

for (const [name, thrown, expected] of [
  ['a disk that is full', full, { code: 'internal', next: 'drop', message: full.message }],
  ['a database that is held', locked, { code: 'internal', message: /Another program holds the database/ }],
  ['what nobody expected', new TypeError('a fault of ours'), { name: 'TypeError' }],
] as const)
  test(`a page whose picture can not be kept fails with that reason: ${name}`, async () => {
    await assert.rejects(keepPictures(PAGE, 1, { keepOfRun: () => Promise.reject(thrown) }), expected);
  });

test('a page without pictures keeps none', async () => {
  const { screenshot: _screenshot, ...plain } = PAGE;
  assert.deepEqual(await keepPictures(plain, 1, { keepOfRun: () => Promise.reject(full) }), {});
});

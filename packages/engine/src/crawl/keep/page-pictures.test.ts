import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../ports.ts';
import { keepPictures } from './page-pictures.ts';

const PAGE: Page = {
  requestedUrl: 'https://shop.test/a/b?c=1',
  url: 'https://shop.test/a/b?c=1',
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
};

test('a page without pictures keeps none', async () => {
  assert.deepEqual(await keepPictures(PAGE, () => Promise.reject(new Error('nothing was to be kept'))), {});
});

test('pictures are named for their page, and the record names the files', async () => {
  const pictured = { ...PAGE, screenshot: new Uint8Array([1]), pdf: new Uint8Array([2]) };
  const kept: string[] = [];
  const record = await keepPictures(pictured, async ({ name, contentType, bytes }) => {
    kept.push(`${name} ${contentType} ${bytes.join(' ')}`);
    return `file_${kept.length}`;
  });
  assert.deepEqual(record, { screenshot: 'file_1', pdf: 'file_2' });
  assert.deepEqual(kept, ['shop.test-a-b.png image/png 1', 'shop.test-a-b.pdf application/pdf 2']);
});

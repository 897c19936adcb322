import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@weft/contract';
import { keepRunFile } from './run-files.ts';

const FILE = { name: 'shop.test-a.png', contentType: 'image/png', bytes: new Uint8Array([1]) };

const full = new AppError('device_capacity', 'The disk has less than 500 MB free; make room, or delete files.');
const locked = Object.assign(new Error('database is locked'), { errcode: 5 });

for (const [name, thrown, expected] of [
  ['a disk that is full', full, { code: 'internal', next: 'drop', message: full.message }],
  ['a database that is held', locked, { code: 'internal', message: /Another program holds the database/ }],
  ['what nobody expected', new TypeError('a fault of ours'), { name: 'TypeError' }],
] as const)
  test(`a page whose picture can not be kept fails with that reason: ${name}`, async () => {
    await assert.rejects(keepRunFile(FILE, 'https://shop.test/a', 1, { keepOfRun: () => Promise.reject(thrown) }), expected);
  });

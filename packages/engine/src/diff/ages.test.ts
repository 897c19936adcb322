import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOnlyOlder } from './ages.ts';

const CASES: readonly (readonly [older: unknown, newer: unknown, isOlder: boolean])[] = [
  ['Ada 2 minutes ago', 'Ada 3 minutes ago', true],
  ['- [Fix](/c/1) 59 minutes ago\n- 2 days ago', '- [Fix](/c/1) about an hour ago\n- 3 days ago', true],
  ['just now', '5 minutes ago', true],
  ['yesterday', '2 days ago', true],
  ['2 hours, 5 minutes ago', '2 hours, 40 minutes ago', true],
  ['3h ago', '4h ago', true],
  ['vor 3 Tagen', 'vor 4 Tagen', true],
  ['il y a 2 heures', 'il y a 1 jour', true],
  ['hace un mes', 'hace 2 meses', true],
  ['last updated 3 days ago', 'last updated 2 minutes ago', false],
  ['2 minutes ago', '2 minutes', false],
  ['Ada 2 minutes ago', 'Bram 3 minutes ago', false],
  ['a: 2 minutes ago', 'a: 2 minutes ago, b: 1 minute ago', false],
  ['lasts 2 days', 'lasts 3 days', false],
  ['version 2', 'version 3', false],
  [{ records: [{ secondsAgo: 120, raw: '2 minutes ago' }] }, { records: [{ secondsAgo: 180, raw: '3 minutes ago' }] }, true],
  [{ records: [{ secondsAgo: 120 }] }, { records: [{ secondsAgo: 60 }] }, false],
  [{ price: 2 }, { price: 3 }, false],
  [{ a: '1 day ago' }, { b: '1 day ago' }, false],
  [['1 day ago'], { 0: '1 day ago' }, false],
  [null, 'x', false],
];

for (const [older, newer, isOlder] of CASES)
  test(`${JSON.stringify(newer)} is ${isOlder ? 'only older than' : 'another than'} ${JSON.stringify(older)}`, () =>
    assert.equal(isOnlyOlder(older, newer), isOlder));

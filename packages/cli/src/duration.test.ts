import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { durationText, exactDurationText, parseDuration } from './duration.ts';

suite('a span of time as it is typed and shown', () => {
  const typed: readonly (readonly [string, number | undefined])[] = [
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['1d', 86_400],
    ['1w', 604_800],
    ['', undefined],
    ['m', undefined],
    ['1.5h', undefined],
    ['-5m', undefined],
    ['5 m', undefined],
    ['1h30m', undefined],
  ];
  for (const [text, seconds] of typed) test(`"${text}" is ${seconds} seconds`, () => assert.equal(parseDuration(text), seconds));

  const shown: readonly (readonly [number, string])[] = [
    [0.4, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [7199, '1 h'],
    [86_400, '1 d'],
    [604_800, '7 d'],
  ];
  const exact: readonly (readonly [number, string])[] = [
    [5, '5 s'],
    [90, '90 s'],
    [900, '15 min'],
    [5400, '90 min'],
    [86_400, '1 d'],
  ];
  for (const [seconds, text] of exact) test(`${seconds} seconds are ${text} exactly`, () => assert.equal(exactDurationText(seconds), text));

  for (const [seconds, text] of shown) test(`${seconds} seconds are ${text}`, () => assert.equal(durationText(seconds), text));
});

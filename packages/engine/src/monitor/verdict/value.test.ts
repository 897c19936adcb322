import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownValue, SeenValue } from '../known.ts';
import { differ } from './value.ts';

const seen = (text: string): SeenValue => ({ value: text, text, compared: text, digest: text });
const known = (text: string): KnownValue => ({ ...seen(text), sinceMs: 0, states: [], returns: [] });
const kindOf = (before: string, now: string) =>
  differ({ type: 'text', now: seen(now), known: known(before), baseline: undefined, alert: {} }, {}).kind;

test('a text that only time has changed counts for nothing', () => {
  assert.equal(kindOf('Ada, 2 minutes ago', 'Ada, about an hour ago'), 'quiet');
  assert.equal(kindOf('Last built 3 days ago', 'Last built 5 minutes ago'), 'counts');
  assert.equal(kindOf('Ada, 2 minutes ago', 'Bram, 3 minutes ago'), 'counts');
});

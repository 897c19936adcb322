import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPrintView } from './print-view.ts';

test('knows the addresses of print views, and no page that is about printing', () => {
  const views = [
    '?output=print',
    '?print=1',
    '?id=5&print',
    '?view=print&t=2',
    '?do=print',
    '?amp=1',
    '?amp',
    '?printable=yes',
    '?layout=print_version',
  ];
  for (const query of views) assert.notEqual(findPrintView(`https://a.test/p${query}`), undefined, query);
  const pages = [
    '',
    '?q=print',
    '?format=print',
    '?type=print',
    '?print=posters',
    '?amp=marshall',
    '?category=prints',
    '?title=Print',
    '?ampere=1',
    '?id=print',
  ];
  for (const query of pages) assert.equal(findPrintView(`https://a.test/print${query}`), undefined, query);
});

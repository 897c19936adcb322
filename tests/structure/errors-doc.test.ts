import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERROR_STATUS, FAILURE_CODES } from '@weft/contract';
import { EXIT } from '../../packages/cli/src/exit.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8');

test('docs/errors.md lists every error code with its status, and no other', () => {
  const listed = [...DOCUMENT.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code = '', status]) => [code, Number(status)]);
  assert.deepEqual(Object.fromEntries(listed), { ...ERROR_STATUS });
});

test('docs/errors.md lists every code of a failed run, and no other', () => {
  const table = DOCUMENT.split('| failure | meaning |')[1]?.split('\n## ')[0] ?? '';
  const listed = [...table.matchAll(/^\| `(\w+)` \| /gm)].map(([, code]) => code);
  assert.deepEqual(listed, [...FAILURE_CODES]);
});

test('docs/errors.md lists every exit code of the command line, and no other', () => {
  const listed = [...DOCUMENT.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  assert.deepEqual(
    listed,
    Object.values(EXIT).toSorted((a, b) => a - b),
  );
});

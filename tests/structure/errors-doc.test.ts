import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERROR_STATUS } from '@weft/contract';
import { EXIT } from '../../packages/cli/src/exit.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'errors.md'), 'utf8');

test('docs/errors.md lists every error code with its status, and no other', () => {
  const listed = [...DOCUMENT.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code = '', status]) => [code, Number(status)]);
  assert.deepEqual(Object.fromEntries(listed), { ...ERROR_STATUS });
});

test('docs/errors.md lists every exit code of the command line, and no other', () => {
  const listed = [...DOCUMENT.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  assert.deepEqual(
    listed,
    Object.values(EXIT).toSorted((a, b) => a - b),
  );
});

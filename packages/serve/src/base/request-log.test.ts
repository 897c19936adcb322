import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestLog } from '../kernel/kernel.ts';
import { createRequestLog } from './request-log.ts';

const REFUSED: RequestLog = { requestId: 'r', method: 'GET', operation: undefined, status: 403, durationMs: 1, actorId: undefined };

test('attack 7: strangers fill no log, and are counted in one line; known callers and failures are written as before', () => {
  let nowMs = 0;
  const lines: unknown[] = [];
  const write = (fields: unknown) => void lines.push(fields);
  const note = createRequestLog({ info: write, warn: write, error: write, close: async () => undefined }, () => nowMs);
  for (let i = 0; i < 80_000; i++) note(REFUSED);
  const written = lines.length;
  assert.ok(written <= 100, `${written} lines`);
  note({ ...REFUSED, actorId: 'runtime', status: 404 });
  assert.deepEqual(lines.slice(written), [{ requests: 80_000 - written }, { ...REFUSED, actorId: 'runtime', status: 404 }]);
  note({ ...REFUSED, status: 500, error: 'broke' });
  assert.equal(lines.length, written + 3);
  nowMs += 3_600_000;
  note(REFUSED);
  assert.equal(lines.length, written + 4);
});

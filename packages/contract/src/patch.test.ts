import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { patchOf } from './patch.ts';

const patch = z.strictObject(
  patchOf({
    name: z.string(),
    filter: z
      .strictObject({ ignore: z.array(z.string()).optional(), deep: z.strictObject({ a: z.int().optional() }).optional() })
      .optional(),
    quiet: z.strictObject({ from: z.string(), to: z.string().optional() }).optional(),
    headers: z.record(z.string(), z.string().max(5)).optional(),
    list: z.array(z.strictObject({ a: z.int().optional() })).optional(),
  }),
);

test('null removes what may be absent, however deep it stands', () => {
  const taken = {
    filter: { ignore: null, deep: { a: null } },
    quiet: { to: null },
    headers: { accept: null, x: 'y' },
    list: null,
    name: null,
  };
  assert.deepEqual(patch.parse(taken), taken);
  assert.deepEqual(patch.parse({ filter: { deep: null }, quiet: { to: '06:00' } }), { filter: { deep: null }, quiet: { to: '06:00' } });
});

test('what an object has to have is not removed, and lists are replaced by what a list may hold', () => {
  for (const refused of [{ quiet: { from: null } }, { list: [{ a: null }] }, { filter: { ignored: null } }, { headers: { x: 'too long' } }])
    assert.equal(patch.safeParse(refused).success, false, JSON.stringify(refused));
});

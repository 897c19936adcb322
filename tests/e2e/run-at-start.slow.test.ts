// A run that somebody asks for as soon as the agent answers, before it has said that it is ready.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Run } from '@weft/contract';
import { startProgram } from '../conformance/program.ts';

test('a run that is asked for while the agent starts is executed, and not taken for one that an earlier agent left', async () => {
  await using program = await startProgram();
  const probe = () => fetch(`${program.baseUrl}/probe`).catch(() => undefined);
  while (!(await probe())) assert.equal(program.process.exitCode, null);
  const token = readFileSync(join(program.home, 'token'), 'utf8').trim();
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return await (await fetch(program.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const steps = [{ id: 'row', type: 'emit', rows: [{ item: 1 }] }];
  const { id } = (await post('/v1/workflows', { name: 'At start', steps })) as { readonly id: number };
  const { status, failure } = (await post(`/v1/workflows/${id}/run?wait=true&timeout=60`, {})) as Run;
  assert.equal(status, 'succeeded', JSON.stringify(failure));
});

// Monitors of workflows whose agent is killed while it checks: what was sent is not sent again, what only reads is looked at again (D20, D36).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@weft/client';
import type { AgentClient } from '@weft/client';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { until } from '../until.ts';

test('a check of a workflow that was killed is made again only where the workflow sends nothing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-checks-'));
  const asked: string[] = [];
  let isHeld = true;
  await using site = await serveOnLoopback((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    asked.push(`${request.method} ${request.url}`);
    if (!isHeld) response.writeHead(200, { 'content-type': 'application/json' }).end('[{"name":"Tea"}]');
  });
  try {
    const ids = await firstLife(home, site.origin, () => asked.length === 3);
    assert.deepEqual(asked.toSorted(), ['GET /reads', 'POST /called', 'POST /sends']);
    isHeld = false;
    await using program = await startProgram({ home });
    const client = await clientOf(program);
    await until(() => asked.length === 4);
    assert.deepEqual(asked.toSorted(), ['GET /reads', 'GET /reads', 'POST /called', 'POST /sends']);
    const { data } = await client.runs.list({ kind: 'monitor' });
    const checksOf = (id: number) => data.filter(({ source }) => source.id === id).length;
    assert.deepEqual([checksOf(ids.reads), checksOf(ids.sends), checksOf(ids.calls)], [2, 1, 1], 'what sends waits for its next time');
    for (const id of [ids.sends, ids.calls]) assert.equal((await client.monitors.read({ id })).active, true);
  } finally {
    rmSync(home, { recursive: true });
  }
});

/** A life of the agent in which monitors of three workflows come due, and which ends with SIGKILL once `isOver`. */
async function firstLife(home: string, origin: string, isOver: () => boolean) {
  await using program = await startProgram({ home });
  const client = await clientOf(program);
  const workflow = async (name: string, steps: readonly object[]) => (await client.workflows.create({ name, steps } as never)).id;
  const ask = (method: string, path: string) => [
    { id: 'ask', type: 'request', method, url: `${origin}/${path}` },
    { id: 'rows', type: 'emit', rows: '{{steps.ask.out.json}}' },
  ];
  const monitor = async (workflow_id: number) =>
    (await client.monitors.create({ workflow_id, watch: 'rows', schedule: { every: 86_400 }, active: true } as never)).id;
  const called = await workflow('Called', ask('POST', 'called'));
  const sends = await monitor(await workflow('Sends', ask('POST', 'sends')));
  const calls = await monitor(await workflow('Calls', [{ id: 'call', type: 'call', workflow: String(called) }]));
  const reads = await monitor(await workflow('Reads', ask('GET', 'reads')));
  await until(isOver);
  program.process.kill('SIGKILL');
  await program.exit;
  return { sends, calls, reads };
}

async function clientOf(program: Program): Promise<AgentClient> {
  return createClient({ baseUrl: program.baseUrl, token: await program.ready(), retriesMax: 0 });
}

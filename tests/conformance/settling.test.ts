// Runs that were live when their agent died: each is settled once, by whoever starts next (F2).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LoggedEvent, Run } from '@weft/contract';
import { allRows } from '../../packages/daemon/src/db/rows.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { MOMENTS } from './dies-settling.ts';
import { startKernelAgent } from './kernel.ts';
import { twoPages } from './ways.ts';

const DYING = join(import.meta.dirname, 'dies-settling.ts');

test('F2 a run whose agent is killed in the middle of settling it stays live, and the next start brings it to one end', async () => {
  using home = scratchHome();
  for (const moment of Object.keys(MOMENTS)) {
    assert.equal(await die(home.path, moment), 'SIGKILL');
    for (const { status, finished } of readRuns(home.path))
      assert.ok(status !== 'succeeded' && finished === 0, `${moment}: ${status}, ${finished}`);
  }
  await using agent = await startKernelAgent({ home: home.path, fetcher: twoPages() });
  for (const { id } of readRuns(home.path)) {
    const events = await (await agent.call({ target: `/v1/runs/${id}/events`, token: agent.token })).text();
    assert.equal(events.match(/"type":"finished"/g)?.length, 1, events);
  }
  const settled = readRuns(home.path);
  assert.ok(settled.length > 0);
  for (const { status, finished } of settled) assert.deepEqual([status, finished], ['succeeded', 1]);
});

test('F2 a live run that can not go on is settled as interrupted once, however often the agent starts', async () => {
  using home = scratchHome();
  const id = await leaveWorkflowRunLive(home.path);
  for (let start = 0; start < 2; start++) {
    await using agent = await startKernelAgent({ home: home.path, fetcher: twoPages() });
    const run = (await agent.json('GET', `/v1/runs/${id}`)).body as Run;
    assert.deepEqual([run.status, run.failure?.code], ['failed', 'interrupted']);
    const events = createRunStore(agent.database).eventsAfter(id, 0, 10);
    assert.deepEqual(
      events.map(({ event }: { event: LoggedEvent }) => event.type),
      ['finished'],
    );
  }
});

/** How an agent ended that dies at `moment` of its first settlement. */
async function die(home: string, moment: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [DYING, home, moment], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal;
}

interface KeptRun {
  readonly id: number;
  readonly status: string;
  /** How many last events its log has. */
  readonly finished: number;
}

/** The runs as the file of the database tells them. */
function readRuns(home: string): readonly KeptRun[] {
  using sql = new DatabaseSync(join(home, 'weft.db'), { readOnly: true });
  const count = `SELECT count(*) FROM run_event WHERE run_id = run.id AND body LIKE '{"type":"finished"%'`;
  return allRows<KeptRun>(sql.prepare(`SELECT id, status, (${count}) AS finished FROM run ORDER BY id`));
}

async function leaveWorkflowRunLive(home: string): Promise<number> {
  await using agent = await startKernelAgent({ home, fetcher: twoPages() });
  const store = createRunStore(agent.database);
  const source = { source_kind: 'workflow', source_id: null, source_name: 'a workflow' };
  const id = store.insert({ kind: 'workflow', ...source, owner_id: 'runtime', created_at: agent.clock.now() }, () => null);
  assert.ok(store.start(id, agent.clock.now()));
  return id;
}

function scratchHome(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-settling-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

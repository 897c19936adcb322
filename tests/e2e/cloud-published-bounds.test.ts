// How long a published call may work, and how much it may answer.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { PUBLISHED_CHARACTERS_MAX, PUBLISHED_SECONDS } from '@weft/contract';
import { MemoryHostGate, createRobotsSources } from '@weft/engine';
import type { CrawlClock, WorkflowDefinition } from '@weft/engine';
import { createAddressGate, createViewPool, systemClock } from '@weft/engine/io';
import type { ViewPool } from '@weft/engine/io';
import { executeFunction } from '../../packages/cloud/src/published/execute.ts';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';

suite('the bounds of a published call', { timeout: 600_000 }, () => {
  let site: RawServer;
  let views: ViewPool;
  let onSlow: () => void = () => undefined;

  before(async () => {
    views = createViewPool();
    site = await startRawServer({
      '/page': reply({ headers: { 'Content-Type': 'text/html' }, body: `<h1>Kettles</h1><p>${'Words of a page. '.repeat(50)}` }),
      '/slow': () => onSlow(),
    });
  });
  after(async () => {
    await site.close();
    await views.close();
  });

  const execute = async (definition: WorkflowDefinition, clock: CrawlClock) => {
    const gate = createAddressGate({ mode: 'public', privateTargets: [`127.0.0.1:${site.port}`] });
    const fetcher = createHttpFetcher({ gate });
    const shared = { fetcher, clock, gate: new MemoryHostGate(clock), agent: 'WeftBot' };
    const asking = { ...shared, robotsFor: createRobotsSources(shared), views };
    const execution = { definition, inputs: {}, accountId: 'acct_x', mayUseBrowser: async () => false };
    try {
      return await executeFunction(execution, { asking, sessions: undefined }, new AbortController().signal);
    } finally {
      await fetcher.close();
    }
  };
  const open = (path: string) => ({ id: 'open', type: 'navigate' as const, url: site.origin + path, timeout: 600_000 });

  test('it is cut after its seconds, with the rows that it has', async () => {
    let cut = () => assert.fail('no such bound was set');
    // Rings when the test says that the time has come.
    const clock: CrawlClock = {
      ...systemClock,
      alarm(steadyMs, ring) {
        const seconds = Math.round((steadyMs - systemClock.steadyMs()) / 1000);
        if (seconds !== PUBLISHED_SECONDS) return systemClock.alarm(steadyMs, ring);
        cut = ring as typeof cut;
        return () => undefined;
      },
    };
    onSlow = () => cut();
    const rows = { id: 'rows', type: 'emit' as const, rows: [{ name: 'first' }] };
    const ended = await execute({ steps: [rows, open('/slow')] }, clock);
    assert.deepEqual([ended.failure?.code, ended.data, ended.rows], ['timeout', [{ name: 'first' }], 1]);
    const withOutput = await execute({ steps: [rows, open('/slow')], output: 'never' }, clock);
    assert.deepEqual([withOutput.failure?.code, withOutput.data], ['timeout', null]);
  });

  test('rows beyond what it may answer fail it, and are not left out in silence', async () => {
    const row = { text: 'x'.repeat(9000) };
    const times = Math.ceil(PUBLISHED_CHARACTERS_MAX / 9000);
    const steps = [
      {
        id: 'many',
        type: 'forEach' as const,
        items: Array.from({ length: times }, (_, i) => i),
        body: [{ id: 'row', type: 'emit' as const, rows: [row] }],
      },
    ];
    const ended = await execute({ steps }, systemClock);
    assert.equal(ended.failure?.code, 'body_too_large');
    assert.ok(ended.rows > 0 && ended.rows < times);
  });
});

// How to bring each operation of monitors to each status that it declares.
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { PAGE_URL, STUCK_URL, fillQueue, get, lockVault, patch, plain, post } from '../ways.ts';

const MONITOR = { url: PAGE_URL, respect_robots: false };
const TAG = { name: 'shops', schedule: { every: 7200 } };
const MADE = { monitor: 1, dataset: 1, due: 1 };
/** Two addresses. */
const LIST = { format: 'urls', content: `${PAGE_URL}\n${PAGE_URL}?2` };
/** More checks than any machine makes. */
const TOO_OFTEN = { every: 5 };
const remove = (target: string): KernelCall => ({ method: 'DELETE', target });

export const reach: Readonly<Record<string, Reach>> = {
  'monitors.list': { base: get('/v1/monitors'), ways: { 200: withMonitor(() => get('/v1/monitors?q=site&limit=1&active=true')) } },
  'monitors.create': {
    base: post('/v1/monitors', MONITOR),
    ways: {
      201: plain(post('/v1/monitors', MONITOR), MADE),
      404: plain(post('/v1/monitors', { workflow_id: 999 })),
      409: full(() => post('/v1/monitors', { ...MONITOR, schedule: TOO_OFTEN })),
    },
  },
  'monitors.capacity': { base: get('/v1/monitors/capacity'), ways: { 200: plain(get('/v1/monitors/capacity?every=60')) } },
  'monitors.read': {
    base: get('/v1/monitors/1'),
    ways: { 200: withMonitor((id) => get(`/v1/monitors/${id}`)), 404: plain(get('/v1/monitors/999')) },
  },
  'monitors.update': {
    base: patch('/v1/monitors/1', { name: 'Shelf' }),
    ways: {
      200: withMonitor((id) => patch(`/v1/monitors/${id}`, { name: 'Shelf' }), {}),
      404: plain(patch('/v1/monitors/999', { name: 'Shelf' })),
      409: full((id) => patch(`/v1/monitors/${id}`, { schedule: TOO_OFTEN })),
    },
  },
  'monitors.delete': {
    base: remove('/v1/monitors/1'),
    ways: { 204: withMonitor((id) => remove(`/v1/monitors/${id}`), { monitor: -1, due: -1 }), 404: plain(remove('/v1/monitors/999')) },
  },
  'monitors.run': {
    base: post('/v1/monitors/1/run'),
    ways: {
      200: paused((id) => post(`/v1/monitors/${id}/run?wait=true&timeout=60`), PAGE_URL, {
        run: 1,
        run_event: 3,
        blob: 2,
        monitor_snapshot: 1,
        monitor_snapshot_part: 2,
        monitor_check: 1,
        monitor_value: 1,
        monitor_cost: 1,
        record: 1,
      }),
      202: paused((id) => post(`/v1/monitors/${id}/run`), STUCK_URL, { run: 1, run_event: 1 }),
      404: plain(post('/v1/monitors/999/run')),
      409: {
        prepare: async (agent) => {
          const id = await makeMonitor(agent, PAGE_URL);
          await fillQueue(agent);
          return post(`/v1/monitors/${id}/run`);
        },
      },
      423: {
        prepare: async (agent) => {
          const persona = await agent.json('POST', '/v1/personas', { name: 'Ada', origins: ['http://site.test'] });
          const made = await agent.json('POST', '/v1/monitors', { ...MONITOR, persona_id: (persona.body as { id: number }).id });
          await lockVault(agent);
          return post(`/v1/monitors/${(made.body as { id: number }).id}/run`);
        },
      },
    },
  },
  'monitors.changes': {
    base: get('/v1/monitors/1/changes'),
    ways: {
      200: withChange((id) => get(`/v1/monitors/${id}/changes?kind=price&since=2020-01-01T00:00:00Z`)),
      404: plain(get('/v1/monitors/999/changes')),
    },
  },
  'monitors.recentChanges': { base: get('/v1/changes/recent'), ways: { 200: withChange(() => get('/v1/changes/recent?limit=5')) } },
  'monitors.checks': {
    base: get('/x/monitors/1/checks'),
    ways: { 200: withMonitor((id) => get(`/x/monitors/${id}/checks?verdict=first`)), 404: plain(get('/x/monitors/999/checks')) },
  },
  'monitors.snapshots': {
    base: get('/x/monitors/1/snapshots'),
    ways: { 200: withCheck((id) => get(`/x/monitors/${id}/snapshots?limit=1`)), 404: plain(get('/x/monitors/999/snapshots')) },
  },
  'monitors.snapshot': {
    base: get('/x/monitors/1/snapshots/1'),
    ways: { 200: withCheck((id) => get(`/x/monitors/${id}/snapshots/1`)), 404: plain(get('/x/monitors/999/snapshots/1')) },
  },
  'monitors.snapshotContent': {
    base: get('/x/monitors/1/snapshots/1/content'),
    ways: {
      200: withCheck((id) => get(`/x/monitors/${id}/snapshots/1/content?part=values`)),
      404: plain(get('/x/monitors/999/snapshots/1/content')),
    },
  },
  'monitors.diff': {
    base: get('/x/monitors/1/diff'),
    ways: { 200: withCheck((id) => get(`/x/monitors/${id}/diff?from=1&to=1&as=unified`)), 404: plain(get('/x/monitors/999/diff')) },
  },
  'monitors.changeDiff': {
    base: get('/x/monitors/changes/1/diff'),
    ways: { 200: withChange(() => get('/x/monitors/changes/1/diff')), 404: plain(get('/x/monitors/changes/999/diff')) },
  },
  'monitors.values': {
    base: get('/x/monitors/1/values'),
    ways: { 200: withCheck((id) => get(`/x/monitors/${id}/values?bucket=hour&limit=5`)), 404: plain(get('/x/monitors/999/values')) },
  },
  'monitors.durations': {
    base: get('/x/monitors/1/durations'),
    ways: { 200: withMonitor((id) => get(`/x/monitors/${id}/durations?bucket=day`)), 404: plain(get('/x/monitors/999/durations')) },
  },
  'monitors.hours': {
    base: get('/x/monitors/1/hours'),
    ways: { 200: withCheck((id) => get(`/x/monitors/${id}/hours`)), 404: plain(get('/x/monitors/999/hours')) },
  },
  'monitors.atom': {
    base: get('/x/monitors/1/atom'),
    ways: { 200: withChange((id) => get(`/x/monitors/${id}/atom?limit=3`)), 404: plain(get('/x/monitors/999/atom')) },
  },
  'monitors.feed': { base: get('/x/monitors/atom'), ways: { 200: withChange(() => get('/x/monitors/atom')) } },
  'monitors.toggle': {
    base: post('/x/monitors/1/toggle'),
    ways: {
      200: withMonitor((id) => post(`/x/monitors/${id}/toggle`), { due: -1 }),
      404: plain(post('/x/monitors/999/toggle')),
      409: full((id) => post(`/x/monitors/${id}/toggle`), { ...MONITOR, schedule: TOO_OFTEN, active: false }),
    },
  },
  'monitors.import': {
    base: post('/x/monitors/import', LIST),
    ways: {
      200: plain(post('/x/monitors/import', { ...LIST, dry_run: true })),
      201: plain(post('/x/monitors/import', LIST), { monitor: 2, dataset: 2, due: 2 }),
      404: plain(post('/x/monitors/import', { file_id: 'file_none' })),
      409: full(() =>
        post('/x/monitors/import', { content: JSON.stringify({ weft: 1, monitors: [{ ...MONITOR, schedule: TOO_OFTEN }] }) }),
      ),
    },
  },
  'monitors.export': { base: get('/x/monitors/export'), ways: { 200: withMonitor(() => get('/x/monitors/export')) } },
  'monitorTags.list': { base: get('/x/monitors/tags'), ways: { 200: withTag(get('/x/monitors/tags?limit=1')) } },
  'monitorTags.put': {
    base: post('/x/monitors/tags', TAG),
    ways: {
      200: withTag(post('/x/monitors/tags', TAG), {}),
      201: plain(post('/x/monitors/tags', TAG), { monitor_tag: 1 }),
      404: plain(post('/x/monitors/tags', { ...TAG, channels: [999] })),
      409: full(() => post('/x/monitors/tags', { ...TAG, schedule: TOO_OFTEN }), { ...MONITOR, tags: ['shops'] }),
    },
  },
  'monitorTags.read': {
    base: get('/x/monitors/tags/shops'),
    ways: { 200: withTag(get('/x/monitors/tags/shops')), 404: plain(get('/x/monitors/tags/none')) },
  },
  'monitorTags.update': {
    base: patch('/x/monitors/tags/shops', { lane: 'http' }),
    ways: {
      200: withTag(patch('/x/monitors/tags/shops', { lane: 'http' }), {}),
      404: plain(patch('/x/monitors/tags/none', { lane: 'http' })),
      409: {
        prepare: async (agent) => {
          await agent.json('POST', '/x/monitors/tags', TAG);
          return await full(() => patch('/x/monitors/tags/shops', { schedule: TOO_OFTEN }), { ...MONITOR, tags: ['shops'] }).prepare(agent);
        },
      },
    },
  },
  'monitorTags.delete': {
    base: remove('/x/monitors/tags/shops'),
    ways: { 204: withTag(remove('/x/monitors/tags/shops'), { monitor_tag: -1 }), 404: plain(remove('/x/monitors/tags/none')) },
  },
};

/** The id of a new monitor. */
export async function makeMonitor(agent: KernelAgent, url: string, more: object = {}): Promise<number> {
  const { body } = await agent.json('POST', '/v1/monitors', { ...MONITOR, url, ...more });
  return (body as { id: number }).id;
}

function withTag(call: KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      await agent.json('POST', '/x/monitors/tags', TAG);
      return call;
    },
    ...(rows ? { rows } : {}),
  };
}

function withMonitor(call: (id: number) => KernelCall, rows?: Way['rows'], url = PAGE_URL): Way {
  return { prepare: async (agent) => call(await makeMonitor(agent, url)), ...(rows ? { rows } : {}) };
}

/** One that is not checked by itself. */
function paused(call: (id: number) => KernelCall, url: string, rows: Way['rows']): Way {
  return { prepare: async (agent) => call(await makeMonitor(agent, url, { active: false })), ...(rows ? { rows } : {}) };
}

/** One that was checked once. */
function withCheck(call: (id: number) => KernelCall): Way {
  return {
    prepare: async (agent) => {
      const id = await makeMonitor(agent, PAGE_URL, { active: false });
      await agent.json('POST', `/v1/monitors/${id}/run?wait=true&timeout=60`);
      return call(id);
    },
  };
}

/** One that has told something just now. */
function withChange(call: (id: number) => KernelCall): Way {
  return {
    prepare: async (agent) => {
      const id = await makeMonitor(agent, PAGE_URL);
      agent.database.fast
        .prepare(
          "INSERT INTO monitor_change (monitor_id, kind, old, new, summary, run_id, created_at) VALUES (?, 'price', '2', '1', 'It is cheaper.', 1, ?)",
        )
        .run(id, agent.clock.now());
      return call(id);
    },
  };
}

/** One check was measured that took an hour: then nothing more fits. */
function full(call: (id: number) => KernelCall, monitor: object = MONITOR): Way {
  return {
    prepare: async (agent) => {
      const { body } = await agent.json('POST', '/v1/monitors', monitor);
      agent.database.fast.exec("INSERT INTO monitor_cost VALUES ('http', 3600, 1)");
      return call((body as { id: number }).id);
    },
  };
}

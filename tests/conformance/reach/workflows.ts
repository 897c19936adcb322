// How to bring each operation of workflows to each status that it declares.
import type { Run, Workflow } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { CANCELLED, PAGE_URL, STUCK_URL, begun, fillQueue, get, lockVault, patch, plain, post } from '../ways.ts';

const OPEN = (url: string) => ({ name: 'Shelf', steps: [{ id: 'open', type: 'navigate', url }] });
const WORKFLOW = { ...OPEN(PAGE_URL), slug: 'shelf' };
const CALL = post('/x/functions/shelf');
const RECORDING = JSON.stringify({ title: 'Shelf', steps: [{ type: 'navigate', url: PAGE_URL }] });
const MADE = { workflow: 1, workflow_revision: 1, dataset: 1 };
const DISPATCHED = { run: 1, workflow_run: 1 };
const remove = (target: string): KernelCall => ({ method: 'DELETE', target });

export const reach: Readonly<Record<string, Reach>> = {
  'workflows.list': { base: get('/v1/workflows'), ways: { 200: withWorkflow(() => get('/v1/workflows?q=shel&limit=1')) } },
  'workflows.create': {
    base: post('/v1/workflows', WORKFLOW),
    ways: { 201: plain(post('/v1/workflows', WORKFLOW), MADE), 409: withWorkflow(() => post('/v1/workflows', WORKFLOW)) },
  },
  'workflows.read': {
    base: get('/v1/workflows/1'),
    ways: { 200: withWorkflow((id) => get(`/v1/workflows/${id}`)), 404: plain(get('/v1/workflows/999')) },
  },
  'workflows.update': {
    base: patch('/v1/workflows/1', { name: 'Two shelves' }),
    ways: {
      200: withWorkflow((id) => patch(`/v1/workflows/${id}`, { name: 'Two shelves' }), { workflow_revision: 1 }),
      404: plain(patch('/v1/workflows/999', { name: 'Two shelves' })),
      409: withWorkflow((id) => patch(`/v1/workflows/${id}`, { name: 'Two shelves', revision: 7 })),
    },
  },
  'workflows.delete': {
    base: remove('/v1/workflows/1'),
    ways: {
      204: withWorkflow((id) => remove(`/v1/workflows/${id}`), { workflow: -1, workflow_revision: -1 }),
      404: plain(remove('/v1/workflows/999')),
      423: lockedSession((id) => remove(`/v1/workflows/${id}`)),
    },
  },
  'workflows.call': {
    base: post('/x/functions/none'),
    ways: {
      200: {
        prepare: async (agent) => {
          await makeWorkflow(agent, PAGE_URL);
          return CALL;
        },
        rows: { ...DISPATCHED, dataset_run: 1, run_event: 3, workflow_guard: 1 },
      },
      404: plain(post('/x/functions/none')),
      409: {
        prepare: async (agent) => {
          await makeWorkflow(agent, PAGE_URL);
          await fillQueue(agent);
          return CALL;
        },
      },
      423: locked(() => post('/x/functions/sealed')),
    },
  },
  'workflows.run': {
    base: post('/v1/workflows/1/run'),
    ways: {
      200: withWorkflow((id) => post(`/v1/workflows/${id}/run?wait=true&timeout=60`), {
        ...DISPATCHED,
        dataset_run: 1,
        run_event: 3,
        workflow_guard: 1,
      }),
      202: withWorkflow((id) => post(`/v1/workflows/${id}/run`), { ...DISPATCHED, run_event: 1 }, STUCK_URL),
      404: plain(post('/v1/workflows/999/run')),
      409: {
        prepare: async (agent) => {
          const id = await makeWorkflow(agent, PAGE_URL);
          await fillQueue(agent);
          return post(`/v1/workflows/${id}/run`);
        },
      },
      423: locked((id) => post(`/v1/workflows/${id}/run`)),
    },
  },
  'workflows.cancel': {
    base: post('/v1/workflows/1/cancel'),
    ways: {
      200: withRunOf((id) => post(`/v1/workflows/${id}/cancel`), STUCK_URL, CANCELLED),
      404: withWorkflow((id) => post(`/v1/workflows/${id}/cancel`)),
      409: withRunOf((id) => post(`/v1/workflows/${id}/cancel`), PAGE_URL),
    },
  },
  'workflows.session': {
    base: get('/v1/workflows/1/session'),
    ways: { 200: withWorkflow((id) => get(`/v1/workflows/${id}/session?persona_id=3`)), 404: plain(get('/v1/workflows/999/session')) },
  },
  'workflows.clearSession': {
    base: remove('/v1/workflows/1/session'),
    ways: {
      204: withWorkflow((id) => remove(`/v1/workflows/${id}/session`)),
      404: plain(remove('/v1/workflows/999/session')),
      423: lockedSession((id) => remove(`/v1/workflows/${id}/session`)),
    },
  },
  'workflows.revisions': {
    base: get('/x/workflows/1/revisions'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/revisions`)), 404: plain(get('/x/workflows/999/revisions')) },
  },
  'workflows.readRevision': {
    base: get('/x/workflows/1/revisions/1'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/revisions/1`)), 404: plain(get('/x/workflows/999/revisions/1')) },
  },
  'workflows.compareRevisions': {
    base: get('/x/workflows/1/compare?from=1&to=2'),
    ways: {
      200: withWorkflow((id) => get(`/x/workflows/${id}/compare?from=1&to=1`)),
      404: plain(get('/x/workflows/999/compare?from=1&to=2')),
    },
  },
  'workflows.restoreRevision': {
    base: post('/x/workflows/1/revisions/1/restore'),
    ways: {
      200: withWorkflow((id) => post(`/x/workflows/${id}/revisions/1/restore`), { workflow_revision: 1 }),
      404: plain(post('/x/workflows/999/revisions/1/restore')),
    },
  },
  'workflows.guards': {
    base: get('/x/workflows/1/guards'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/guards`)), 404: plain(get('/x/workflows/999/guards')) },
  },
  'workflows.candidate': {
    base: get('/x/workflows/1/candidate'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/candidate`)), 404: plain(get('/x/workflows/999/candidate')) },
  },
  'workflows.repairs': {
    base: get('/x/workflows/1/repairs'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/repairs`)), 404: plain(get('/x/workflows/999/repairs')) },
  },
  'workflows.acceptRepair': {
    base: post('/x/workflows/1/repairs/open/accept'),
    ways: {
      200: withRepair((id) => post(`/x/workflows/${id}/repairs/open/accept`), { workflow_revision: 1, workflow_repair: -1 }),
      404: withWorkflow((id) => post(`/x/workflows/${id}/repairs/open/accept`)),
    },
  },
  'workflows.dismissRepair': {
    base: remove('/x/workflows/1/repairs/open'),
    ways: {
      204: withRepair((id) => remove(`/x/workflows/${id}/repairs/open`), { workflow_repair: -1 }),
      404: withWorkflow((id) => remove(`/x/workflows/${id}/repairs/open`)),
    },
  },
  'workflows.forgetGuards': {
    base: remove('/x/workflows/1/guards'),
    ways: { 204: withWorkflow((id) => remove(`/x/workflows/${id}/guards`)), 404: plain(remove('/x/workflows/999/guards')) },
  },
  'workflows.copy': {
    base: post('/x/workflows/1/copy'),
    ways: {
      201: withWorkflow((id) => post(`/x/workflows/${id}/copy`), MADE),
      404: plain(post('/x/workflows/999/copy')),
      409: withWorkflow((id) => post(`/x/workflows/${id}/copy`, { slug: 'shelf' })),
    },
  },
  'workflows.dryRun': {
    base: post('/x/workflows/1/dry-run', { until: 'open' }),
    ways: {
      202: withWorkflow((id) => post(`/x/workflows/${id}/dry-run`, { until: 'open' }), { ...DISPATCHED, run_event: 1 }, STUCK_URL),
      404: plain(post('/x/workflows/999/dry-run', { until: 'open' })),
      409: {
        prepare: async (agent) => {
          const id = await makeWorkflow(agent, PAGE_URL);
          await fillQueue(agent);
          return post(`/x/workflows/${id}/dry-run`, { until: 'open' });
        },
      },
      423: locked((id) => post(`/x/workflows/${id}/dry-run`, { until: 'open' })),
    },
  },
  'workflows.import': {
    base: post('/x/workflows/import', { format: 'devtools', content: RECORDING }),
    ways: { 200: plain(post('/x/workflows/import', { format: 'devtools', content: RECORDING })) },
  },
  'workflows.export': {
    base: get('/x/workflows/1/export'),
    ways: { 200: withWorkflow((id) => get(`/x/workflows/${id}/export`)), 404: plain(get('/x/workflows/999/export')) },
  },
  'workflows.bulk': {
    base: post('/x/workflows/1/bulk', { dataset_id: 1 }),
    ways: {
      202: withWorkflow((id) => post(`/x/workflows/${id}/bulk`, { dataset_id: 1 })),
      404: plain(post('/x/workflows/999/bulk', { dataset_id: 999 })),
      409: {
        prepare: async (agent) => {
          const id = await makeWorkflow(agent, PAGE_URL);
          const { body } = await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true });
          await fillQueue(agent);
          return post(`/x/workflows/${id}/bulk`, { dataset_id: (body as { dataset_id: number }).dataset_id });
        },
      },
      423: locked((id, dataset) => post(`/x/workflows/${id}/bulk`, { dataset_id: dataset })),
    },
  },
};

async function makeWorkflow(agent: KernelAgent, url: string): Promise<number> {
  return ((await agent.json('POST', '/v1/workflows', OPEN(url))).body as Workflow).id;
}

function withWorkflow(call: (id: number) => KernelCall, rows?: Way['rows'], url = PAGE_URL): Way {
  return { prepare: async (agent) => call(await makeWorkflow(agent, url)), ...(rows ? { rows } : {}) };
}

function withRunOf(call: (id: number, runId: number) => KernelCall, url: string, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      const id = await makeWorkflow(agent, url);
      const { body } = await agent.json('POST', `/v1/workflows/${id}/run${url === STUCK_URL ? '' : '?wait=true'}`);
      const run = (body as Run).id;
      if (url === STUCK_URL) await begun(agent, run);
      return call(id, run);
    },
    ...(rows ? { rows } : {}),
  };
}

/** A workflow whose run has left a session, and a vault that is locked. */
function lockedSession(call: (id: number) => KernelCall): Way {
  return {
    prepare: async (agent) => {
      const steps = [{ id: 'in', type: 'login', url: PAGE_URL, success: { page: { selectors: ['body'] }, op: 'exists' } }];
      const { id } = (await agent.json('POST', '/v1/workflows', { name: 'Shelf', steps })).body as Workflow;
      await agent.json('POST', `/v1/workflows/${id}/run?wait=true&timeout=60`);
      await lockVault(agent);
      return call(id);
    },
  };
}

/** A workflow that names a secret, and a vault that is locked. */
function locked(call: (id: number, dataset: number) => KernelCall): Way {
  return {
    prepare: async (agent) => {
      await agent.json('POST', '/v1/secrets', { key: 'api', value: 'hunter2', origins: ['https://site.test'] });
      const steps = [{ id: 'open', type: 'request', method: 'POST', url: PAGE_URL, json: '{{secret:api}}' }];
      const { body } = await agent.json('POST', '/v1/workflows', { name: 'Sealed', steps });
      const page = (await agent.json('POST', '/v1/crawl', { url: PAGE_URL, limit: 1, wait: true })).body as { dataset_id: number };
      await lockVault(agent);
      return call((body as Workflow).id, page.dataset_id);
    },
  };
}

/** A workflow with a proposal for its only step. */
function withRepair(call: (id: number) => KernelCall, rows: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      const id = await makeWorkflow(agent, PAGE_URL);
      const repair = JSON.stringify({ step: { id: 'open', type: 'navigate', url: STUCK_URL }, score: 0.9, evidence: ['its name'] });
      agent.database.fast
        .prepare('INSERT INTO workflow_repair (workflow_id, revision, step_id, run_id, repair, created_at) VALUES (?, 1, ?, 1, ?, 0)')
        .run(id, 'open', repair);
      return call(id);
    },
    ...(rows ? { rows } : {}),
  };
}

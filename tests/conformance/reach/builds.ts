// How to bring each operation of builds to each status that it declares.
import type { BuildView, Persona } from '@weft/contract';
import type { KernelAgent, KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { CANCELLED, PAGE_URL, STUCK_URL, begun, fillQueue, get, lockVault, patch, plain, post } from '../ways.ts';

const OBJECTIVE = 'list books by title';
const NOBODY = 'bld_0000000000000000000000';
const begin = { url: PAGE_URL, objective: OBJECTIVE };
const NEW_BUILD = { run: 1, build: 1, build_rung: 1 };

/** A call that a certificate has. */
const RECORDED = { role: 'recorded', inputs: {}, rows: 2, rowsSha256: '' };

/** What a build has once it has found a function. */
const FOUND = {
  catalogue: {
    ...Object.fromEntries(
      ['forms', 'requests', 'listings', 'states', 'details', 'endpoints', 'paging', 'tokens'].map((name) => [name, []]),
    ),
    candidates: [
      {
        id: 'C1',
        kind: 'list',
        name: 'list_books',
        description: 'Books.',
        lane: 'http',
        parameters: [],
        fields: [],
        samples: [],
        match: 1,
      },
    ],
  },
  draft: { functions: [], none_match: false },
  draftSource: 'mechanical',
  functions: [
    {
      name: 'list_books',
      description: 'Books.',
      draft: { candidate_id: 'C1', name: 'list_books', description: 'Books.', inputs: [], fields: [] },
      candidate: {
        id: 'C1',
        kind: 'list',
        lane: 'http',
        way: { kind: 'address', url: PAGE_URL },
        reading: { from: 'html' },
        parameters: [],
      },
      workflow: { name: 'list_books', format: 1, lane: 'http', steps: [{ id: 'open', type: 'navigate', url: PAGE_URL }] },
      rowSchema: { type: 'object' },
      certificate: {
        version: 1,
        state: 'proved',
        reason: 'All rules hold.',
        lane: 'http',
        probes: [],
        rules: [],
        reading: { from: 'html' },
        otherWords: [],
        required: [],
        hasInput: false,
      },
    },
  ],
  unused: [],
};

/** A build that goes on, since its first page is never answered; it writes nothing more once it has told of its first rung. */
const started = async (agent: KernelAgent, more: object = {}): Promise<string> => {
  const { body } = await agent.json('POST', '/x/builds', { ...begin, ...more, url: STUCK_URL });
  const { build_id: id, run_id: run } = body as BuildView;
  // An agent that is shared may have locked its vault before, and refuses.
  if (run !== undefined) await begun(agent, run);
  return id;
};
const live = (call: (id: string) => KernelCall, rows?: Way['rows']): Way => ({
  prepare: async (agent) => call(await started(agent)),
  ...(rows ? { rows } : {}),
});
/** One that has ended with a function. */
const ended = (call: (id: string) => KernelCall, rows?: Way['rows']): Way => ({
  prepare: async (agent) => call(await found(agent)),
  ...(rows ? { rows } : {}),
});

/** `url` is what its function asks for. */
async function found(agent: KernelAgent, url = PAGE_URL): Promise<string> {
  const id = await started(agent);
  await agent.json('POST', `/x/builds/${id}/cancel`);
  agent.database.fast.prepare('UPDATE build SET result = ?').run(
    JSON.stringify(FOUND)
      .replaceAll(PAGE_URL, url)
      .replace('"probes":[]', `"probes":${JSON.stringify(url === PAGE_URL ? [] : [RECORDED])}`),
  );
  return id;
}

/** A body with a persona, whose vault is locked. */
async function asLocked(agent: KernelAgent): Promise<object> {
  const { body } = await agent.json('POST', '/v1/personas', { name: 'Reader', origins: ['http://site.test'] });
  await lockVault(agent);
  return { ...begin, persona_id: (body as Persona).id };
}

/** A build of a persona, whose vault is locked by now. */
async function foundAsLocked(agent: KernelAgent): Promise<string> {
  const { body } = await agent.json('POST', '/v1/personas', { name: 'Reader', origins: ['http://site.test'] });
  const id = await started(agent, { persona_id: (body as Persona).id });
  await agent.json('POST', `/x/builds/${id}/cancel`);
  agent.database.fast.prepare('UPDATE build SET result = ?').run(JSON.stringify(FOUND));
  await lockVault(agent);
  return id;
}

/** A build that was built again after something of it was published. */
async function proposed(agent: KernelAgent): Promise<string> {
  const before = await found(agent);
  await agent.json('POST', `/x/builds/${before}/publish`);
  const { body } = await agent.json('POST', `/x/builds/${before}/rebuild`);
  const id = (body as BuildView).build_id;
  await agent.json('POST', `/x/builds/${id}/cancel`);
  agent.database.fast.prepare('UPDATE build SET result = ?').run(JSON.stringify(FOUND));
  return id;
}

/** As many runs as may wait, and a build that has ended. */
async function foundInFullQueue(agent: KernelAgent): Promise<string> {
  const id = await found(agent);
  await fillQueue(agent);
  return id;
}

export const reach: Readonly<Record<string, Reach>> = {
  'builds.list': { base: get('/x/builds'), ways: { 200: live(() => get('/x/builds')) } },
  'builds.start': {
    base: post('/x/builds', begin),
    ways: {
      200: plain(post('/x/builds', { ...begin, wait: true }), { run: 1, build: 1, build_rung: 3, run_event: 11 }),
      202: plain(post('/x/builds', { ...begin, url: STUCK_URL }), { ...NEW_BUILD, run_event: 1 }),
      409: { prepare: async (agent) => ({ ...(await fillQueue(agent)), ...post('/x/builds', begin) }) },
      423: { prepare: async (agent) => post('/x/builds', await asLocked(agent)) },
    },
  },
  'builds.discover': {
    base: post('/x/builds/discover', begin),
    ways: {
      200: plain(post('/x/builds/discover', { ...begin, wait: true }), { run: 1, build: 1, build_rung: 3, run_event: 11 }),
      202: plain(post('/x/builds/discover', { url: STUCK_URL }), { ...NEW_BUILD, run_event: 1 }),
      409: { prepare: async (agent) => ({ ...(await fillQueue(agent)), ...post('/x/builds/discover', begin) }) },
      423: { prepare: async (agent) => post('/x/builds/discover', await asLocked(agent)) },
    },
  },
  'builds.read': {
    base: get(`/x/builds/${NOBODY}`),
    ways: { 200: ended((id) => get(`/x/builds/${id}`)), 404: plain(get(`/x/builds/${NOBODY}`)) },
  },
  'builds.evidence': {
    base: get(`/x/builds/${NOBODY}/evidence`),
    ways: { 200: ended((id) => get(`/x/builds/${id}/evidence`)), 404: plain(get(`/x/builds/${NOBODY}/evidence`)) },
  },
  'builds.draft': {
    base: post(`/x/builds/${NOBODY}/draft`, { functions: [{ candidate_id: 'C1' }] }),
    ways: {
      202: ended((id) => post(`/x/builds/${id}/draft`, { functions: [{ candidate_id: 'C1' }] }), { run: 1, run_event: 1 }),
      404: plain(post(`/x/builds/${NOBODY}/draft`, { functions: [{ candidate_id: 'C1' }] })),
      409: live((id) => post(`/x/builds/${id}/draft`, { functions: [{ candidate_id: 'C1' }] })),
    },
  },
  'builds.try': {
    base: post(`/x/builds/${NOBODY}/functions/list_books/try`),
    ways: {
      200: ended((id) => post(`/x/builds/${id}/functions/list_books/try`)),
      404: plain(post(`/x/builds/${NOBODY}/functions/list_books/try`)),
      423: { prepare: async (agent) => post(`/x/builds/${await foundAsLocked(agent)}/functions/list_books/try`) },
    },
  },
  'builds.verify': {
    base: post(`/x/builds/${NOBODY}/verify`),
    ways: {
      200: ended((id) => post(`/x/builds/${id}/verify`)),
      404: plain(post(`/x/builds/${NOBODY}/verify`)),
      409: live((id) => post(`/x/builds/${id}/verify`)),
    },
  },
  'builds.rebuild': {
    base: post(`/x/builds/${NOBODY}/rebuild`),
    ways: {
      202: ended((id) => post(`/x/builds/${id}/rebuild`), { ...NEW_BUILD, run_event: 1 }),
      404: plain(post(`/x/builds/${NOBODY}/rebuild`)),
      409: { prepare: async (agent) => post(`/x/builds/${await foundInFullQueue(agent)}/rebuild`) },
      423: { prepare: async (agent) => post(`/x/builds/${await foundAsLocked(agent)}/rebuild`) },
    },
  },
  'builds.publish': {
    base: post(`/x/builds/${NOBODY}/publish`),
    ways: {
      201: ended((id) => post(`/x/builds/${id}/publish`), { workflow: 1, workflow_revision: 1, dataset: 1, build_workflow: 1, due: 1 }),
      404: plain(post(`/x/builds/${NOBODY}/publish`)),
      409: live((id) => post(`/x/builds/${id}/publish`)),
    },
  },
  'builds.update': {
    base: patch(`/x/builds/${NOBODY}`, { check_hours: 6 }),
    ways: {
      200: ended((id) => patch(`/x/builds/${id}`, { check_hours: 6 }), {}),
      404: plain(patch(`/x/builds/${NOBODY}`, { check_hours: 6 })),
    },
  },
  'builds.check': {
    base: post(`/x/builds/${NOBODY}/check`),
    ways: {
      200: ended((id) => post(`/x/builds/${id}/check?wait=true`), { run: 1, run_event: 2 }),
      202: { prepare: async (agent) => post(`/x/builds/${await found(agent, STUCK_URL)}/check`), rows: { run: 1 } },
      404: plain(post(`/x/builds/${NOBODY}/check`)),
      409: live((id) => post(`/x/builds/${id}/check`)),
      423: { prepare: async (agent) => post(`/x/builds/${await foundAsLocked(agent)}/check`) },
    },
  },
  'builds.accept': {
    base: post(`/x/builds/${NOBODY}/accept`),
    ways: {
      200: { prepare: async (agent) => post(`/x/builds/${await proposed(agent)}/accept`), rows: { workflow_revision: 1 } },
      404: plain(post(`/x/builds/${NOBODY}/accept`)),
      409: ended((id) => post(`/x/builds/${id}/accept`)),
    },
  },
  'builds.decline': {
    base: post(`/x/builds/${NOBODY}/decline`),
    ways: {
      200: { prepare: async (agent) => post(`/x/builds/${await proposed(agent)}/decline`), rows: {} },
      404: plain(post(`/x/builds/${NOBODY}/decline`)),
      409: ended((id) => post(`/x/builds/${id}/decline`)),
    },
  },
  'builds.cancel': {
    base: post(`/x/builds/${NOBODY}/cancel`),
    ways: {
      200: live((id) => post(`/x/builds/${id}/cancel`), CANCELLED),
      404: plain(post(`/x/builds/${NOBODY}/cancel`)),
      409: ended((id) => post(`/x/builds/${id}/cancel`)),
    },
  },
  'builds.delete': {
    base: { method: 'DELETE', target: `/x/builds/${NOBODY}` },
    ways: {
      204: ended((id) => ({ method: 'DELETE', target: `/x/builds/${id}` }), { build: -1, build_rung: -1 }),
      404: plain({ method: 'DELETE', target: `/x/builds/${NOBODY}` }),
      409: live((id) => ({ method: 'DELETE', target: `/x/builds/${id}` })),
    },
  },
};

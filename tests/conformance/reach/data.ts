// How to bring each operation of data to each status that it declares.
import { startWorkflow } from '../../workflow-rows.ts';
import type { RowsOfWorkflow } from '../../workflow-rows.ts';
import type { KernelCall } from '../kernel.ts';
import type { Reach, Way } from '../ways.ts';
import { get, plain } from '../ways.ts';

const remove = (target: string): KernelCall => ({ method: 'DELETE', target });

export const reach: Readonly<Record<string, Reach>> = {
  'data.list': { base: get('/v1/data'), ways: { 200: withRows(() => get('/v1/data?limit=1')) } },
  'data.table': {
    base: get('/v1/workflows/1/data'),
    ways: {
      200: withRows(({ id }) => get(`/v1/workflows/${id}/data?sort=title&limit=1`)),
      400: withRows(({ id }) => get(`/v1/workflows/${id}/data?q=***`)),
      404: plain(get('/v1/workflows/999/data')),
    },
  },
  'data.delete': {
    base: remove('/v1/workflows/1/data?dry_run=true'),
    ways: {
      200: withRows(({ id }) => remove(`/v1/workflows/${id}/data?key=1`), { record: -1 }),
      404: plain(remove('/v1/workflows/999/data')),
      409: withRows(({ id, run }) => remove(`/v1/workflows/${id}/data?run_id=${run([{ title: 'Bilby' }])}`)),
    },
  },
  'data.runs': {
    base: get('/v1/workflows/1/data/runs'),
    ways: { 200: withRows(({ id }) => get(`/v1/workflows/${id}/data/runs?limit=1`)), 404: plain(get('/v1/workflows/999/data/runs')) },
  },
  'data.facets': {
    base: get('/v1/workflows/1/data/facets'),
    ways: { 200: withRows(({ id }) => get(`/v1/workflows/${id}/data/facets?top=1`)), 404: plain(get('/v1/workflows/999/data/facets')) },
  },
  'data.export': {
    base: get('/v1/workflows/1/data/export'),
    ways: {
      200: withRows(({ id }) => get(`/v1/workflows/${id}/data/export?format=json`)),
      404: plain(get('/v1/workflows/999/data/export')),
    },
  },
};

/** A workflow with a settled run of two rows. */
function withRows(call: (workflow: RowsOfWorkflow) => KernelCall, rows?: Way['rows']): Way {
  return {
    prepare: async (agent) => {
      const workflow = await startWorkflow(agent, 'Shelf');
      workflow.run([{ title: 'Numbat' }, { title: 'Quoll' }], 'succeeded');
      return call(workflow);
    },
    ...(rows ? { rows } : {}),
  };
}

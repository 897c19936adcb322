// Workflows with rows, without a site: the workflow comes by its route, the rows as its runs write them.
import type { Workflow } from '@weft/contract';
import { createDatasetStore } from '../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../packages/daemon/src/datasets/writer.ts';
import { transaction } from '../packages/daemon/src/db/open.ts';
import { createRunStore } from '../packages/daemon/src/runs/store.ts';
import type { KernelAgent } from './conformance/kernel.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface RowsOfWorkflow {
  readonly id: number;
  readonly datasetId: number;
  /** A run that brought these rows and ended so; it stays live without a status. Its id. */
  run(rows: Iterable<Row>, status?: 'succeeded' | 'failed'): number;
}

const ROWS_PER_TRANSACTION = 1000;

/** A new workflow of `agent`; its rows replace each other by their member `key` where `isByKey` is true, else run by run. */
export async function startWorkflow(agent: KernelAgent, name: string, isByKey = false): Promise<RowsOfWorkflow> {
  const step = { id: 'rows', type: 'emit', rows: [], ...(isByKey ? { dedupe_key: 'key' } : {}) };
  const { body, status } = await agent.json('POST', '/v1/workflows', { name, steps: [step] });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { id, dataset_id: datasetId } = body as Workflow;
  const { database, clock } = agent;
  const writer = createDatasetWriter(createDatasetStore(database));
  const runs = createRunStore(database);
  const source = { source_kind: 'workflow', source_id: id, source_name: name, owner_id: 'o' };
  return {
    id,
    datasetId,
    run(rows, status) {
      const runId = runs.insert({ kind: 'workflow', ...source, created_at: clock.now() }, () => datasetId);
      runs.start(runId, clock.now());
      const add = (some: readonly Row[]) => {
        const records = some.map((row) => ({
          run_id: runId,
          created_at: clock.now(),
          body: row,
          ...(isByKey ? { key: String(row['key']) } : {}),
        }));
        transaction(database.fast, () => writer.addRecords(datasetId, records));
      };
      let some: Row[] = [];
      for (const row of rows) {
        some.push(row);
        if (some.length < ROWS_PER_TRANSACTION) continue;
        add(some);
        some = [];
      }
      if (some.length > 0) add(some);
      if (status !== undefined) runs.settle(runId, status, undefined, clock.now());
      return runId;
    },
  };
}

// Workflows that are exposed, as tools of the Model Context Protocol (D18): a call is a run, and belongs to whoever called.
import { LIMITS, isSettled } from '@weft/contract';
import type { McpOutcome, McpTool, McpTools } from '@weft/serve';
import { cancelRun } from '../runs/cancel.ts';
import type { Executor } from '../runs/executor.ts';
import { readRow } from '../runs/read-row.ts';
import type { RunResultReader } from '../runs/results.ts';
import type { Runs } from '../runs/run.ts';
import type { Workflows } from '../workflows/workflow.ts';
import { runActor } from '../workflows/workflow-runs.ts';

export interface ToolPorts {
  readonly workflows: Workflows;
  readonly runs: Runs;
  readonly executor: Executor;
  readonly results: RunResultReader;
}

/** What a model is shown of the rows; `rows_extracted` says how many there are. */
const ROWS_MAX = 100;

export function workflowTools(ports: ToolPorts): McpTools {
  const { workflows, runs, executor } = ports;
  return {
    list: () => workflows.exposed().map(({ slug, name, inputs }) => toolOf(slug, name, inputs)),
    async call(actor, name, inputs, signal) {
      if (!workflows.exposed().some(({ slug }) => slug === name)) return undefined;
      const id = workflows.run(name, { inputs }, runActor(actor));
      executor.wake();
      const run = await runs.wait(id, LIMITS.waitSecondsDefault * 1000, signal);
      // Closing the answer is how a client cancels (MCP 2026-07-28).
      if (signal.aborted && !isSettled(run.status)) cancelRun(id, ports);
      return outcomeOf(id, ports);
    },
  };
}

function toolOf(name: string, title: string, inputs: McpTool['inputSchema'] | undefined): McpTool {
  return {
    name,
    title,
    description: `Runs the workflow "${title}" and answers what it came to, with the first ${ROWS_MAX} of its rows.`,
    inputSchema: inputs ?? { type: 'object', properties: {}, additionalProperties: false },
  };
}

/** A run that failed is told to the model as an error; one that goes on, as it is. */
function outcomeOf(id: number, { results }: ToolPorts): McpOutcome {
  const { status, output, rows_extracted, failure, warnings } = results.read(id);
  const rows = Array.from(results.data(id, { limit: ROWS_MAX }).items, readRow);
  return {
    isError: status === 'failed' || status === 'cancelled',
    value: {
      run_id: id,
      status,
      ...(output === undefined ? {} : { output }),
      rows,
      rows_extracted,
      ...(failure ? { failure } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
  };
}

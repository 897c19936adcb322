// Calls a workflow as a function: a run that is waited for, whose rows are the answer.
import { LIMITS, PUBLISHED_CHARACTERS_MAX, isSettled } from '@weft/contract';
import type { ExtraTable, ReplyOf, RunFailure } from '@weft/contract';
import { cancelRun } from '../runs/cancel.ts';
import type { Executor } from '../runs/executor.ts';
import { readRow } from '../runs/read-row.ts';
import type { RunResultReader } from '../runs/results.ts';
import type { Runs } from '../runs/run.ts';

type Answer = ReplyOf<ExtraTable['workflows']['call']>['body'];

export interface FunctionCallPorts {
  readonly runs: Runs;
  readonly executor: Executor;
  readonly results: RunResultReader;
}

const ROWS_AT_ONCE = 1000;

/** Waits for run `id`, and ends it where it takes too long or its caller is gone. */
export async function answerCall(id: number, ports: FunctionCallPorts, signal: AbortSignal): Promise<Answer> {
  const { runs, executor, results } = ports;
  executor.wake();
  const run = await runs.wait(id, LIMITS.waitSecondsDefault * 1000, signal);
  const isCut = !isSettled(run.status);
  if (isCut) cancelRun(id, ports);
  const { status, output, failure } = results.read(id);
  const rows = rowsOf(id, results);
  const data = output === undefined ? (rows ?? []) : output;
  const why = failure ?? (isCut ? CUT : status === 'cancelled' ? CANCELLED : rows ? undefined : TOO_LARGE);
  return { data, status: status === 'succeeded' && rows ? 'succeeded' : 'failed', run_id: id, ...(why ? { failure: why } : {}) };
}

const CUT: RunFailure = { code: 'timeout', message: `It worked for ${LIMITS.waitSecondsDefault} seconds, as long as a call may.` };
const CANCELLED: RunFailure = { code: 'interrupted', message: 'The run was cancelled.' };
const TOO_LARGE: RunFailure = {
  code: 'body_too_large',
  message: `The rows have more than ${PUBLISHED_CHARACTERS_MAX} characters, as many as a call may answer; read them from the run.`,
};

/** All rows; undefined where they are too much for one answer. */
function rowsOf(id: number, results: RunResultReader): unknown[] | undefined {
  const rows: unknown[] = [];
  let characters = 0;
  for (let cursor: string | undefined; ;) {
    const { items, lastId } = results.data(id, { limit: ROWS_AT_ONCE, ...(cursor === undefined ? {} : { cursor }) });
    for (const parts of items) {
      const row = readRow(parts);
      characters += JSON.stringify(row).length;
      if (characters > PUBLISHED_CHARACTERS_MAX) return undefined;
      rows.push(row);
    }
    if (lastId === undefined) return rows;
    cursor = String(lastId);
  }
}

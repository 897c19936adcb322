// The reading thread: searches, samples and exports on connections of its own, so that none of them holds up the agent.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@weft/contract';
import { inferFields } from '../schema.ts';
import { createTables } from '../table/tables.ts';
import { prepareViews } from '../view-store.ts';
import { createExports } from './exports.ts';
import type { ReaderAnswer, ReaderTask, ReaderWork, WorkName } from './messages.ts';
import { prepareSearch } from './search.ts';

const SAMPLE_RECORDS = 200;
const SAMPLE_CHARS = 4_000_000;
const CACHE_KB = 16_000;

const databasePath = workerData as string;
const database = new DatabaseSync(databasePath, { readOnly: true });
database.exec(`PRAGMA cache_size = -${CACHE_KB}`);
const { run: search } = prepareSearch(database);
const samples = prepareViews(database, (condition) => `SELECT body FROM record WHERE ${condition} ORDER BY id DESC LIMIT $limit`);
const exports = createExports(databasePath);
const tables = createTables(database);

const WORKS: { readonly [Name in WorkName]: (request: ReaderWork[Name]['request']) => Awaitable<ReaderWork[Name]['result']> } = {
  search,
  schema: sampleSchema,
  open: exports.open,
  next: exports.next,
  close: exports.close,
  ...tables,
};
type Awaitable<T> = T | Promise<T>;

parentPort?.on('message', (task: ReaderTask) => void answer(task));

async function answer(task: ReaderTask): Promise<void> {
  try {
    const result = await run(task);
    const transfer =
      result instanceof Uint8Array && result.buffer instanceof ArrayBuffer && !Buffer.isBuffer(result) ? [result.buffer] : [];
    parentPort?.postMessage({ id: task.id, result } satisfies ReaderAnswer, transfer);
  } catch (error) {
    parentPort?.postMessage({ id: task.id, failure: failureOf(error) } satisfies ReaderAnswer);
  }
}

function run<Name extends WorkName>(task: ReaderTask<Name>): Awaitable<ReaderWork[Name]['result']> {
  return WORKS[task.work](task.request);
}

/** What was expected goes to the caller; anything else is for the log. */
function failureOf(error: unknown): NonNullable<ReaderAnswer['failure']> {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function sampleSchema(datasetId: number): ReaderWork['schema']['result'] {
  const sample: Record<string, unknown>[] = [];
  let chars = 0;
  const [newest, values] = samples.statement(datasetId, samples.resolve(datasetId, 'newest'));
  for (const row of newest.iterate({ ...values, limit: SAMPLE_RECORDS })) {
    const { body } = row as { body: string };
    chars += body.length;
    if (sample.length > 0 && chars > SAMPLE_CHARS) break;
    sample.push(JSON.parse(body) as Record<string, unknown>);
  }
  return { sampled: sample.length, fields: inferFields(sample) };
}

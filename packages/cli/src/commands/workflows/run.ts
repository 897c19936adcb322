// weft run <workflow>: one run, followed until it is settled, or one for each row of a table.
import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import type { FileDescriptor, RunEvent, Workflow } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { deliver, outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { checkOutput, formatOf } from '../../export-output.ts';
import { wholeNumber } from '../../number-option.ts';
import { ROW_FORMATS, linesOf, writtenRows } from '../../rows-process.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { checkInputs, inputsOf } from './inputs.ts';
import { findWorkflow } from './refs.ts';

/** A year: a run ends by itself. */
const NO_TIMEOUT_SECONDS = 2_000_000;
const ROWS_PER_READ = 200;
/** Of a run whose rows go nowhere else. */
const ROWS_SHOWN = 20;

/** Where all rows go; a file that is undefined is standard output. */
interface RowsOutput {
  readonly file: string | undefined;
  readonly format: (typeof ROW_FORMATS)[number];
}

export const run: CommandRun = async (context, [ref = ''], options) => {
  const output = await rowsOutputOf(context, options);
  const client = await context.client();
  const { signal } = context;
  const workflow = await findWorkflow(client, ref, signal);
  const { each, until } = options;
  if (typeof each === 'string')
    return await runEach(context, client, workflow, { path: each, output, isDetached: options['detach'] === true });
  const inputs = inputsOf(options['input'], workflow);
  checkInputs(inputs, workflow);
  const headed = options['headed'] === true ? { headed: true } : {};
  const begun =
    typeof until === 'string'
      ? await client.workflows.dryRun({ id: workflow.id, until, inputs, ...headed }, { signal })
      : await client.workflows.run({ id: workflow.id, inputs, ...headed }, { signal });
  context.say(`weft: run ${begun.id} of ${workflow.name}`);
  if (options['detach'] === true) {
    context.show(begun, `run  ${begun.id} (${begun.status})`);
    return EXIT.done;
  }
  await followRun(context, client, begun.id, {
    isTold: options['follow'] === true,
    timeout: wholeNumber(options, 'timeout', 1, NO_TIMEOUT_SECONDS),
  });
  return await show(context, client, { id: begun.id, workflow, output });
};

/** Undefined where neither a place nor a format is said. Throws CommandError for what can't be. */
async function rowsOutputOf(context: CommandContext, options: Parameters<CommandRun>[2]): Promise<RowsOutput | undefined> {
  const file = await outputOf(options);
  const format = formatOf(options, file, ROW_FORMATS) ?? 'jsonl';
  if (options['output'] === undefined && options['format'] === undefined) return undefined;
  if (file === undefined) checkOutput(context, format, 'weft run --help');
  return { file, format };
}

/** Waits until a run is settled, and says where it waits for somebody. Throws CommandError where this command is ended before. */
export async function followRun(
  context: CommandContext,
  client: AgentClient,
  id: number,
  { isTold = false, timeout = NO_TIMEOUT_SECONDS }: { readonly isTold?: boolean; readonly timeout?: number | undefined } = {},
): Promise<void> {
  const onEvent = (event: RunEvent) => {
    const line = lineOf(event, isTold);
    if (line !== undefined) context.say(line);
    if (event.type === 'step' && event.status === 'waiting_human') context.say(`Try:   weft run attach ${id}, or weft run answer ${id}`);
  };
  try {
    await client.waitForRun(id, { timeout, signal: context.signal, onEvent });
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new CommandError(`Run ${id} goes on in the agent. To end it: weft run cancel ${id}`, {
      exitCode: EXIT.interrupted,
      code: 'interrupted',
    });
  }
}

function lineOf(event: RunEvent, isTold: boolean): string | undefined {
  if (event.type === 'step' && event.status === 'waiting_human') return `weft: ${event.step_id ?? ''} waits: ${event.message ?? ''}`;
  if (!isTold) return undefined;
  if (event.type === 'lane') return `weft: goes on in the ${event.to} lane (${event.reason})`;
  if (event.type === 'data') return `weft: ${event.rows} rows`;
  if (event.type !== 'step' || event.status === 'started') return undefined;
  const time = event.duration_ms === undefined ? '' : ` ${event.duration_ms} ms`;
  return `weft: ${event.step_id ?? event.step_type} ${event.status}${time}${event.message === undefined ? '' : `: ${event.message}`}`;
}

interface Settled {
  readonly id: number;
  readonly workflow: Workflow;
  readonly output: RowsOutput | undefined;
}

async function show(context: CommandContext, client: AgentClient, { id, workflow, output }: Settled): Promise<number> {
  const { signal } = context;
  const results = await client.runs.results({ id }, { signal });
  if (output) await writeRows(context, client, [id], { ...output, title: workflow.name });
  const rows = !output && results.rows_extracted > 0 ? await client.runs.data({ id, limit: ROWS_SHOWN }, { signal }) : undefined;
  const facts: [string, string | number][] = [
    ['run', `${id} (${results.status})`],
    ['rows', results.rows_extracted],
  ];
  if (results.dataset_id !== undefined) facts.push(['dataset', results.dataset_id]);
  const shown = results.output ?? rows?.data;
  const lines = [pairs(facts), ...(shown === undefined ? [] : [JSON.stringify(shown, null, 2)])];
  sayOutcome(context, output, results, lines.join('\n'));
  if (results.output === undefined && rows?.next_cursor !== undefined) {
    const { slug } = workflow;
    context.say(
      `weft: ${rows.count} of ${results.rows_extracted} rows; all of them: weft run ${slug} -o rows.csv, or weft data show ${slug}`,
    );
  }
  for (const warning of results.warnings) context.say(`weft: ${warning}`);
  if (results.failure)
    context.say(
      `weft: ${results.failure.message}\nCause: ${results.failure.code}${results.failure.step_id ? ` in step ${results.failure.step_id}` : ''}`,
    );
  return results.status === 'succeeded' ? EXIT.done : EXIT.failed;
}

/** Beside the data, where rows are what goes to standard output. */
function sayOutcome(context: CommandContext, output: RowsOutput | undefined, value: unknown, text: string): void {
  if (output && output.file === undefined) context.say(text);
  else context.show(value, text);
}

/** Writes the rows of runs, and says how many there were. */
async function writeRows(
  context: CommandContext,
  client: AgentClient,
  ids: readonly number[],
  { file, format, title }: RowsOutput & { readonly title: string },
): Promise<void> {
  const { signal } = context;
  let count = 0;
  async function* rows() {
    for (let [id, ...later] = ids, cursor: string | undefined; id !== undefined;) {
      const page = await client.runs.data({ id, limit: ROWS_PER_READ, ...(cursor === undefined ? {} : { cursor }) }, { signal });
      yield* page.data;
      count += page.count;
      cursor = page.next_cursor;
      if (cursor === undefined) [id, ...later] = later;
    }
  }
  const pieces = format === 'jsonl' ? linesOf(rows()) : writtenRows(rows(), { format, title, fields: undefined });
  await deliver(context, pieces, file);
  if (file !== undefined) context.say(`weft: wrote ${count} ${count === 1 ? 'row' : 'rows'} to ${file}`);
}

const TYPES: Readonly<Record<string, string>> = { '.csv': 'text/csv', '.json': 'application/json', '.jsonl': 'application/x-ndjson' };

interface Each {
  readonly path: string;
  readonly output: RowsOutput | undefined;
  readonly isDetached: boolean;
}

async function runEach(
  context: CommandContext,
  client: AgentClient,
  workflow: Workflow,
  { path, output, isDetached }: Each,
): Promise<number> {
  const file = await uploaded(context, client, path);
  const made = await client.workflows.bulk({ id: workflow.id, file_id: file.id }, { signal: context.signal });
  for (const { row, reason } of made.left_out) context.say(`weft: row ${row} was left out: ${reason}`);
  if (isDetached) {
    context.show(made, `${made.count} runs of ${workflow.name}: ${made.run_ids.slice(0, 20).join(', ')}`);
    return made.count > 0 ? EXIT.done : EXIT.failed;
  }
  context.say(`weft: ${made.count} runs of ${workflow.name}`);
  const runs = await settledRuns(context, client, made.run_ids);
  if (output) await writeRows(context, client, made.run_ids, { ...output, title: workflow.name });
  const failed = runs.filter(({ status }) => status !== 'succeeded');
  sayOutcome(
    context,
    output,
    { ...made, runs },
    [`${runs.length} runs of ${workflow.name}, ${failed.length} failed`, ...failed.map(({ id, reason }) => `run ${id}: ${reason}`)].join(
      '\n',
    ),
  );
  return made.count > 0 && failed.length === 0 ? EXIT.done : EXIT.failed;
}

async function uploaded({ signal }: CommandContext, client: AgentClient, path: string): Promise<FileDescriptor> {
  const form = new FormData();
  const blob = await openAsBlob(path, { type: TYPES[extname(path).toLowerCase()] ?? 'text/csv' }).catch(() => {
    throw new CommandError(`${path} can't be read.`, { exitCode: EXIT.usage, code: 'bad_request' });
  });
  form.set('file', blob, basename(path));
  const response = await client.transport.send({ method: 'POST', path: '/v1/files', body: form, signal });
  // What the operation declares; the agent has checked it.
  return (await response.json()) as FileDescriptor;
}

/** Each run once it is settled, in the order of the rows. Throws CommandError at an interrupt, which says that they go on. */
async function settledRuns(context: CommandContext, client: AgentClient, ids: readonly number[]) {
  const settled = [];
  for (const id of ids) {
    await client.waitForRun(id, { timeout: NO_TIMEOUT_SECONDS, signal: context.signal }).catch((error: unknown) => {
      if (!context.signal.aborted) throw error;
      throw new CommandError(`The runs go on in the agent: ${ids.slice(settled.length).join(', ')}. To end one: weft run cancel ${id}`, {
        exitCode: EXIT.interrupted,
        code: 'interrupted',
      });
    });
    const { status, failure } = await client.runs.results({ id }, { signal: context.signal });
    settled.push({ id, status, reason: failure?.message ?? status });
  }
  return settled;
}

// One run for each row of a file or a dataset.
import { AppError, LIMITS } from '@weft/contract';
import type { BulkRun, ExtraTable, Input } from '@weft/contract';
import { PageError, readOther } from '@weft/engine';
import type { Datasets } from '../datasets/dataset.ts';
import type { Files } from '../files/file.ts';
import { readWhole, readWholeFile } from '../files/whole.ts';
import type { Runs } from '../runs/run.ts';
import type { Workflows } from './workflow.ts';
import type { RunActor } from './workflow-runs.ts';

type BulkOrder = Input<ExtraTable['workflows']['bulk']>['body'];
type Row = Readonly<Record<string, unknown>>;

const ROWS_MAX = 1000;
const TOLD_MAX = 100;
const BYTES_MAX = 50_000_000;

export interface BulkPorts {
  readonly workflows: Workflows;
  readonly runs: Pick<Runs, 'countLive'>;
  readonly files: Files;
  readonly datasets: Datasets;
}

/** The rows that runs are made of, in order. Throws AppError `not_found`, `bad_request`. */
export async function readBulkRows(
  { file_id: fileId, dataset_id: datasetId, limit = ROWS_MAX }: BulkOrder,
  ports: BulkPorts,
): Promise<readonly Row[]> {
  // Exactly one of the two is there.
  if (fileId === undefined) return rowsOfJson(await readWhole(ports.datasets.export(datasetId ?? 0, { format: 'json' }))).slice(0, limit);
  const rows = await rowsOfFile(await readWholeFile(fileId, BYTES_MAX, ports.files), ports.files.require(fileId));
  return rows.slice(0, limit);
}

/** Makes the runs; a row whose values do not fit is left out with the reason. Throws AppError `device_capacity` before any run is made. */
export function dispatchBulk(
  ref: string,
  rows: readonly Row[],
  map: BulkOrder['map'],
  { workflows, runs }: Pick<BulkPorts, 'workflows' | 'runs'>,
  actor: RunActor,
): BulkRun {
  const { queued } = runs.countLive();
  if (queued + rows.length > LIMITS.queuedRunsMax)
    throw new AppError(
      'device_capacity',
      `${queued} runs are waiting already, ${rows.length} more would be ${queued + rows.length}, and at most ${LIMITS.queuedRunsMax} may.`,
    );
  const names = inputNames(workflows.require(ref).inputs);
  const runIds: number[] = [];
  const leftOut: { row: number; reason: string }[] = [];
  rows.forEach((row, place) => {
    try {
      runIds.push(workflows.run(ref, { inputs: inputsOf(row, names, map) }, actor));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      if (leftOut.length < TOLD_MAX) leftOut.push({ row: place + 1, reason: error.message });
    }
  });
  return { run_ids: runIds, count: runIds.length, left_out: leftOut };
}

interface InputKind {
  readonly name: string;
  readonly types: readonly string[];
}

function inputNames(inputs: Row | undefined): readonly InputKind[] {
  const properties = (inputs?.['properties'] ?? {}) as Readonly<Record<string, Row>>;
  return Object.entries(properties).map(([name, { type }]) => ({ name, types: [type].flat().map(String) }));
}

function inputsOf(row: Row, names: readonly InputKind[], map: BulkOrder['map']): Row {
  const entries = names.map(({ name, types }) => [name, convert(valueAt(row, map?.[name] ?? name), types)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

function valueAt(row: Row, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** A cell is text; an input that is a number or a yes is one. */
function convert(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string' || types.includes('string'))
    return typeof value === 'number' && types.includes('string') ? String(value) : value;
  if ((types.includes('number') || types.includes('integer')) && /^-?\d{1,15}(?:\.\d+)?$/.test(value)) return Number(value);
  return types.includes('boolean') && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

async function rowsOfFile(
  bytes: Uint8Array,
  { name, content_type: contentType }: { readonly name: string; readonly content_type: string },
): Promise<readonly Row[]> {
  const document = await readRows({ url: `https://file.invalid/${encodeURIComponent(name)}`, body: bytes, contentType });
  const rows = document?.records.find(({ items }) => items.length > 0)?.items;
  if (rows) return rows;
  throw new AppError('bad_request', `"${name}" holds no rows: it must be a table with a heading, a JSON list of objects, or JSON lines.`);
}

async function readRows(source: Parameters<typeof readOther>[0]): ReturnType<typeof readOther> {
  try {
    return await readOther(source);
  } catch (error) {
    if (error instanceof PageError) throw new AppError('bad_request', error.message);
    throw error;
  }
}

/** A dataset is exported as a list of objects. */
function rowsOfJson(bytes: Uint8Array): readonly Row[] {
  return JSON.parse(new TextDecoder().decode(bytes)) as readonly Row[];
}

// What differs between two runs of a dataset: records by their keys, the text of pages by words.
import { AppError, LIMITS } from '@weft/contract';
import type { DatasetChange, DatasetDiff } from '@weft/contract';
import type { ViewReader } from '@weft/engine';
import { PageError } from '@weft/engine';
import type { Datasets } from './dataset.ts';
import type { DatasetReader } from './reader/reader.ts';
import type { DatasetStore } from './store.ts';
import type { RecordChange } from './table/diff.ts';

export interface DiffQuery {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface DatasetDiffs {
  /** The newest two runs that have records, unless said. Throws AppError `not_found` for a dataset, or a run of it, that is not there. */
  between(id: number, query: DiffQuery): Promise<DatasetDiff>;
}

export interface DatasetDiffPorts {
  readonly datasets: Pick<Datasets, 'require'>;
  readonly store: Pick<DatasetStore, 'record'>;
  readonly reader: Pick<DatasetReader, 'tables'>;
  readonly views: Pick<ViewReader, 'run'>;
}

/** More runs than any retention keeps. */
const ALL = { limit: 1_000_000_000, offset: 0 };
/** So many characters of a stretch that is the same are shown at each of its ends. */
const SAME_SHOWN = 60;
const NEVER = new AbortController().signal;
const TEXTS = ['markdown', 'text'] as const;

export function createDatasetDiffs({ datasets, store, reader, views }: DatasetDiffPorts): DatasetDiffs {
  const runsOf = async (id: number, { from, to }: DiffQuery) => {
    const { data } = await reader.tables.snapshots({ datasetId: id, ...ALL });
    const runs = data.map(({ run_id }) => run_id);
    for (const run of [from, to])
      if (run !== undefined && !runs.includes(run))
        throw new AppError('not_found', `There is no run ${run} that has records in dataset ${id}.`);
    const newer = to ?? runs[0];
    const older = from ?? runs.find((run) => newer !== undefined && run < newer);
    if (newer === undefined || older === undefined)
      throw new AppError('not_found', `Dataset ${id} has records of ${runs.length === 1 ? 'one run' : 'no run'}; two are compared.`);
    return { from: older, to: newer };
  };
  const textOf = (recordId: number) => {
    const row = store.record(recordId);
    const page = row === undefined ? {} : (JSON.parse(row.body) as Readonly<Record<string, unknown>>);
    const name = TEXTS.find((one) => typeof page[one] === 'string');
    return name === undefined ? undefined : { name, text: page[name] as string };
  };
  const withWords = async ({ change, olderId }: RecordChange): Promise<DatasetChange> => {
    const old = olderId === undefined ? undefined : textOf(olderId);
    const fresh = old && textOf(change.record_id);
    if (!old || !fresh || old.name !== fresh.name || old.text === fresh.text) return change;
    const text = await wordsBetween(old.text, fresh.text, views);
    return text ? { ...change, fields: change.fields.filter(({ name }) => name !== old.name), text } : change;
  };
  return {
    async between(id, query) {
      const isPages = datasets.require(id).kind === 'pages';
      const { limit = LIMITS.listLimitDefault, offset = 0 } = query;
      const diff = await reader.tables.diff({ datasetId: id, ...(await runsOf(id, query)), isPages, limit, offset });
      const changes: DatasetChange[] = [];
      for (const change of diff.changes) changes.push(isPages ? await withWords(change) : change.change);
      return { ...diff, changes };
    },
  };
}

/** The difference by words; undefined for texts beyond what is compared, whose change is still told. */
async function wordsBetween(old: string, fresh: string, views: Pick<ViewReader, 'run'>): Promise<DatasetChange['text']> {
  try {
    const { result } = await views.run('diff', { comparison: { kind: 'text', unit: 'word', old, new: fresh } }, NEVER);
    if (result.difference.kind !== 'text') return undefined;
    const { parts, added, removed } = result.difference;
    return { parts: parts.map(({ kind, text }) => ({ kind, text: kind === 'same' ? ends(text) : text })), added, removed };
  } catch (error) {
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

function ends(text: string): string {
  return text.length <= 2 * SAME_SHOWN + 5 ? text : `${text.slice(0, SAME_SHOWN)} \u2026 ${text.slice(-SAME_SHOWN)}`;
}

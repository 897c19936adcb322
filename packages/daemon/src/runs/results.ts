// What a run came to: the same for every kind, with what only its kind knows.
import type { RunResults } from '@weft/contract';
import { sliceFrom } from '../crawl/cursor.ts';
import type { CursorQuery } from '../crawl/cursor.ts';
import type { DataSlice, DatasetWriter } from '../datasets/writer.ts';
import type { Files } from '../files/file.ts';
import type { ExecutorPorts } from './executor.ts';
import type { Runs } from './run.ts';

export interface RunResultReader {
  /** Throws AppError `not_found`. */
  read(id: number): RunResults;
  /** Rows or pages, oldest first. Throws AppError `not_found`, `bad_request` for a bad cursor. */
  data(id: number, query: CursorQuery): DataSlice;
}

export interface ResultPorts {
  readonly runs: Runs;
  readonly records: DatasetWriter;
  readonly files: Pick<Files, 'ofRun'>;
  readonly kinds: ExecutorPorts['kinds'];
}

export function createRunResults({ runs, records, files, kinds }: ResultPorts): RunResultReader {
  return {
    read(id) {
      const { kind, status, rows_extracted, dataset_id, failure } = runs.require(id);
      const { output, steps = {}, warnings = [] } = kinds[kind]?.results?.({ id }) ?? {};
      return {
        id,
        status,
        ...(output === undefined ? {} : { output }),
        steps: { ...steps },
        files: files.ofRun(id).map(({ id: fileId, name, content_type, bytes }) => ({ id: fileId, name, content_type, bytes })),
        warnings: [...warnings],
        rows_extracted,
        ...(dataset_id === undefined ? {} : { dataset_id }),
        ...(failure ? { failure } : {}),
      };
    },
    data(id, query) {
      runs.require(id);
      return records.dataOfRun(id, sliceFrom(query));
    },
  };
}

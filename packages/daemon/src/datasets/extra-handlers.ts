// Group Datasets, under /x/.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Datasets } from './dataset.ts';
import type { DatasetDiffs } from './diff.ts';
import type { DatasetTidy } from './tidy.ts';

/** What the handlers call. */
export interface ExtraDatasetNouns {
  readonly datasets: Datasets;
  readonly tidy: DatasetTidy;
  readonly diffs: DatasetDiffs;
}

export function extraDatasetHandlers({ datasets, tidy, diffs }: ExtraDatasetNouns): GroupHandlers<ExtraTable['datasets']> {
  return {
    rename: ({ params, body }) => {
      tidy.rename(params.id, body.name);
      return { status: 200, body: datasets.require(params.id) };
    },
    delete: async ({ params }) => {
      await tidy.delete(params.id);
      return { status: 204 };
    },
    record: ({ params }) => ({ status: 200, body: datasets.record(params.id, params.record) }),
    diff: async ({ params, query }) => ({ status: 200, body: await diffs.between(params.id, query) }),
  };
}

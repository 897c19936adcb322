// weft crawl saved
import { listLimit } from '../../list-limit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const saved = await client.crawlDefinitions.list({ limit: listLimit(options, 50) }, { signal: context.signal });
  const rows = saved.data.map(({ slug, url, dataset_id: dataset, last_run: last }) => [
    slug,
    last?.status ?? '-',
    last?.finished_at ?? '-',
    String(dataset),
    url,
  ]);
  context.show(saved, table(['SLUG', 'LAST RUN', 'ENDED', 'DATASET', 'ADDRESS'], rows));
};

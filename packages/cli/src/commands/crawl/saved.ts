// weft crawl saved
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options, 50);
  const client = await context.client();
  const saved = await client.crawlDefinitions.list(page.query, page.call);
  const rows = saved.data.map(({ slug, url, dataset_id: dataset, last_run: last }) => [
    slug,
    last?.status ?? '-',
    last?.finished_at ?? '-',
    String(dataset),
    url,
  ]);
  context.show(saved, table(['SLUG', 'LAST RUN', 'ENDED', 'DATASET', 'ADDRESS'], rows));
  page.tell(saved.data.length);
};

// weft crawl list
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const page = listPage(context, options, 50);
  const client = await context.client();
  const crawls = await client.crawl.list(page.query, page.call);
  const rows = crawls.data.map(({ id, status, counts, url, created_at: created }) => [
    String(id),
    status,
    String(counts.fetched + counts.reused),
    String(counts.pending),
    created,
    url,
  ]);
  context.show(crawls, table(['ID', 'STATUS', 'PAGES', 'QUEUED', 'STARTED', 'ADDRESS'], rows));
  page.tell(crawls.data.length);
};

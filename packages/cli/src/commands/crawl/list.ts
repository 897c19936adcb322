// weft crawl list
import { listLimit } from '../../list-limit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, _args, options) => {
  const client = await context.client();
  const crawls = await client.crawl.list({ limit: listLimit(options, 50) }, { signal: context.signal });
  const rows = crawls.data.map(({ id, status, counts, url, created_at: created }) => [
    String(id),
    status,
    String(counts.fetched + counts.reused),
    String(counts.pending),
    created,
    url,
  ]);
  context.show(crawls, table(['ID', 'STATUS', 'PAGES', 'QUEUED', 'STARTED', 'ADDRESS'], rows));
};

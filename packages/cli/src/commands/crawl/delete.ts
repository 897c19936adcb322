// weft crawl delete <id>: a crawl with its ledger and what it brought.
import type { CommandRun } from '../../spec.ts';
import { crawlIdOf } from './options.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = crawlIdOf(text);
  const client = await context.client();
  await client.crawl.delete({ id }, { signal: context.signal });
  context.show({ id, deleted: true }, `Crawl ${id} is deleted, with its ledger and what it brought.`);
};

// weft crawl cancel <id>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { crawlIdOf } from './options.ts';

export const run: CommandRun = async (context, [text = '']) => {
  const id = crawlIdOf(text);
  const client = await context.client();
  const ended = await client.crawl.cancel({ id }, { signal: context.signal });
  context.show(
    ended,
    ended.status === 'cancelled' ? `Crawl ${id} is cancelled; what it kept stays.` : `Crawl ${id} had ended: ${ended.status}.`,
  );
  return ended.status === 'cancelled' ? EXIT.done : EXIT.conflict;
};

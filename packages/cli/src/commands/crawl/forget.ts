// weft crawl forget <ref>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, [ref = '']) => {
  const client = await context.client();
  await orTry('weft crawl saved', client.crawlDefinitions.delete({ ref }, { signal: context.signal }));
  context.show({ ref, deleted: true }, `Saved crawl ${ref} is deleted; its runs and its dataset stay.`);
};

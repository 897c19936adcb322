// weft crawl run <ref>
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { followCrawl, showCrawl } from './follow.ts';
import { numberOf } from './options.ts';
import { crawlOutputOf } from './output.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const output = await crawlOutputOf(options, undefined);
  const compare = { exitCode: options['exitCode'] === true };
  const client = await context.client();
  const maxAge = numberOf('max-age', options['maxAge']);
  const input = { ref, ...(maxAge === undefined ? {} : { max_age: maxAge }) };
  const crawl = await orTry('weft crawl saved', client.crawlDefinitions.run(input, { signal: context.signal }));
  if (crawl.reused) {
    context.say(`weft: crawl ${crawl.id} is recent enough; nothing was loaded`);
    return await showCrawl(context, client, crawl.id, { output, isReused: true });
  }
  context.say(`weft: crawl ${crawl.id} of ${crawl.url}`);
  return await followCrawl(context, client, crawl.id, { detach: options['detach'] === true, timeout: options['timeout'], output, compare });
};

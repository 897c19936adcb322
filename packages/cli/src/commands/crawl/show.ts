// weft crawl show <id>
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { showCloudCrawl } from '../cloud/crawl.ts';
import { followCrawl } from './follow.ts';
import { crawlIdOf } from './options.ts';
import { crawlOutputOf } from './output.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  if (text.startsWith('crl_')) return await showCloudCrawl(context, text, options);
  const id = crawlIdOf(text);
  if (options['ledger'] === true) return await printLedger(context, id);
  const output = await crawlOutputOf(options, undefined);
  return await followCrawl(context, await context.client(), id, { detach: options['follow'] !== true, output });
};

async function printLedger(context: CommandContext, id: number): Promise<number> {
  const client = await context.client();
  const answer = await client.crawl.ledger({ id, format: 'ndjson' }, { signal: context.signal });
  if (answer instanceof Response && answer.body) for await (const bytes of answer.body) process.stdout.write(bytes);
  return EXIT.done;
}

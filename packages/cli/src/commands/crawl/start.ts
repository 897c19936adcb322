// weft crawl <url>: a crawl in the agent, followed until it is settled; or, with --explain, what it would do with addresses.
import type { CommandContext } from '../../context.ts';
import { outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { followCrawl } from './follow.ts';
import { crawlOptionsOf } from './options.ts';

export const run: CommandRun = async (context, [url = '', ...addresses], options) => {
  const crawlOptions = crawlOptionsOf(url, options);
  if (options['explain'] === true) return await explain(context, crawlOptions, addresses.length > 0 ? addresses : [crawlOptions.url]);
  if (addresses.length > 0)
    throw new CommandError(`A crawl begins at one address; "${addresses[0]}" is a second one. With --explain it would be explained.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: [`weft crawl --explain ${url} ${addresses[0]}`],
    });
  const output = await outputOf(options);
  const client = await context.client();
  const { id } = await client.crawl.start(crawlOptions, { signal: context.signal });
  context.say(`weft: crawl ${id} of ${crawlOptions.url}`);
  return await followCrawl(context, client, id, { detach: options['detach'] === true, timeout: options['timeout'], output });
};

async function explain(context: CommandContext, options: ReturnType<typeof crawlOptionsOf>, urls: readonly string[]): Promise<number> {
  const client = await context.client();
  const explained = await client.crawl.explain({ options, urls: [...urls] }, { signal: context.signal });
  const rows = explained.data.map(({ url, fetched, reason, rule, robots_line: line }) => [
    fetched ? 'fetch' : 'skip',
    reason ?? '',
    `${line === undefined ? '' : `robots.txt line ${line}: `}${rule ?? ''}`,
    url,
  ]);
  context.show(explained, table(['DOES', 'REASON', 'RULE', 'ADDRESS'], rows));
  const ages = explained.data.flatMap(({ robots_age: age }) => (age === undefined ? [] : [age]));
  if (ages.length > 0) context.say(`weft: robots.txt was read ${agoText(Math.max(...ages))}; a crawl reads it again when it starts`);
  return EXIT.done;
}

function agoText(seconds: number): string {
  if (seconds < 60) return 'just now';
  return seconds < 3600 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

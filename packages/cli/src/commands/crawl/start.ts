// weft crawl <url>: a crawl in the agent, followed until it is settled; or, with --explain, what it would do with addresses.
import { addressesOf } from '../../address-list.ts';
import { crawlByCloud } from '../cloud/crawl.ts';
import type { CommandContext } from '../../context.ts';
import { eachAddress, exitOf, hasFailed, outcomeJson, sayFailures } from '../../each-address.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { sendOf } from '../../send-options.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { followCrawl, showOf } from './follow.ts';
import type { Show } from './follow.ts';
import { withPersona } from '../personas/refs.ts';
import { crawlOptionsOf } from './options.ts';
import { crawlOutputOf, writeCrawls } from './output.ts';

export const run: CommandRun = async (context, args, given) => {
  const options = await withPersona(context, given);
  const urls = await addressesOf(context, 'crawl', args, options['input']);
  const [url = '', ...others] = urls;
  const crawlOptions = crawlOptionsOf(url, options);
  if (options['cloud'] === true) return await crawlByCloud(context, urls, options);
  if (options['explain'] === true) return await explain(context, crawlOptions, others.length > 0 ? others : [crawlOptions.url]);
  const output = await crawlOutputOf(options, crawlOptions.formats);
  if (output?.kind === 'table' && others.length > 0) throw severalTables();
  if (output?.kind === 'folder') crawlOptions.formats ??= [...output.formats];
  const sent = await sendOf(context, options);
  const client = await context.client();
  const start = async (address: string): Promise<number> => {
    const { id } = await client.crawl.start({ ...crawlOptions, ...sent, url: address }, { signal: context.signal });
    context.say(`weft: crawl ${id} of ${address}`);
    return id;
  };
  const follow = { detach: options['detach'] === true, timeout: options['timeout'] };
  if (others.length === 0) return await followCrawl(context, client, await start(url), { ...follow, output });
  const begun = await Array.fromAsync(eachAddress(urls, start));
  const ids = begun.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const codes: number[] = [];
  const told: object[] = [];
  const show: Show = context.isJson ? (one) => void told.push(one) : showOf(context, output);
  for (const id of ids) codes.push(await followCrawl(context, client, id, { ...follow, show }));
  if (output && ids.length > 0) await writeCrawls(context, client, ids, output);
  sayFailures(context, begun);
  if (context.isJson) showOf(context, output)([...told, ...begun.filter(hasFailed).map(outcomeJson)], '');
  return exitOf(begun) === EXIT.done && codes.every((code) => code === EXIT.done) ? EXIT.done : EXIT.failed;
};

function severalTables(): CommandError {
  return new CommandError('Several crawls have a dataset each, and a table is of one; write a folder, or JSON lines.', {
    exitCode: EXIT.usage,
    code: 'bad_request',
    next: ['weft crawl --help'],
  });
}

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

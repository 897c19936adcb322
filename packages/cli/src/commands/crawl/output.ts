// Where the pages of crawls go: JSON lines or one JSON document, a table, or a folder with a file a page.
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Crawl, FileFormat, LedgerLine, PageRecord } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { exportDataset } from '../../dataset-file.ts';
import { deliver, outputOf } from '../../download.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { bomOf, formatOf } from '../../export-output.ts';
import { fieldsOf } from '../../fields-option.ts';
import { FOLDER_FORMATS, checkFolder, writePages } from '../../folder/pages-folder.ts';
import type { PageAddress, PagesFolder, WrittenPages } from '../../folder/pages-folder.ts';
import type { CommandRun } from '../../spec.ts';

type Options = Parameters<CommandRun>[2];

/** One of the three; a file that is undefined is standard output. */
export type CrawlOutput =
  | { readonly kind: 'pages'; readonly file: string | undefined; readonly isDocument: boolean }
  | {
      readonly kind: 'table';
      readonly file: string | undefined;
      readonly format: FileFormat;
      readonly fields: readonly string[] | undefined;
      readonly isItems: boolean;
      readonly hasMark: boolean;
    }
  | ({ readonly kind: 'folder' } & PagesFolder);

/** What one file of a crawl may be. */
const FILE_FORMATS = ['jsonl', 'json', 'csv', 'xlsx'] as const;
const PAGES_PER_READ = 50;
const LEFT_SHOWN = 10;

/** What `--output` and the options beside it ask for, `formats` being what is kept of a page. Throws CommandError for what can't be. */
export async function crawlOutputOf(options: Options, formats: readonly string[] | undefined): Promise<CrawlOutput | undefined> {
  const refuse = (message: string) => new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
  const { output } = options;
  const fields = fieldsOf(options, 'fields');
  const isRows = fields !== undefined || options['items'] === true;
  if (typeof output !== 'string') {
    if (isRows || options['force'] === true) throw refuse('--fields, --items and --force say how --output is written; name one.');
    return undefined;
  }
  if (await isFolderName(output)) {
    if (isRows) throw refuse('--fields and --items are about tables; a folder has a file for each page.');
    const folder = folderOf(output, formats, options['force'] === true);
    await checkFolder(folder);
    return { kind: 'folder', ...folder };
  }
  if (options['force'] === true) throw refuse('--force is about folders; name one with a / at its end.');
  const file = await outputOf(options);
  const format = formatOf({}, file, FILE_FORMATS) ?? 'jsonl';
  if (format.startsWith('json') && !isRows) return { kind: 'pages', file, isDocument: format === 'json' };
  const isItems = options['items'] === true || (formats?.length === 1 && formats[0] === 'records');
  return { kind: 'table', file, format, fields, isItems, hasMark: bomOf(options, format).bom === true };
}

/** A folder that is named, by a slash at the end or by being there. */
export async function isFolderName(output: string): Promise<boolean> {
  if (/[/\\]$/.test(output)) return true;
  return await stat(output).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** A folder for pages of which `formats` are kept. Throws CommandError for a format that is no file of its own. */
export function folderOf(folder: string, formats: readonly string[] | undefined, isForced: boolean): PagesFolder {
  const wanted = formats ?? ['markdown'];
  const known = FOLDER_FORMATS.filter((format) => wanted.includes(format));
  if (known.length === wanted.length && known.length > 0) return { folder, formats: known, isForced };
  throw new CommandError(
    `A folder takes ${FOLDER_FORMATS.join(', ')}, not ${wanted.join(', ') || 'nothing'}; other formats go into one file.`,
    {
      exitCode: EXIT.usage,
      code: 'bad_request',
    },
  );
}

/** Writes the pages of crawls `ids`, which may still go on, and says what was written. */
export async function writeCrawls(
  context: CommandContext,
  client: AgentClient,
  ids: readonly number[],
  output: CrawlOutput,
): Promise<void> {
  const { signal } = context;
  if (output.kind === 'folder') {
    const addresses = (await Promise.all(ids.map((id) => addressesIn(client, id, signal)))).flat();
    sayFolder(context, output.folder, await writePages(output, firstOfEach(addresses), pagesOf(client, ids, signal)));
  } else if (output.kind === 'table') {
    const [id = 0] = ids;
    const { dataset_id: dataset } = await client.crawl.read({ id, limit: 1 }, { signal });
    if (dataset === 0) return context.say('weft: no page was kept, so nothing was written');
    const { format, fields, file, isItems, hasMark } = output;
    await exportDataset(
      client,
      context,
      dataset,
      { format, run_id: id, fields, ...(isItems ? { rows: 'items' } : {}), ...(hasMark ? { bom: true } : {}) },
      file,
    );
    if (file !== undefined) context.say(`weft: wrote its ${isItems ? 'items' : 'pages'} to ${file}`);
  } else {
    await writeAllPages(context, pagesOf(client, ids, signal), output);
  }
}

/** Writes pages into one file, each on a line of its own, and says how many. */
export async function writeAllPages(
  context: CommandContext,
  pages: AsyncIterable<PageRecord>,
  { file, isDocument }: Extract<CrawlOutput, { kind: 'pages' }>,
): Promise<void> {
  let count = 0;
  const pieces = async function* () {
    if (isDocument) yield '[';
    for await (const page of pages) {
      if (isDocument) yield count === 0 ? '\n' : ',\n';
      yield JSON.stringify(page);
      if (!isDocument) yield '\n';
      count++;
    }
    if (isDocument) yield '\n]\n';
  };
  await deliver(context, pieces(), file);
  if (file === undefined) return;
  // A name without an ending is most often meant as a folder.
  const how = extname(file) === '' ? `, one JSON line each; ${file}/ with its slash is a folder with a file each` : '';
  context.say(`weft: wrote ${count} ${count === 1 ? 'page' : 'pages'} to ${file}${how}`);
}

/** Says how many files were written, and which pages are not among them. */
export function sayFolder({ say }: CommandContext, folder: string, { files, left }: WrittenPages): void {
  say(`weft: wrote ${files} ${files === 1 ? 'file' : 'files'} to ${folder}`);
  for (const sentence of left.slice(0, LEFT_SHOWN)) say(`weft: not written: ${sentence}`);
  if (left.length > LEFT_SHOWN) say(`weft: not written: ${left.length - LEFT_SHOWN} more`);
}

/** The addresses of a page that answered at another one than it was asked for. */
export function addressOf({ url, requested_url, redirects = [] }: Pick<PageRecord, 'url' | 'requested_url' | 'redirects'>): PageAddress {
  return { url, aliases: [requested_url, ...redirects.map((redirect) => redirect.url)] };
}

/** The pages of a crawl and all addresses that its ledger knows to lead to one of them. */
async function addressesIn(client: AgentClient, id: number, signal: AbortSignal): Promise<readonly PageAddress[]> {
  const { dataset_id: dataset } = await client.crawl.read({ id, limit: 1 }, { signal });
  if (dataset === 0) return [];
  const path = `/v1/datasets/${dataset}/export`;
  const query = { run_id: id, format: 'json', fields: 'url,requested_url,redirects' };
  const answer = await client.transport.send({ method: 'GET', path, query, signal });
  const pages = (await answer.json()) as readonly Pick<PageRecord, 'url' | 'requested_url' | 'redirects'>[];
  const twins = new Map<string, string[]>();
  for (const { url, final_url: final, reason, rule } of await ledgerOf(client, id, signal)) {
    // The rule that left a twin out ends with the address of the page that it is one of.
    const target = final ?? (reason === 'duplicate' ? /https?:\/\/\S+$/.exec(rule ?? '')?.[0] : undefined);
    if (target !== undefined) twins.set(target, [...(twins.get(target) ?? []), url]);
  }
  return pages.map(addressOf).map(({ url, aliases }) => ({ url, aliases: [...aliases, ...(twins.get(url) ?? [])] }));
}

async function ledgerOf(client: AgentClient, id: number, signal: AbortSignal): Promise<readonly LedgerLine[]> {
  const answer = await client.crawl.ledger({ id, format: 'ndjson' }, { signal });
  const lines = answer instanceof Response ? (await answer.text()).split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerLine);
}

/** Two crawls may have met the same page. */
function firstOfEach(addresses: readonly PageAddress[]): readonly PageAddress[] {
  const merged = new Map<string, PageAddress>();
  for (const { url, aliases } of addresses) merged.set(url, { url, aliases: [...(merged.get(url)?.aliases ?? []), ...aliases] });
  return [...merged.values()];
}

/** The pages of crawls in the order in which they came, each address once. */
async function* pagesOf(client: AgentClient, ids: readonly number[], signal: AbortSignal): AsyncGenerator<PageRecord> {
  const seen = new Set<string>();
  for (const id of ids)
    for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
      const page: Crawl = await client.crawl.read({ id, limit: PAGES_PER_READ, ...(cursor === undefined ? {} : { cursor }) }, { signal });
      for (const record of page.data) if (!seen.has(record.url)) yield record;
      for (const { url } of page.data) seen.add(url);
      cursor = page.next_cursor;
    }
}

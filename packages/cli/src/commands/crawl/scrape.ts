// weft scrape <urls>: crawls of one page each through the agent (D26), or scrapes of a cloud.
import type { LaneChoice, PageFormat, PageRecord } from '@weft/contract';
import { addressesOf } from '../../address-list.ts';
import type { CommandContext } from '../../context.ts';
import { deliver, outputOf } from '../../download.ts';
import { eachAddress, exitOf, hasFailed, outcomeJson, sayFailures } from '../../each-address.ts';
import type { Outcome } from '../../each-address.ts';
import { CommandError, EXIT, failureText } from '../../exit.ts';
import { checkFolder, writePages } from '../../folder/pages-folder.ts';
import type { PagesFolder } from '../../folder/pages-folder.ts';
import { wholeNumber } from '../../number-option.ts';
import { sendOf } from '../../send-options.ts';
import type { CommandRun } from '../../spec.ts';
import { cloudScraper } from '../cloud/scrape.ts';
import { cutOf } from './cut.ts';
import type { Cut } from './cut.ts';
import { withPersona } from '../personas/refs.ts';
import { numberOf } from './options.ts';
import { addressOf, folderOf, isFolderName, sayFolder } from './output.ts';
import { FORMATS } from './page-formats.ts';
import { onePage } from './one-page.ts';
import { pageText } from './page-text.ts';
import { PICTURES, savePicture } from './picture.ts';
import { pageOf } from './scraped.ts';

type Options = Parameters<CommandRun>[2];

const SECONDS_MAX = 3600;

export const run: CommandRun = async (context, args, given) => {
  const options = await withPersona(context, given);
  const cut = cutOf(options);
  const formats = cut ? ['markdown' as const] : formatsOf(options);
  const urls = await addressesOf(context, 'scrape', args, options['input']);
  checkPictures(options, urls.length);
  const { output } = options;
  const folder =
    typeof output === 'string' && (await isFolderName(output)) ? folderOf(output, formats, options['force'] === true) : undefined;
  if (folder) await checkFolder(folder);
  else if (options['force'] === true) throw refuse('--force is about folders; name one with a / at its end.');
  const file = folder ? undefined : await outputOf(options);
  for (const kind of PICTURES) await outputOf({ output: options[kind] });
  const request = { ...requestOf(options, context.isJson ? ['json'] : formats), ...(await sendOf(context, options)) };
  const timeoutSeconds = wholeNumber(options, 'timeout', 1, SECONDS_MAX) ?? SECONDS_MAX;
  const scrape =
    options['cloud'] === true
      ? await cloudScraper(context, options, request, timeoutSeconds)
      : await agentScraper(context, options, request, timeoutSeconds);
  const pages = eachAddress(urls, scrape);
  if (folder) return await writeFolder(context, await Array.fromAsync(pages), folder);
  const outcomes: Outcome<PageRecord>[] = [];
  const texts = context.isJson
    ? jsonOf(pages, outcomes, context, cut)
    : textsOf(pages, outcomes, context, { cut, formats, isOne: urls.length === 1 });
  await deliver(context, texts, file);
  for (const { result } of outcomes) if (result) sayOfPage(context, result, options);
  if (file !== undefined) context.say(`weft: wrote ${file}`);
  if (urls.length > 1 && outcomes.some(hasFailed))
    context.say(`weft: ${outcomes.filter(hasFailed).length} of ${urls.length} addresses failed`);
  return exitOf(outcomes);
};

async function agentScraper(
  context: CommandContext,
  options: Options,
  request: ReturnType<typeof requestOf>,
  timeoutSeconds: number,
): Promise<(url: string) => Promise<PageRecord>> {
  const client = await context.client();
  return async (url) => {
    const page = pageOf(await onePage(context, client, { url, ...request }, timeoutSeconds));
    for (const kind of PICTURES) {
      const id = page[kind];
      const path = id === undefined ? undefined : `/v1/files/${encodeURIComponent(id)}/content`;
      await savePicture(context, client, path, kind, options[kind]);
    }
    return page;
  };
}

/** What `--format` names, several of them with commas or several times. Throws CommandError for one that is none. */
function formatsOf({ format = 'markdown' }: Options): readonly (PageFormat | 'json')[] {
  const names = [
    ...new Set(
      String(format)
        .split(/[,\n]/)
        .map((name) => name.trim()),
    ),
  ];
  const known = FORMATS.filter((name) => names.includes(name));
  const [unknown] = names.filter((name) => !(FORMATS as readonly string[]).includes(name));
  if (unknown === undefined) return names.flatMap((name) => known.filter((one) => one === name));
  throw refuse(`"${unknown}" is no format; take some of ${FORMATS.join(', ')}.`);
}

function refuse(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft scrape --help'] });
}

function checkPictures(options: Options, addresses: number): void {
  if (options['lane'] === 'http' && options['waitFor'] !== undefined) throw refuse('--wait-for needs a browser, and --lane http has none.');
  const [picture] = PICTURES.filter((kind) => options[kind] !== undefined);
  if (picture !== undefined && addresses > 1) throw refuse(`--${picture} names one file, and these are ${addresses} addresses.`);
}

const ALL_FORMATS: readonly PageFormat[] = ['markdown', 'html', 'text', 'links', 'metadata'];

function requestOf(options: Options, formats: readonly (PageFormat | 'json')[]) {
  const persona_id = numberOf('persona', options['persona']);
  const views = formats.flatMap((format) => (format === 'json' ? ALL_FORMATS : [format]));
  return {
    limit: 1,
    formats: [...new Set(views)],
    only_main_content: options['fullPage'] !== true,
    ...(options['hidden'] === true ? { include_hidden: true } : {}),
    // Unless said, the agent chooses: what is sent may keep a browser out.
    ...(options['lane'] === undefined ? {} : { lane: options['lane'] as LaneChoice }),
    ...(persona_id === undefined ? {} : { persona_id }),
    ...(typeof options['waitFor'] === 'string' ? { wait_for_selector: options['waitFor'] } : {}),
    ...(options['screenshot'] === undefined ? {} : { screenshot: 'full' as const }),
    ...(options['pdf'] === undefined ? {} : { pdf: true }),
  };
}

interface Writing {
  readonly cut: Cut | undefined;
  readonly formats: readonly (PageFormat | 'json')[];
  readonly isOne: boolean;
}

/** Pages as they come, each under its address where there are several; what failed is said meanwhile. */
async function* textsOf(
  pages: AsyncIterable<Outcome<PageRecord>>,
  outcomes: Outcome<PageRecord>[],
  context: CommandContext,
  { cut, formats, isOne }: Writing,
): AsyncGenerator<string> {
  for await (const outcome of pages) {
    outcomes.push(outcome);
    if (hasFailed(outcome)) context.say(failureText(outcome.failure));
    else {
      const { text, isObject } = await pageText(context, outcome.result, { cut, formats, isOne });
      const lead = isOne || isObject ? '' : `==> ${outcome.result.url} <==\n`;
      yield `${lead}${text.endsWith('\n') ? text : `${text}\n`}${lead === '' ? '' : '\n'}`;
    }
  }
}

/** One document: the page, or a list of the pages and of what failed. */
async function* jsonOf(
  pages: AsyncIterable<Outcome<PageRecord>>,
  outcomes: Outcome<PageRecord>[],
  context: CommandContext,
  cut: Cut | undefined,
): AsyncGenerator<string> {
  const shown: unknown[] = [];
  for await (const outcome of pages) {
    outcomes.push(outcome);
    if (hasFailed(outcome)) shown.push(outcomeJson(outcome));
    else shown.push(JSON.parse((await pageText(context, outcome.result, { cut, formats: ['json'], isOne: true })).text));
  }
  yield `${JSON.stringify(shown.length === 1 ? shown[0] : shown, null, 2)}\n`;
}

async function writeFolder(context: CommandContext, outcomes: readonly Outcome<PageRecord>[], folder: PagesFolder): Promise<number> {
  const pages = outcomes.flatMap(({ result }) => (result ? [result] : []));
  const each = async function* () {
    yield* new Map(pages.map((page) => [page.url, page])).values();
  };
  const addresses = new Map(pages.map((page) => [page.url, addressOf(page)]));
  sayFolder(context, folder.folder, await writePages(folder, [...addresses.values()], each()));
  sayFailures(context, outcomes);
  return exitOf(outcomes);
}

/** Why a page came without the browser that it wants, and what to do. */
const UNRENDERED: Readonly<Record<string, string>> = {
  no_browser: 'none starts here (weft doctor says why)',
  render_failed: 'one could not read it',
};

function sayOfPage({ say }: CommandContext, page: PageRecord, options: Options): void {
  const { hidden_words: hidden } = page;
  if (hidden !== undefined)
    say(`weft: left out ${hidden === 1 ? 'one word' : `${hidden} words`} that the page hides; --hidden reads them.`);
  if (page.lane_reason !== undefined && Object.hasOwn(UNRENDERED, page.lane_reason))
    say(`weft: ${page.url} wants a browser for its scripts, and ${UNRENDERED[page.lane_reason]}; this is the page without them.`);
  if (page.markdown?.trim() !== '') return;
  if (options['lane'] === 'http') say('weft: the page shows no text without its scripts; without --lane http a browser runs them.');
  else if (page.lane === 'browser')
    say(`weft: ${page.url} shows no text in a browser either: its scripts may want a login, or what another host did not answer.`);
}

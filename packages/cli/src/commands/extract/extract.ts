// weft extract <urls>: what a selector points at, lists over their pages, a product or forms; as lines, JSON or a table.
import type { EXTRACT_PARTS, EXTRACT_SELECTORS, ExtraTable, Input, LaneChoice } from '@weft/contract';
import { addressesOf } from '../../address-list.ts';
import type { CommandContext } from '../../context.ts';
import { deliver, outputOf } from '../../download.ts';
import { eachAddress, exitOf, hasFailed, outcomeJson, sayFailures } from '../../each-address.ts';
import type { Outcome } from '../../each-address.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { bomOf, checkOutput, formatOf } from '../../export-output.ts';
import { fieldsOf } from '../../fields-option.ts';
import { namesOf } from '../../names.ts';
import { pageFailure } from '../../page-failure.ts';
import { wholeNumber } from '../../number-option.ts';
import { ROW_FORMATS, writtenRows } from '../../rows-process.ts';
import { sendOf } from '../../send-options.ts';
import { shellWord } from '../../shell-word.ts';
import type { CommandRun } from '../../spec.ts';
import { columnsOf, isBare, linesOf, rowsOf } from './found.ts';
import type { Extracted } from './found.ts';

type Request = Input<ExtraTable['extract']['run']>['body'];
type Options = Parameters<CommandRun>[2];

const PARTS = namesOf<(typeof EXTRACT_PARTS)[number]>({ list: true, product: true, forms: true });
const SELECTORS = namesOf<(typeof EXTRACT_SELECTORS)[number]>({
  css: true,
  xpath: true,
  jsonpath: true,
  regex: true,
  text: true,
  role: true,
  label: true,
  aria: true,
  pierce: true,
});
const PAGES_MAX = 1000;
const HELP = 'weft extract --help';

export const run: CommandRun = async (context, args, options) => {
  const wanted = wantedOf(options);
  const urls = await addressesOf(context, 'extract', args, options['input']);
  const file = await outputOf(options);
  // A product and forms are JSON by themselves.
  const isDocument = (options['product'] ?? options['forms']) === true && /\.json$/i.test(file ?? '');
  const format = formatOf(options, isDocument ? undefined : file, ['text', ...ROW_FORMATS]);
  if (file === undefined && format !== undefined) checkOutput(context, format, HELP);
  const hasMark = bomOf(options, format).bom === true;
  const sent = await sendOf(context, options);
  const client = await context.client();
  const extract = async (url: string): Promise<Extracted> => {
    const found = await client.extract.run({ url, ...wanted.request, ...sent }, { signal: context.signal });
    if (found.failure) throw pageFailure({ failure: found.failure, url: found.url, command: 'extract' });
    return found;
  };
  const outcomes = await Array.fromAsync(eachAddress(urls, extract));
  await write(context, outcomes, { ...wanted, file, format, hasMark });
  sayFailures(context, outcomes);
  const isShort = sayFound(context, outcomes, wanted.told);
  if (file !== undefined) context.say(`weft: wrote ${file}`);
  if (options['require'] === true && isShort) return EXIT.unexpected;
  return outcomes.some(({ result }) => result?.pages?.end === 'failed') ? EXIT.failed : exitOf(outcomes);
};

interface Wanted {
  readonly request: Omit<Request, 'url'>;
  /** As it was typed. */
  readonly told: string;
  readonly fields: readonly string[] | undefined;
}

/** What is to be extracted. Throws CommandError where that is nothing, or several things. */
function wantedOf(options: Options): Wanted {
  const refuse = (message: string, next: readonly string[] = [HELP]) =>
    new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next });
  const names = [...SELECTORS, ...PARTS].filter((name) => options[name] !== undefined);
  const [name] = names;
  if (name === undefined)
    throw refuse(`Say what to extract with one of ${[...SELECTORS, ...PARTS].map((one) => `--${one}`).join(', ')}.`, [
      'weft extract https://example.com --css h1',
    ]);
  if (names.length > 1) throw refuse(`Say one thing to extract; these are several: ${names.map((one) => `--${one}`).join(', ')}.`);
  const pages = wholeNumber(options, 'pages', 1, PAGES_MAX);
  const key = fieldsOf(options, 'key');
  if (pages !== undefined && name !== 'list') throw refuse('--pages goes with --list.');
  if (key && pages === undefined) throw refuse('--key goes with --pages.');
  return {
    request: {
      [name]: options[name],
      ...(options['lane'] === undefined ? {} : { lane: options['lane'] as LaneChoice }),
      ...(options['hidden'] === true ? { include_hidden: true } : {}),
      ...(pages === undefined ? {} : { pages }),
      ...(key ? { key: [...key] } : {}),
    },
    told: name === 'list' || name === 'product' || name === 'forms' ? name : `--${name} ${String(options[name])}`,
    fields: fieldsOf(options, 'fields'),
  };
}

interface Writing extends Wanted {
  readonly file: string | undefined;
  readonly format: string | undefined;
  readonly hasMark: boolean;
}

/** Writes what was found, as lines unless a format or columns are asked for. */
async function write(
  context: CommandContext,
  outcomes: readonly Outcome<Extracted>[],
  { file, format, fields, hasMark }: Writing,
): Promise<void> {
  const found = outcomes.flatMap(({ result }) => (result ? [result] : []));
  if (context.isJson && format === undefined) {
    const shown = outcomes.map((outcome) => (hasFailed(outcome) ? outcomeJson(outcome) : outcome.result));
    return context.print(JSON.stringify(shown.length === 1 ? shown[0] : shown, null, 2), file);
  }
  if (format === 'text' || (format === undefined && !fields && isBare(found))) {
    const lines = found.flatMap(linesOf);
    return await deliver(context, once(lines.map((line) => `${line}\n`).join('')), file);
  }
  const rows = found.flatMap((one) => rowsOf(one, outcomes.length > 1));
  sayUnknown(context, rows, fields);
  await deliver(
    context,
    writtenRows(rows, { format: format ?? 'jsonl', title: 'Extracted', fields: fields ?? columnsOf(rows, found), hasMark }),
    file,
  );
}

async function* once(text: string): AsyncGenerator<string> {
  if (text !== '') yield text;
}

/** A column that no row has is most likely a slip. */
function sayUnknown({ say }: CommandContext, rows: readonly object[], fields: readonly string[] | undefined): void {
  if (rows.length === 0) return;
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const unknown = (fields ?? []).filter((name) => !known.has(name));
  if (unknown.length > 0) say(`weft: no row has ${unknown.join(', ')}; the fields are ${[...known].join(', ')}`);
}

/** Says what was not found, and how far lists were read; whether an address gave nothing. */
function sayFound({ say }: CommandContext, outcomes: readonly Outcome<Extracted>[], told: string): boolean {
  let isShort = false;
  for (const { result } of outcomes) {
    if (!result) continue;
    const count = rowsOf(result, false).length;
    isShort ||= count === 0;
    const { pages, url } = result;
    if (pages) {
      const repeated = pages.repeated > 0 ? `, ${pages.repeated} left out that had come before` : '';
      const next = pages.next === undefined ? '' : `; it goes on at ${pages.next}`;
      say(`weft: ${counted(pages.read, 'page')}, ${counted(count, 'row')}${repeated}. ${pages.says.replace(/\.$/, '')}${next}.`);
      if (pages.end === 'button') say(`Try:   weft api build ${shellWord(url)} --objective "the whole list"`);
    } else if (count === 0) say(told.startsWith('--') ? `weft: nothing on ${url} matches ${told}` : `weft: ${url} shows no ${told}`);
  }
  return isShort;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

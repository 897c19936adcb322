// What of a page is watched, as options of the command line: a selector and its extractors.
import type { AlertRule, ExtractorSpec, SelectorSpec } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';
import type { OptionSpec } from '../../words.ts';
import type { CommandOptions } from './settings.ts';

/** Which changes of a number are told. */
export const ALERTS: readonly OptionSpec[] = [
  { flags: '--percent <number>', summary: 'tell a price or number only when it changes by so much' },
  { flags: '--below <number>', summary: 'tell a price or number only when it is below this' },
];

export const TARGET: readonly OptionSpec[] = [
  { flags: '--css <selector>', summary: 'what this points at' },
  { flags: '--xpath <expression>', summary: 'what this points at' },
  { flags: '--jsonpath <path>', summary: 'this value of the JSON that the page is or holds' },
  { flags: '--price', summary: "its price; the product's, without a selector" },
  { flags: '--stock', summary: 'whether it can be bought; the product, without a selector' },
  { flags: '--items', summary: 'the items of its list: which are new, gone and changed' },
  { flags: '--text', summary: 'its text, as without --price, --stock and --items' },
  ...ALERTS,
];

/** Where a product or a list stands without a selector of its own. */
const WHOLE = 'body';
/** Options that find what they mean on a page by themselves. */
const WHOLE_PAGE = ['price', 'stock', 'items'];

/** What `TARGET` says; undefined for the text of the page. Throws CommandError. */
export function targetOf(options: CommandOptions): SelectorSpec | undefined {
  const selector = selectorOf(options);
  const alert = alertOf(options);
  const extractors = extractorsOf(options, selector, alert);
  const isFound = WHOLE_PAGE.some((name) => options[name] === true);
  if (selector === undefined && !isFound) return undefined;
  return { selector: selector ?? WHOLE, ...(extractors.length > 0 ? { extractors } : {}) };
}

/** What `ALERTS` say; undefined where neither is given. Throws CommandError for what is no number. */
export function alertOf(options: CommandOptions): AlertRule | undefined {
  const [percent, min] = [numberOf('percent', options), numberOf('below', options)];
  if (percent === undefined && min === undefined) return undefined;
  // Values from `min` up are not told.
  return { ...(percent === undefined ? {} : { percent }), ...(min === undefined ? {} : { min }) };
}

function selectorOf({ css, xpath, jsonpath }: CommandOptions): string | undefined {
  const given = [
    ...(typeof css === 'string' ? [css] : []),
    ...(typeof xpath === 'string' ? [`xpath/${xpath}`] : []),
    ...(typeof jsonpath === 'string' ? [`jsonpath/${jsonpath}`] : []),
  ];
  if (given.length > 1) throw usage('Give one of --css, --xpath and --jsonpath; weft monitor selector add adds others.');
  return given[0];
}

function extractorsOf(options: CommandOptions, selector: string | undefined, alert: AlertRule | undefined): ExtractorSpec[] {
  const { price, stock, items, text, jsonpath } = options;
  const rule = alert ? { alert } : {};
  const named: ExtractorSpec[] = [
    ...(price === true ? [{ type: 'price', ...rule } as const] : []),
    ...(stock === true ? [{ type: 'availability' } as const] : []),
    ...(items === true ? [{ type: 'list' } as const] : []),
    ...(text === true ? [{ type: 'text' } as const] : []),
  ];
  if (alert && price !== true && (named.length > 0 || selector === undefined))
    throw usage('--percent and --below are for a price or a number: add --price, or a selector of what shows the number.');
  if (named.length > 0) return named;
  if (alert) return [{ type: 'number', alert }];
  return jsonpath === undefined ? [] : [{ type: 'json', path: '$' }];
}

function numberOf(name: string, options: CommandOptions): number | undefined {
  const text = options[name];
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw usage(`--${name} is "${text}"; it must be a number such as 5 or 9.99.`);
}

function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: ['weft monitor add --help'] });
}

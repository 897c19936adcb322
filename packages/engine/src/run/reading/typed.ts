// One value of a field as its rule wants it: an attribute or what is said, the part that a pattern finds, its type.
import { serializeOuter } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { isTag } from 'domhandler';
import type { FieldRule } from '@weft/contract';
import { parseJson } from '../../html/loose-json.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { compileRegex, matchRegexInText } from '../../html/selectors/regex.ts';
import type { FieldScalar, FieldType, FieldValue } from '../../records/list.ts';
import { readValue } from '../../records/name/values.ts';
import { numberOf } from '../template/decimal.ts';
import type { FoundValue } from './find.ts';

/** What an element's address is, where no attribute is named. */
const ADDRESSES = ['href', 'src', 'data-src', 'action'];

/** The value of `found` by `rule`; undefined where there is none. */
export function typedValue(found: FoundValue, rule: FieldRule, baseUrl: string): JsonValue | undefined {
  const raw = rawOf(found, rule);
  if (raw === undefined || (raw === null && rule.type !== undefined)) return undefined;
  const isPlain = typeof raw !== 'string' && rule.regex === undefined && (rule.type === undefined || rule.type === 'json');
  if (isPlain) return raw;
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  const part = rule.regex === undefined ? text : matchRegexInText(compileRegex(patternOf(rule.regex)), text, 1)[0];
  if (part === undefined) return undefined;
  return convert(part.trim(), rule.type ?? 'text', baseUrl);
}

/** A pattern as selectors write it: bare, or between slashes with flags behind. */
export function patternOf(pattern: string): string {
  return /^\/.+\/[a-z]*$/s.test(pattern) ? pattern : `/${pattern}/`;
}

function rawOf({ node, value }: FoundValue, { attr, type }: FieldRule): JsonValue | undefined {
  const element = node && isTag(node) ? node : undefined;
  if (attr !== undefined) return element?.attribs[attr.toLowerCase()];
  if (!element) return value;
  if (type === 'html') return serializeOuter(element, { treeAdapter: adapter });
  const isAddress = type === 'url' || type === 'image';
  const address = isAddress ? ADDRESSES.map((name) => element.attribs[name]).find((given) => given !== undefined) : undefined;
  const instant = type === 'date' ? element.attribs['datetime'] : undefined;
  return address ?? instant ?? value;
}

function convert(text: string, type: NonNullable<FieldRule['type']>, baseUrl: string): JsonValue | undefined {
  if (type === 'text') return text;
  if (text === '') return undefined;
  if (type === 'html') return text;
  if (type === 'json') return parseJson(text);
  if (type === 'number') return numberOf(text.replaceAll(/[\s\u00a0\u202f]/g, '')) ?? numberOf(plainNumber(text));
  const scalar = readValue(text, type satisfies FieldType, baseUrl);
  return scalar && plainScalar(scalar);
}

/** `1,234.5` and `1.234,5` alike: the last sign is the point where not three digits follow it, or another sign stands before. */
function plainNumber(text: string): string {
  const digits =
    /-?\d[\d.,\s\u00a0\u202f']*/
      .exec(text)?.[0]
      .replaceAll(/[\s\u00a0\u202f']/g, '')
      .replace(/[.,]$/, '') ?? '';
  const [last = ''] = /[.,](?=\d*$)/.exec(digits) ?? [];
  if (last === '') return digits;
  const isGrouping =
    digits.split(last).length > 2 || (/[.,]\d{3}$/.test(digits) && !digits.slice(0, -4).match(/[.,]/) && !/^-?0[.,]/.test(digits));
  const whole = digits.replaceAll(last === ',' ? '.' : ',', '');
  return isGrouping ? whole.replaceAll(last, '') : whole.replace(last, '.');
}

/** A typed value as plain JSON. */
export function plainScalar(scalar: FieldScalar): JsonValue {
  if (scalar.type === 'price') return { amount: scalar.amount, ...(scalar.currency === undefined ? {} : { currency: scalar.currency }) };
  if (scalar.type === 'date') return scalar.iso ?? scalar.raw;
  if (scalar.type === 'rating' || scalar.type === 'boolean') return scalar.value;
  if (scalar.type === 'count') return scalar.count;
  return scalar.type === 'text' ? scalar.raw : scalar.url;
}

/** The same of a field that may repeat. */
export function plainValue(value: FieldValue): JsonValue {
  // A list of scalars is the only value without a type.
  return 'type' in value ? plainScalar(value) : value.map(plainScalar);
}

// The filters of templates, named after Liquid's. Each is bounded by what it is given.
import { joinDecimals } from './decimal.ts';
import { memberOf, textOf } from '../value.ts';

/** Lists and texts that a filter makes hold at most so much. */
const MADE_MAX = 100_000;

type Filter = (value: unknown, first: unknown, second: unknown) => unknown;

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';
const ofNumbers = (value: unknown, other: unknown, join: (a: number, b: number) => number) => joinDecimals(join, value, other);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isGiven(value) ? [value] : []);

/** By name. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  default: (value, other) => (isGiven(value) && value !== false ? value : other),
  upcase: (value) => textOf(value).toUpperCase(),
  downcase: (value) => textOf(value).toLowerCase(),
  strip: (value) => textOf(value).trim(),
  append: (value, text) => textOf(value) + textOf(text),
  prepend: (value, text) => textOf(text) + textOf(value),
  replace: (value, from, to) => (textOf(from) === '' ? textOf(value) : textOf(value).replaceAll(textOf(from), () => textOf(to))),
  remove: (value, text) => (textOf(text) === '' ? textOf(value) : textOf(value).replaceAll(textOf(text), '')),
  split: (value, by) => textOf(value).split(textOf(by), MADE_MAX),
  join: (value, by) =>
    listOf(value)
      .map(textOf)
      .join(by === undefined ? ' ' : textOf(by)),
  first: (value) => listOf(value).at(0),
  last: (value) => listOf(value).at(-1),
  size: (value) => (typeof value === 'string' ? value.length : listOf(value).length),
  slice: (value, from, count) => sliceOf(value, Number(from), count === undefined ? 1 : Number(count)),
  map: (value, name) => listOf(value).map((item) => memberOf(item, textOf(name)) ?? null),
  uniq: (value) => [...new Map(listOf(value).map((item) => [JSON.stringify(item), item])).values()],
  compact: (value) => listOf(value).filter(isGiven),
  plus: (value, other) => ofNumbers(value, other, (a, b) => a + b),
  minus: (value, other) => ofNumbers(value, other, (a, b) => a - b),
  times: (value, other) => ofNumbers(value, other, (a, b) => a * b),
  url_encode: (value) => encodeURIComponent(textOf(value).toWellFormed()),
  json: (value) => JSON.stringify(value ?? null),
};

function sliceOf(value: unknown, from: number, count: number): unknown {
  const start = Number.isInteger(from) ? from : 0;
  const of = Array.isArray(value) ? value : textOf(value);
  const begin = start < 0 ? Math.max(0, of.length + start) : start;
  return of.slice(begin, begin + Math.max(0, count));
}

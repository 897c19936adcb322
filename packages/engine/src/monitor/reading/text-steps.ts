// What is made of a text before it is shown and compared: lines kept and dropped, matches found and replaced, items in another order.
import type { TextStep } from '@weft/contract';
import type { RE2JS } from 're2js';
import { compileRegex } from '../../html/selectors/regex.ts';
import { isHeld, parsePhrases } from './phrases.ts';
import type { Phrase } from './phrases.ts';

type Make = (text: string) => string;

/** Matches of one step; what is behind them is left out by `find` and left as it is by `replace`. */
const MATCHES_MAX = 100_000;
/** Characters that may come of one step: a short text may be replaced by a long one at every place. */
const CHARS_MAX = 10_000_000;

/** Reads steps, to be taken one after the other. Throws PageError `selector` for an expression that is none. */
export function readSteps(steps: readonly TextStep[]): Make {
  const makes = steps.map(readStep);
  return (text) => makes.reduce((made, make) => make(made).slice(0, CHARS_MAX), text);
}

function readStep(step: TextStep): Make {
  if ('keep' in step) return ofLines(parsePhrases(step.keep), true);
  if ('drop' in step) return ofLines(parsePhrases(step.drop), false);
  if ('find' in step) return finding(step.find.map(expressionOf), step.as);
  if ('replace' in step) return replacing(expressionOf(step.replace), templateOf(step.with));
  const { separator = '\n' } = step;
  const arrange = 'unique' in step ? unique : 'sort' in step ? (items: readonly string[]) => sorted(items, step.sort) : reversed;
  return (text) => arrange(text.split(separator)).join(separator);
}

function ofLines(phrases: readonly Phrase[], isKept: boolean): Make {
  return (text) =>
    text
      .split('\n')
      .filter((line) => phrases.some((phrase) => isHeld(phrase, line)) === isKept)
      .join('\n');
}

function finding(expressions: readonly RE2JS[], as: string | undefined): Make {
  return (text) =>
    expressions
      .flatMap((expression) => {
        const template = templateOf(as ?? (expression.groupCount() > 0 ? '$1' : '$0'));
        return matchesOf(expression, text).map(({ groups }) => filled(template, groups));
      })
      .join('\n');
}

function replacing(expression: RE2JS, template: Template): Make {
  return (text) => {
    let made = '';
    let from = 0;
    for (const { start, end, groups } of matchesOf(expression, text)) {
      made += text.slice(from, start) + filled(template, groups);
      from = end;
      if (made.length > CHARS_MAX) break;
    }
    return made + text.slice(from);
  };
}

interface Match {
  readonly start: number;
  readonly end: number;
  /** The whole match first; '' for a group that took no part. */
  readonly groups: readonly string[];
}

function matchesOf(expression: RE2JS, text: string): readonly Match[] {
  const matcher = expression.matcher(text);
  const numbers = Array.from({ length: expression.groupCount() + 1 }, (_, number) => number);
  const matches: Match[] = [];
  while (matches.length < MATCHES_MAX && matcher.find())
    matches.push({ start: matcher.start(), end: matcher.end(), groups: numbers.map((number) => matcher.group(number) ?? '') });
  return matches;
}

/** Texts, and between them numbers of groups. */
type Template = readonly (string | number)[];

/** Reads `$1`, `$12` and `$$`; every other dollar sign is itself. */
function templateOf(text: string): Template {
  const pieces: (string | number)[] = [];
  let from = 0;
  for (const { index, 0: all, 1: number } of text.matchAll(/\$(?:(\d{1,2})|\$)/g)) {
    pieces.push(text.slice(from, index), number === undefined ? '$' : Number(number));
    from = index + all.length;
  }
  return [...pieces, text.slice(from)];
}

function filled(template: Template, groups: readonly string[]): string {
  return template.map((piece) => (typeof piece === 'number' ? (groups[piece] ?? '') : piece)).join('');
}

/** A plain phrase stands for itself, in any case. */
function expressionOf(written: string): RE2JS {
  if (/^\/.+\/[a-z]*$/s.test(written)) return compileRegex(written);
  return compileRegex(`/${written.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/i`);
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

function sorted(items: readonly string[], direction: 'up' | 'down'): readonly string[] {
  const keyed = items.map((item) => ({ item, key: item.toLowerCase() }));
  const sign = direction === 'up' ? 1 : -1;
  return keyed.toSorted((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ item }) => item);
}

function reversed(items: readonly string[]): readonly string[] {
  return items.toReversed();
}

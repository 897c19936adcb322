// Runs users' regular expressions on a linear-time engine, so that no pattern can stall the process.
import { RE2JS } from 're2js';
import type { PageTree } from '../tree.ts';
import { selectorError } from './caps.ts';
import { linesOf } from './text.ts';

/** Repetitions such as `{1000}` multiply the program; the engine itself refuses counts above 1,000. */
const REPEATS_MAX = 1_000;
const FLAGS: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL, g: 0, u: 0 };

/** Compiles `/pattern/flags` (flags i, m, s; g and u change nothing); throws PageError `selector` for anything else. */
export function compileRegex(expression: string): RE2JS {
  const parts = /^\/(.+)\/([a-z]*)$/s.exec(expression);
  if (!parts) throw selectorError(`regex${expression}`, 'is not written as regex/pattern/ with flags such as i behind it.');
  const [, pattern = '', letters = ''] = parts;
  const unknown = [...letters].find((letter) => FLAGS[letter] === undefined);
  if (unknown !== undefined) throw selectorError(`regex${expression}`, `has the flag ${unknown}; known flags are i, m and s.`);
  requireRepeats(pattern, expression);
  try {
    return RE2JS.compile(
      pattern,
      [...letters].reduce((flags, letter) => flags | (FLAGS[letter] ?? 0), 0),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown syntax';
    throw selectorError(`regex${expression}`, `is not an RE2 expression (no look-around, no back-references): ${reason}.`, cause);
  }
}

function requireRepeats(pattern: string, expression: string): void {
  const product = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (total, [, from, to]) => total * Math.max(1, Number(from), Number(to ?? 0)),
    1,
  );
  if (product > REPEATS_MAX)
    throw selectorError(`regex${expression}`, `repeats ${product} times in all; at most ${REPEATS_MAX} are allowed.`);
}

/**
 * What a compiled expression finds in the page's text, lines as a person sees them, in order: the first group where the
 * expression has groups, else the whole match. Stops after `max` matches.
 */
export function matchRegex(regex: RE2JS, tree: PageTree, max: number): readonly string[] {
  return matchRegexInText(regex, linesOf(tree.body), max);
}

/** The same on any text. */
export function matchRegexInText(regex: RE2JS, text: string, max: number): readonly string[] {
  const matcher = regex.matcher(text);
  const hasGroups = regex.groupCount() > 0;
  const found: string[] = [];
  while (found.length < max && matcher.find()) found.push((hasGroups ? matcher.group(1) : matcher.group(0)) ?? '');
  return found;
}

// Bounds selectors before anything runs them: a selector comes from users, and a page can be large.
import { PageError } from '../../errors.ts';

/** Characters of a whole selector. */
export const SELECTOR_CHARACTERS_MAX = 4_000;

/** A PageError `selector` whose sentence quotes the selector, cut to 80 characters, and says what is wrong. */
export function selectorError(text: string, wrong: string, cause?: unknown): PageError {
  const quoted = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return new PageError('selector', `The selector \`${quoted}\` ${wrong}`, cause === undefined ? {} : { cause });
}

/** Throws when `expression` nests brackets deeper than `max`; brackets inside quotes don't count. */
export function requireNesting(expression: string, max: number): void {
  let depth = 0;
  for (const bracket of withoutQuoted(expression)) {
    if (bracket === '(' || bracket === '[' || bracket === '{') depth++;
    if (bracket === ')' || bracket === ']' || bracket === '}') depth--;
    if (depth > max) throw selectorError(expression, `nests brackets more than ${max} deep; write a simpler one.`);
  }
}

/** Throws when `pattern` occurs more than `max` times outside quotes. `what` names it in the plural. */
export function requireAtMost(expression: string, pattern: RegExp, max: number, what: string): void {
  const count = withoutQuoted(expression).match(pattern)?.length ?? 0;
  if (count > max) throw selectorError(expression, `has ${count} ${what}; at most ${max} are allowed.`);
}

/** The text with everything in quotes left out, so that only its structure is counted. */
export function withoutQuoted(expression: string): string {
  return expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""');
}

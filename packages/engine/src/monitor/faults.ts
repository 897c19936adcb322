// What is wrong with the expressions of a monitor, told when they are saved and not when they are used.
import { PageError } from '../errors.ts';
import { parseElementPath } from '../html/selectors/elements.ts';
import { compileRegex } from '../html/selectors/regex.ts';
import { parseSelector } from '../html/selectors/selector.ts';
import { patternOf } from '../run/reading/typed.ts';

/** Why `text` is no selector, in a sentence with the place; undefined for one that is. */
export function faultOfSelector(text: string): string | undefined {
  return faultIn(() => void parseSelector(text));
}

/** Why `written` is no selector of elements, likewise: text and JSON have no place on a page. */
export function faultOfElement(written: string | readonly string[]): string | undefined {
  return faultIn(() => void parseElementPath(written));
}

/** Why `pattern`, bare or between slashes, is no RE2 expression; undefined for one that is. */
export function faultOfPattern(pattern: string): string | undefined {
  return faultIn(() => void compileRegex(patternOf(pattern)));
}

function faultIn(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof PageError) return error.message;
    throw error;
  }
}

// Reads what users write to point at a part of a page, and says what is wrong with it.
import { SELECTOR_CHARACTERS_MAX, selectorError } from './caps.ts';
import { checkCss } from './css.ts';
import { checkJsonPath } from './json.ts';
import { compileRegex } from './regex.ts';
import { parseAria, parsePhrase, parseRole } from './words.ts';
import { checkXPath } from './xpath.ts';

/** The languages that a selector may be written in. */
export type SelectorKind = 'css' | 'xpath' | 'jsonpath' | 'regex' | 'text' | 'role' | 'label' | 'aria' | 'pierce';

/** A selector that was checked; plain data, so that a worker thread can take it. */
export interface Selector {
  readonly kind: SelectorKind;
  /** Without its prefix. */
  readonly expression: string;
  /** As the user wrote it. */
  readonly text: string;
}

const KINDS: readonly SelectorKind[] = ['css', 'xpath', 'jsonpath', 'regex', 'text', 'role', 'label', 'aria', 'pierce'];

/**
 * Reads a selector: CSS, or what its prefix says (`css/`, `xpath/`, `jsonpath/`, `regex/…/i`, `text/`, `role/`, `label/`, and those of
 * DevTools: `aria/Name[role="button"]`, `pierce/` for CSS in the page and in each open shadow root); a leading `/` or `(` is XPath and a
 * leading `$` is JSONPath. Throws PageError `selector` for one that is empty, too large or not valid.
 */
export function parseSelector(text: string): Selector {
  const trimmed = text.trim();
  if (trimmed === '') throw selectorError(text, 'is empty.');
  if (trimmed.length > SELECTOR_CHARACTERS_MAX) {
    throw selectorError(trimmed, `has ${trimmed.length} characters; at most ${SELECTOR_CHARACTERS_MAX} are allowed.`);
  }
  const { kind, expression } = splitPrefix(trimmed);
  if (expression.trim() === '') throw selectorError(trimmed, 'has nothing behind its prefix.');
  CHECKS[kind](expression, trimmed);
  return { kind, expression, text: trimmed };
}

function splitPrefix(text: string): { readonly kind: SelectorKind; readonly expression: string } {
  const prefixed = KINDS.find((kind) => text.startsWith(`${kind}/`));
  if (prefixed) return { kind: prefixed, expression: text.slice(prefixed.length + (prefixed === 'regex' ? 0 : 1)) };
  if (text.startsWith('$')) return { kind: 'jsonpath', expression: text };
  return { kind: /^[/(]/.test(text) ? 'xpath' : 'css', expression: text };
}

const CHECKS: Readonly<Record<SelectorKind, (expression: string, text: string) => unknown>> = {
  css: checkCss,
  xpath: checkXPath,
  jsonpath: checkJsonPath,
  regex: compileRegex,
  text: parsePhrase,
  role: parseRole,
  label: parsePhrase,
  aria: parseAria,
  pierce: checkCss,
};

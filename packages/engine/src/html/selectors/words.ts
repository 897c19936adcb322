// Finds elements by what a person reads: their text, their role and name, the label beside them.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { headingLevel, nameOf, readNameIndex, roleOf } from './accessible.ts';
import { selectorError } from './caps.ts';
import { findInnermost, readSpans } from './spans.ts';
import type { SpannedText } from './spans.ts';
import { textOf } from './text.ts';
import { collapse } from '../text.ts';
import { elementsBelow } from '../walk.ts';

/** `Buy now` matches where it is contained, whatever its case; `"Buy now"` must be all of it, in its case. */
export interface Phrase {
  readonly words: string;
  readonly exact: boolean;
}

/** `button[name="Buy"][level=2]`. */
export interface RoleQuery {
  readonly role: string;
  readonly name: Phrase | undefined;
  readonly level: number | undefined;
}

/** `Buy now[role="button"]`, as DevTools writes what assistive technology announces; at least one of both. */
export interface AriaQuery {
  readonly name: string | undefined;
  readonly role: string | undefined;
}

/** A label longer than this is a sentence. */
const LABEL_CHARACTERS_MAX = 80;

/** Reads `Buy` or `"Buy"`; throws PageError `selector` where no words are left. */
export function parsePhrase(expression: string, selector: string): Phrase {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(expression.trim()) ?? /^'((?:[^'\\]|\\.)*)'$/s.exec(expression.trim());
  const words = collapse(quoted?.[1]?.replace(/\\(.)/gs, '$1') ?? expression);
  if (words === '') throw selectorError(selector, 'has no words to look for.');
  return { words: quoted ? words : words.toLowerCase(), exact: quoted !== null };
}

/** Reads `button[name="Buy"]`; `name*=` and `name="…" i` match as contained and whatever the case; throws PageError `selector`. */
export function parseRole(expression: string, selector: string): RoleQuery {
  const parts = /^\s*([a-z]+)\s*((?:\[[^[\]"']*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')?[^[\]"']*\])*)\s*$/is.exec(expression);
  if (!parts) throw selectorError(selector, 'is not written as role/button[name="Buy"].');
  let name: Phrase | undefined;
  let level: number | undefined;
  for (const [condition] of (parts[2] ?? '').matchAll(/\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'\]])*\]/gs)) {
    const found = /^\[\s*(name|level)\s*(\*?=)\s*(.*?)\s*(\bi)?\s*\]$/is.exec(condition);
    if (!found) throw selectorError(selector, `has the condition ${condition}; known conditions are [name="…"] and [level=2].`);
    const [, what = '', operator = '', value = '', caseless] = found;
    if (what.toLowerCase() === 'level') level = Number(value.replace(/^["']|["']$/g, ''));
    else name = namePhrase(value, operator === '*=' || caseless !== undefined, selector);
  }
  if (level !== undefined && !Number.isInteger(level)) throw selectorError(selector, 'has a level that is no number.');
  return { role: (parts[1] ?? '').toLowerCase(), name, level };
}

/** Reads `Buy now`, `Buy now[role="button"]` or `[name="Buy now"][role="button"]`; throws PageError `selector` where nothing is named. */
export function parseAria(expression: string, selector: string): AriaQuery {
  const stated = new Map<string, string>();
  const rest = expression.replace(
    /\[\s*(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/gs,
    (_all, what: string, double?: string, single?: string) => {
      if (what !== 'name' && what !== 'role')
        throw selectorError(selector, `has the condition [${what}]; known ones are [name="…"] and [role="…"].`);
      stated.set(what, (double ?? single ?? '').replace(/\\(.)/gs, '$1'));
      return '';
    },
  );
  const name = collapse(stated.get('name') ?? rest);
  const role = stated.get('role')?.trim().toLowerCase();
  if (name === '' && !role) throw selectorError(selector, 'names nothing; write aria/Name or aria/Name[role="button"].');
  return { name: name === '' ? undefined : name, role: role || undefined };
}

function namePhrase(value: string, loose: boolean, selector: string): Phrase {
  const phrase = parsePhrase(/^["']/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`, selector);
  return loose ? { words: phrase.words.toLowerCase(), exact: false } : phrase;
}

/** Whether `text` is or contains the phrase. */
export function saysPhrase(text: string, { words, exact }: Phrase): boolean {
  return exact ? text === words : text.toLowerCase().includes(words);
}

/** The innermost elements whose text says the phrase, in document order; buttons of forms by their value. */
export function findByText(phrase: Phrase, tree: PageTree): readonly Element[] {
  const spanned = readSpans(tree.body, phrase.exact ? (piece) => piece : (piece) => piece.toLowerCase());
  const saying = phrase.exact ? findWhole(spanned, phrase.words) : findInnermost(spanned, phrase.words);
  const found = new Set([...saying, ...spanned.spans.map(({ element }) => element).filter((element) => isButtonSaying(element, phrase))]);
  return spanned.spans.map(({ element }) => element).filter((element) => found.has(element));
}

/** The innermost elements whose whole text is `words`. */
function findWhole({ text, spans }: SpannedText, words: string): readonly Element[] {
  const whole = spans
    .filter(({ start, end }) => end - start <= words.length + 2 && text.slice(start, end).trim() === words)
    .map(({ element }) => element);
  const holding = new Set<unknown>(whole.map(({ parent }) => parent));
  return whole.filter((element) => !holding.has(element));
}

function isButtonSaying({ name, attribs }: Element, phrase: Phrase): boolean {
  const isButton = name === 'input' && /^(?:button|submit|reset)$/i.test(attribs['type'] ?? '');
  return isButton && saysPhrase(collapse(attribs['value'] ?? ''), phrase);
}

/** Elements of a role whose accessible name says the phrase, in document order. */
export function findByRole({ role, name, level }: RoleQuery, tree: PageTree): readonly Element[] {
  const index = readNameIndex(tree);
  return [...elementsBelow(tree.body)].filter(
    (element) =>
      roleOf(element) === role &&
      (level === undefined || headingLevel(element) === level) &&
      (name === undefined || saysPhrase(nameOf(element, index), name)),
  );
}

/** Elements that assistive technology announces by exactly this name, or as this role, or both, in document order. */
export function findByAria({ name, role }: AriaQuery, tree: PageTree): readonly Element[] {
  const index = readNameIndex(tree);
  return [...elementsBelow(tree.body)].filter(
    (element) => (role === undefined || roleOf(element) === role) && (name === undefined || nameOf(element, index) === name),
  );
}

/**
 * What a label names, in document order: the form control that it labels, the `<dd>` behind its `<dt>`, the cell behind its
 * header cell, or the element behind the element that says it ("Price:" then "9 EUR"). A colon behind the label is left out.
 */
export function findByLabel(phrase: Phrase, tree: PageTree): readonly Element[] {
  const index = readNameIndex(tree);
  const found = new Set<Element>();
  for (const element of elementsBelow(tree.body)) {
    if (/^(?:input|select|textarea)$/.test(element.name)) {
      if (saysLabel(nameOf(element, index), phrase)) found.add(element);
      continue;
    }
    const named = saysLabel(labelWords(element), phrase) ? namedBy(element) : undefined;
    if (named) found.add(named);
  }
  return [...found];
}

/** The element that an element's text may be a label of; undefined where nothing stands behind it. */
export function namedBy(label: Element): Element | undefined {
  if (label.name === 'label') return undefined;
  const behind = nextElement(label);
  if (label.name === 'dt') return behind?.name === 'dd' ? behind : undefined;
  if (label.name === 'th' || label.name === 'td') return behind?.name === 'td' ? behind : undefined;
  return behind && isInline(label) && !/^(?:input|select|textarea|script|style|br|hr|ul|ol|table)$/.test(behind.name) ? behind : undefined;
}

function isInline({ name }: Element): boolean {
  return /^(?:span|b|strong|em|i|small|div|p|dt|abbr|font)$/.test(name);
}

function nextElement(element: Element): Element | undefined {
  for (let at = element.next; at; at = at.next) {
    if (isTag(at)) return at;
    if (at.type === 'text' && collapse(at.data) !== '' && !/^\s*[:：]\s*$/.test(at.data)) return undefined;
  }
  return undefined;
}

/** The text of an element that can be a label; empty for everything that is too long or holds blocks. */
export function labelWords(element: Element): string {
  if (!isInline(element) && !/^(?:dt|th|td)$/.test(element.name)) return '';
  const text = textOf(element, LABEL_CHARACTERS_MAX + 1);
  return text.length > LABEL_CHARACTERS_MAX ? '' : text.replace(/\s*[:：]$/, '');
}

/** A label is said whole, whatever its case unless quotes ask for it; what it adds in brackets may be left out. */
function saysLabel(text: string, { words, exact }: Phrase): boolean {
  const bare = text.replace(/[\s:：*]+$/, '');
  return exact ? bare === words : [bare, bare.replace(/\s*\([^()]*\)$/, '')].some((label) => label.toLowerCase() === words);
}

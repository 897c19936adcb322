// What of a page changedetection.io compares: its selectors, and what it does with their text.
import type { Condition } from '@weft/contract';
import { isMembers } from '../../../run/value.ts';
import type { Draft } from '../draft.ts';
import { escaped } from '../expressions.ts';
import { jsonPathOfJq } from '../jq.ts';
import { literalTemplate } from '../../../run/exchange/untrusted.ts';
import { conditionOf } from './conditions.ts';
import { linesFor } from './instance.ts';
import type { Instance, Watch } from './instance.ts';

/** As it marks expressions; without flags they find in any case. */
const EXPRESSION = /^\/(.*?)\/([a-z]*)$/s;

/** Selectors, phrases, steps and conditions of a watch. */
export function readFilters(watch: Watch, instance: Instance, draft: Draft): void {
  const lines = (name: string) => linesFor(name, watch, instance).map((line, place) => [line, `${name}[${place}]`] as const);
  for (const [line, member] of lines('subtractive_selectors')) draft.subtract(selectorOf(line) ?? line, member);
  for (const [line, member] of lines('include_filters')) {
    const selector = selectorOf(line);
    if (selector === undefined) draft.pause(member, 'This jq program computes, and has no equivalent; point at the value with jsonpath/.');
    else draft.select(selector, member, []);
  }
  for (const [line, member] of lines('ignore_text')) draft.phrase('ignore', wholeLine(line), member);
  readSteps(watch, draft, lines);
  readWaiting(draft, lines);
  const conditions = Array.isArray(watch.options['conditions']) ? watch.options['conditions'].filter(isMembers) : [];
  const read = conditions.flatMap((one, place) => conditionOf(one, `conditions[${place}]`, draft) ?? []);
  const [only] = read;
  if (only)
    draft.conditions.push(read.length === 1 ? only : watch.options['conditions_match_logic'] === 'ANY' ? { any: read } : { all: read });
}

type Lines = (name: string) => readonly (readonly [line: string, member: string])[];

/** Selectors say by their prefix what they are; a jq program that computes is undefined. */
export function selectorOf(line: string): string | undefined {
  if (line.startsWith('/')) return `xpath/${line}`;
  const [, prefix, rest = ''] = /^(xpath1?|json|jqraw|jq):\s*(.*)$/s.exec(line) ?? [];
  if (prefix === undefined) return `css/${line}`;
  if (prefix.startsWith('xpath')) return `xpath/${rest}`;
  if (prefix === 'json') return `jsonpath/${rest}`;
  const path = jsonPathOfJq(rest);
  return path === undefined ? undefined : `jsonpath/${path}`;
}

function readSteps({ options }: Watch, draft: Draft, lines: Lines): void {
  const kept = lines('extract_lines_containing').map(([line]) => line);
  if (kept.length > 0) draft.steps.push({ keep: kept.map(plainPhrase) });
  const found = lines('extract_text').flatMap(([line, member]) => {
    const written = expressionOf(line);
    return draft.canRead(written, member) ? [written] : [];
  });
  if (found.length > 0) draft.steps.push({ find: found });
  if (options['remove_duplicate_lines'] === true) draft.steps.push({ unique: true });
  if (options['sort_text_alphabetically'] === true) draft.setFilter('sort_lines', true);
  if (options['check_unique_lines'] === true) draft.setFilter('unique_lines', true);
  const only = (['added', 'removed', 'replaced'] as const).filter((kind) => options[`filter_text_${kind}`] !== false);
  if (only.length === 0) draft.pause('filter_text_added', 'Neither lines that are added nor removed nor replaced count for it.');
  else if (only.length < 3) draft.setFilter('only', [...only]);
}

/** What has to be there, and what must not: in what the selectors and steps leave, if there are any, else on the page. */
function readWaiting(draft: Draft, lines: Lines): void {
  const isPart = draft.selectors.length > 0 || draft.steps.length > 0;
  const waited: Condition[] = [];
  for (const [line, member] of lines('trigger_text')) {
    const written = expressionOf(line);
    if (!isPart) draft.phrase('trigger', written, member);
    else if (draft.canRead(written, member)) waited.push(holds(written));
  }
  const [only] = waited;
  if (only) draft.conditions.push(waited.length === 1 ? only : { any: waited });
  for (const [line, member] of lines('text_should_not_be_present')) {
    const written = expressionOf(line);
    if (!isPart) draft.phrase('block', written, member);
    else if (draft.canRead(written, member)) draft.conditions.push({ not: holds(written) });
  }
}

/** The text of what is watched holds a phrase, in any case. */
function holds(phrase: string): Condition {
  const expression = phrase.startsWith('/') ? phrase : `/${escaped(phrase)}/i`;
  return { value: '{{text}}', op: 'matches', with: literalTemplate(expression) };
}

/** An expression of its own with the flags that it means; a plain text as it is. */
function expressionOf(line: string): string {
  const [, pattern, flags = ''] = EXPRESSION.exec(line) ?? [];
  if (pattern === undefined || pattern === '') return plainPhrase(line);
  return `/${pattern}/${flags === '' ? 'i' : flags}`;
}

/** There an expression that is ignored takes the whole line away, here what it matches. */
function wholeLine(line: string): string {
  const written = expressionOf(line);
  const [, pattern, flags = ''] = EXPRESSION.exec(line) ?? [];
  if (pattern === undefined || /s/.test(flags)) return written;
  return `/^.*(?:${pattern}).*$/${[...new Set(`${flags === '' ? 'i' : flags}m`)].join('')}`;
}

/** A plain text that looks like an expression here is written as one that means itself. */
function plainPhrase(line: string): string {
  return /^\/.+\/[a-z]*$/s.test(line) ? `/${escaped(line)}/i` : line;
}

// Monitors of Distill, as its JSON export has them: `config` and `schedule` are JSON in texts.
import { isMembers } from '../../run/value.ts';
import { ExchangeError, numberIn, objectIn, objectsIn, parseObject, textIn } from '../../run/exchange/untrusted.ts';
import { Draft } from './draft.ts';
import type { Collector } from './exchange.ts';
import { setEvery } from './interval.ts';

type Members = Readonly<Record<string, unknown>>;

/** Of `content_type`: pages. Others are feeds, files and macros. */
const PAGE_TYPES: ReadonlySet<unknown> = new Set([undefined, 1, 2]);
/** Of `state`: a monitor that is on. */
const STATE_ON = 40;

/** Throws ExchangeError. */
export function readDistill(text: string, into: Collector): void {
  const file = parseObject(text, 'an export of Distill');
  if (!Array.isArray(file['data'])) throw new ExchangeError('The file is no export of Distill: it has no list "data".');
  for (const [place, entry] of file['data'].entries()) if (isMembers(entry)) readEntry(entry, `data[${place}]`, into);
}

function readEntry(entry: Members, path: string, into: Collector): void {
  const draft = new Draft(path, into);
  draft.setUrl((textIn(entry, 'uri') ?? '').trim(), 'uri');
  draft.setName(textIn(entry, 'name'));
  const state = numberIn(entry, 'state');
  if (state !== undefined && state !== STATE_ON) draft.set('active', false);
  const { tags } = entry;
  const named = into.tagsFor(Array.isArray(tags) ? tags.map(String) : [], `${path}.tags`);
  if (named.length > 0) draft.set('tags', [...named]);
  if (!PAGE_TYPES.has(entry['content_type'])) draft.leave('content_type', `Kind ${String(entry['content_type'])} is watched as a page.`);
  readSchedule(jsonIn(entry, 'schedule'), draft);
  readConfig(jsonIn(entry, 'config') ?? {}, draft);
  for (const name of ['rules', 'actions', 'sound', 'notify'])
    if (isSaid(entry[name])) draft.leave(name, 'Conditions and notices of Distill are not read; add channels, and "when".');
  draft.finish();
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** JSON in a text, or as it is. */
function jsonIn(entry: Members, name: string): Members | undefined {
  const written = entry[name];
  if (typeof written !== 'string') return objectIn(entry, name);
  try {
    const value: unknown = JSON.parse(written);
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readSchedule(schedule: Members | undefined, draft: Draft): void {
  if (!schedule) return;
  const interval = numberIn(objectIn(schedule, 'params') ?? {}, 'interval');
  if (schedule['type'] === 'INTERVAL' && interval !== undefined) setEvery(interval, 'schedule', draft);
  else draft.leave('schedule', `A schedule of the type ${String(schedule['type'])} has no equivalent; it is checked every hour.`);
}

function readConfig(config: Members, draft: Draft): void {
  for (const [s, selection] of objectsIn(config, 'selections').entries()) {
    if (selection['dynamic'] === true) draft.set('lane', 'browser');
    const delay = numberIn(selection, 'delay');
    if (selection['dynamic'] === true && delay !== undefined && delay > 0) draft.set('wait_ms', Math.min(30_000, Math.round(delay * 1000)));
    for (const [f, frame] of objectsIn(selection, 'frames').entries())
      readFrame(frame, `config.selections[${s}].frames[${f}]`, config, draft);
  }
  if (config['ignoreEmptyText'] === false) draft.set('empty_is_change', true);
  if (config['includeStyle'] === true) draft.leave('config.includeStyle', 'Changes of styles are not compared.');
  if (isSaid(config['regexp'])) draft.pause('config.regexp', 'Its expression is not read; write it as a step of "filter".');
}

function readFrame(frame: Members, at: string, config: Members, draft: Draft): void {
  if ((numberIn(frame, 'index') ?? 0) > 0)
    draft.pause(at, 'It looks into a frame of the page; write the selector as a list that crosses it.');
  const attribute = textIn(config, 'dataAttr') ?? 'text';
  const type = attribute === 'html' || attribute === 'outerHTML' ? ([{ type: 'html' }] as const) : [];
  if (attribute !== 'text' && type.length === 0) draft.leave('config.dataAttr', `"${attribute}" is read as text.`);
  for (const [i, { expression, member }] of selectorsIn(frame, 'includes', at, draft).entries())
    draft.select(expression, member ?? `${at}.includes[${i}]`, type);
  for (const { expression, member } of selectorsIn(frame, 'excludes', at, draft)) draft.subtract(expression, member);
}

function selectorsIn(
  frame: Members,
  list: 'includes' | 'excludes',
  at: string,
  draft: Draft,
): readonly { readonly expression: string; readonly member: string }[] {
  return objectsIn(frame, list).flatMap((item, place) => {
    const member = `${at}.${list}[${place}]`;
    const [type, expression] = [item['type'], textIn(item, 'expr')];
    if (expression !== undefined && (type === 'css' || type === 'xpath')) return [{ expression: `${type}/${expression}`, member }];
    draft.pause(member, `A selector of the type ${String(type)} has no equivalent.`);
    return [];
  });
}

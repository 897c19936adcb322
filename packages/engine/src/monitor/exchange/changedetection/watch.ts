// One watch of changedetection.io as a monitor: each of its options is taken over, or told.
import type { ExtractorSpec } from '@weft/contract';
import { flagIn, numberIn, objectIn, textIn } from '../../../run/exchange/untrusted.ts';
import { isMembers } from '../../../run/value.ts';
import { Draft } from '../draft.ts';
import type { Collector } from '../exchange.ts';
import { setEvery } from '../interval.ts';
import { readFilters } from './filters.ts';
import { tagsOf } from './instance.ts';
import type { Instance, Watch } from './instance.ts';
import { hasNoMeaning, isLikeNew, TELLS } from './options.ts';
import { windowsOf } from './week.ts';

type Members = Readonly<Record<string, unknown>>;

/** An address that begins so is read as source. */
const SOURCE = 'source:';
/** `time_between_check` in seconds. */
const UNITS: Readonly<Record<string, number>> = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 };
/** What an instance checks by that says nothing else: every three hours. */
const EVERY_DEFAULT = 10_800;
/** All statuses that are trouble otherwise (RFC 9110, IANA registry of status codes). */
const REFUSALS = [...Array.from({ length: 52 }, (_, i) => 400 + i), ...Array.from({ length: 12 }, (_, i) => 500 + i)];

/** Adds the monitor, and what is left out of it. */
export function readWatch(watch: Watch, instance: Instance, into: Collector): void {
  const draft = new Draft(watch.path, into);
  const { options } = watch;
  const isSource = readAddress(options, draft);
  readRequest(options, instance, draft);
  readFetching(watch, instance, draft);
  readSchedule(options, instance, draft);
  readTags(watch, instance, draft, into);
  const processor = textIn(options, 'processor') ?? 'text_json_diff';
  if (processor === 'restock_diff') readRestock(watch, instance, draft);
  else if (processor !== 'text_json_diff')
    draft.pause('processor', `"${processor.slice(0, 60)}" has no equivalent; the text of the page is watched.`);
  readFilters(watch, instance, draft);
  if (isSource) readAsSource(draft);
  readTrouble(options, instance, draft);
  tellRest(options, draft);
  draft.finish();
}

/** Whether it is the source of the page that is watched. */
function readAddress(options: Members, draft: Draft): boolean {
  const url = (textIn(options, 'url') ?? '').trim();
  const isSource = url.startsWith(SOURCE);
  draft.setUrl(isSource ? url.slice(SOURCE.length) : url, 'url');
  draft.setName(textIn(options, 'title'));
  if (flagIn(options, 'paused') === true) draft.set('active', false);
  return isSource;
}

function readAsSource(draft: Draft): void {
  if (draft.selectors.length === 0) draft.select('css/html', 'url', [{ type: 'html' }], false);
  else
    for (const [place, { selector }] of draft.selectors.entries())
      draft.selectors[place] = { selector, many: true, extractors: [{ type: 'html' }] };
  if (draft.steps.length > 0) draft.pause('extract_text', 'It is applied to the source of the page; here only text is.');
}

function readRequest(options: Members, { headers: shared }: Instance, draft: Draft): void {
  const method = textIn(options, 'method') ?? 'GET';
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') draft.lose('method', `A monitor sends no ${method.slice(0, 20)}.`);
  else if (method !== 'GET') draft.set('method', method);
  const body = textIn(options, 'body') ?? '';
  if (body !== '' && method === 'GET') draft.leave('body', 'A GET sends no body.');
  else if (/\{\{|\{%/.test(body)) draft.lose('body', 'Its body is made of a template at each check, and bodies here are fixed.');
  else if (body !== '') draft.set('body', body);
  readHeaders({ ...shared, ...objectIn(options, 'headers') }, draft);
  const proxy = textIn(options, 'proxy') ?? '';
  if (proxy !== '' && proxy !== 'no-proxy')
    draft.leave('proxy', 'Its proxy is not taken over; name one in the settings, and then as "proxy".');
}

function readHeaders(written: Members, draft: Draft): void {
  const headers = Object.entries(written).map(([name, value]) => [name.trim(), String(value).trim()] as const);
  const templates = headers.filter(([, value]) => /\{\{|\{%/.test(value));
  for (const [name] of templates) draft.pause(`headers.${name}`, 'It is made of a template at each check, and headers here are fixed.');
  const fixed = headers.filter((header) => header[0] !== '' && !templates.includes(header));
  if (fixed.length > 0) draft.set('headers', Object.fromEntries(fixed));
}

function readFetching({ options }: Watch, { application }: Instance, draft: Draft): void {
  const chosen = textIn(options, 'fetch_backend') ?? 'system';
  const backend = chosen === 'system' || chosen === '' ? (textIn(application, 'fetch_backend') ?? 'system') : chosen;
  if (backend === 'html_requests') draft.set('lane', 'http');
  else if (backend !== 'system') readBrowser(backend, draft);
  const delay = numberIn(options, 'webdriver_delay') ?? numberIn(application, 'webdriver_delay');
  if (delay !== undefined && delay > 0) {
    draft.waitMs(delay * 1000, 'webdriver_delay');
    if (delay > 30) draft.leave('webdriver_delay', `It waits ${delay} seconds; at most 30 are possible.`);
  }
  if (flagIn(options, 'ignore_status_codes') === true) draft.set('accept_statuses', REFUSALS);
}

function readBrowser(backend: string, draft: Draft): void {
  if (draft.spec.method === undefined) draft.set('lane', 'browser');
  else draft.leave('fetch_backend', `A ${draft.spec.method} goes over HTTP, and not through a browser.`);
  if (backend !== 'html_webdriver')
    draft.leave('fetch_backend', `"${backend.slice(0, 100)}" is a browser of its own; here the agent's is used.`);
}

function readSchedule(options: Members, { application, requests }: Instance, draft: Draft): void {
  const own = secondsIn(options);
  const usesOwn =
    options['time_between_check_use_default'] === false || (options['time_between_check_use_default'] === undefined && own > 0);
  setEvery((usesOwn ? own : secondsIn(requests)) || EVERY_DEFAULT, 'time_between_check', draft);
  const jitter = numberIn(requests, 'jitter_seconds') ?? 0;
  const every = draft.spec.schedule?.every ?? EVERY_DEFAULT;
  if (jitter > 0) draft.set('schedule', { ...draft.spec.schedule, jitter: Math.min(0.5, Math.round((jitter / every) * 1000) / 1000) });
  const week = objectIn(options, 'time_schedule_limit');
  if (week && week['enabled'] === true) readWeek(week, textIn(application, 'scheduler_timezone_default') ?? '', draft);
}

function readWeek(week: Members, zoneOfAll: string, draft: Draft): void {
  const windows = windowsOf(week);
  if (windows === 'all') return;
  if (windows === 'never') return draft.pause('time_schedule_limit', 'On no day of the week it may check.');
  const zone = textIn(week, 'timezone')?.trim() || zoneOfAll.trim() || 'UTC';
  draft.set('schedule', { ...draft.spec.schedule, windows: [...windows], timezone: zone });
}

function secondsIn(of: Members): number {
  const times = objectIn(of, 'time_between_check') ?? {};
  return Object.entries(UNITS).reduce((sum, [unit, seconds]) => sum + Number(times[unit] ?? 0) * seconds, 0);
}

/** Tags pass their selectors and phrases on, which the monitors have as their own then. */
function readTags(watch: Watch, instance: Instance, draft: Draft, into: Collector): void {
  const { known, titles } = tagsOf(watch, instance);
  const names = into.tagsFor(titles, `${watch.path}.tags`);
  if (names.length > 0) draft.set('tags', [...names]);
  for (const tag of known) {
    if (isSaid(tag['notification_urls'])) draft.leave('tags', `The tag "${String(tag['title'])}" notifies: add channels, and name them.`);
    if (isSaid(tag['url_match_pattern']))
      draft.leave('tags', `The tag "${String(tag['title'])}" takes in new addresses by a pattern; here monitors name their tags.`);
  }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Price and stock of the product that the page sells. */
function readRestock(watch: Watch, instance: Instance, draft: Draft): void {
  const rules = restockOf(watch, instance);
  const stock = textIn(rules, 'in_stock_processing') ?? (rules['in_stock_only'] === false ? 'all_changes' : 'in_stock_only');
  const extractors: ExtractorSpec[] = [];
  if (stock !== 'off') extractors.push({ type: 'availability', ...(stock === 'in_stock_only' ? { alert: { in_stock_only: true } } : {}) });
  if (rules['follow_price_changes'] !== false) extractors.push({ type: 'price', ...priceRule(rules) });
  if (extractors.length === 0) draft.pause('processor_config_restock_diff', 'It follows neither stock nor prices.');
  else draft.select('css/body', 'processor', extractors, false);
}

/** Its own rules; those of a tag that overrides them, and in older versions members of the watch. */
function restockOf({ options, restock }: Watch, instance: Instance): Members {
  const overriding = tagsOf({ path: '', options, restock }, instance).known.find((tag) => tag['overrides_watch'] === true);
  return (
    objectIn(overriding ?? {}, 'processor_config_restock_diff') ??
    restock ??
    objectIn(options, 'processor_config_restock_diff') ??
    objectIn(options, 'restock_settings') ??
    options
  );
}

function priceRule(rules: Members): Pick<ExtractorSpec, 'alert'> {
  const number = (name: string) => (rules[name] === null || rules[name] === '' ? 0 : Number(rules[name] ?? 0));
  const [min, max, percent] = [number('price_change_min'), number('price_change_max'), number('price_change_threshold_percent')];
  const alert = { ...(min > 0 ? { min } : {}), ...(max > 0 ? { max } : {}), ...(percent > 0 ? { percent } : {}) };
  return Object.keys(alert).length > 0 ? { alert } : {};
}

/** Text and trouble that an instance decides for all of its watches. */
function readTrouble(options: Members, { application }: Instance, draft: Draft): void {
  if (application['ignore_whitespace'] === false) draft.setFilter('keep_whitespace', true);
  if (application['render_anchor_tag_content'] === true) draft.setFilter('links', true);
  if (application['empty_pages_are_a_change'] === true) draft.set('empty_is_change', true);
  const after = numberIn(application, 'filter_failure_notification_threshold_attempts') ?? 0;
  if (after >= 1 && after <= 100)
    for (const [place, one] of draft.selectors.entries()) draft.selectors[place] = { ...one, missing_after: after };
  if (options['filter_failure_notification_send'] === false)
    draft.leave('filter_failure_notification_send', 'A selector that finds nothing is told all the same, once; "missing_after" says when.');
}

/** Options that have no equivalent, and those that nobody here knows. */
function tellRest(options: Members, draft: Draft): void {
  for (const [name, value] of Object.entries(options)) {
    if (hasNoMeaning(name) || isLikeNew(name, value)) continue;
    const tell = TELLS[name];
    if (tell === undefined) draft.leave(name, 'This option is not known here.');
    else if (tell.isNeeded === true) draft.pause(name, tell.message(value));
    else draft.leave(name, tell.message(value));
  }
  const steps = Array.isArray(options['browser_steps']) ? options['browser_steps'].filter(isMembers).length : 0;
  if (steps > 0)
    draft.pause('browser_steps', `Its ${steps} steps in a browser are not taken over; make a workflow of them, and watch that.`);
}

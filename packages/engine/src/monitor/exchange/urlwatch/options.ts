// Options of jobs of urlwatch and webchanges, beside their filters.
import { isMembers } from '../../../run/value.ts';
import type { Draft } from '../draft.ts';

type Members = Readonly<Record<string, unknown>>;
type Read = (value: unknown, draft: Draft, job: Members) => void;

const nothing: Read = () => undefined;
const tell =
  (name: string, message: string): Read =>
  (value, draft) => {
    if (isSaid(value)) draft.leave(name, message);
  };
const needed =
  (name: string, message: string): Read =>
  (value, draft) => {
    if (isSaid(value)) draft.pause(name, message);
  };

/** Read by others: what is watched, and its filters. */
const ELSEWHERE = 'url navigate command name kind use_browser tags filter filters stderr index_number';

const READS: Readonly<Record<string, Read>> = {
  ...Object.fromEntries(ELSEWHERE.split(' ').map((name) => [name, nothing])),
  additions_only: (value, draft) => {
    if (isSaid(value)) draft.setFilter('only', ['added', 'replaced']);
  },
  block_elements: tell('block_elements', 'What a page loads in the browser is not chosen by its kind.'),
  browser: tell('browser', 'The browser is that of the agent.'),
  compared_versions: (value, draft) => {
    const versions = Number(value);
    // The newest is what it is compared with anyway.
    if (Number.isInteger(versions) && versions > 1) draft.set('known_states', Math.min(50, versions - 1));
  },
  contextlines: tell('contextlines', 'How a difference is shown is asked for with it.'),
  cookies: (value, draft, job) => {
    if (!isMembers(value)) return;
    const cookies = Object.entries(value).map(([name, one]) => `${name}=${String(one)}`);
    if (cookies.length > 0) draft.set('headers', { ...draft.spec.headers, ...headersIn(job), Cookie: cookies.join('; ') });
  },
  data: (value, draft, job) => {
    if (!isSaid(value)) return;
    const isJson = job['data_as_json'] === true;
    const body = typeof value === 'string' && !isJson ? value : isJson ? JSON.stringify(value) : formOf(value);
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    const method = methodIn(job) ?? 'POST';
    if (method !== 'POST' && method !== 'PUT') return draft.lose('method', `A monitor sends no ${method} with data.`);
    draft.set('method', method);
    draft.set('body', body);
    draft.set('headers', { 'Content-Type': type, ...draft.spec.headers, ...headersIn(job) });
  },
  data_as_json: nothing,
  deletions_only: (value, draft) => {
    if (isSaid(value)) draft.setFilter('only', ['removed']);
  },
  diff_filter: needed(
    'diff_filter',
    'Filters of a difference have no equivalent; "filter.only" counts lines that were added or removed alone.',
  ),
  diff_filters: needed(
    'diff_filters',
    'Filters of a difference have no equivalent; "filter.only" counts lines that were added or removed alone.',
  ),
  diff_tool: tell('diff_tool', 'Commands are not run; how a difference is shown is asked for with it.'),
  differ: tell('differ', 'How a difference is shown is asked for with it.'),
  empty_as_transient: tell('empty_as_transient', 'A page without text is trouble here, and never a change.'),
  enabled: (value, draft) => {
    if (value === false) draft.set('active', false);
  },
  encoding: tell('encoding', 'The encoding is found out by the page.'),
  evaluate: needed('evaluate', 'Its script is not run; make a workflow that does what it did.'),
  guid: nothing,
  headers: (_value, draft, job) => {
    const headers = headersIn(job);
    if (Object.keys(headers).length > 0) draft.set('headers', { ...draft.spec.headers, ...headers });
  },
  http_client: tell('http_client', 'The client is that of the agent.'),
  http_credentials: needed('http_credentials', 'Names and passwords belong into a persona.'),
  http_proxy: tell('http_proxy', 'Its proxy is not taken over; name one in the settings, and then as "proxy".'),
  http_version: tell('http_version', 'The version of HTTP is agreed on with the site.'),
  https_proxy: tell('https_proxy', 'Its proxy is not taken over; name one in the settings, and then as "proxy".'),
  ignore_cached: tell('ignore_cached', 'Whether a page has changed is asked of the site, which answers at once where it has not.'),
  ignore_connection_errors: tell('ignore_connection_errors', 'Trouble with looking is told once, after some checks; "trouble" says when.'),
  ignore_dh_key_too_small: tell('ignore_dh_key_too_small', 'Weak keys are not accepted.'),
  ignore_http_error_codes: (value, draft) => {
    const statuses = statusesOf(value);
    if (statuses.length > 0) draft.set('accept_statuses', [...statuses]);
  },
  ignore_https_errors: tell('ignore_https_errors', 'Certificates are always verified.'),
  ignore_incomplete_reads: tell('ignore_incomplete_reads', 'A page that did not come whole is trouble.'),
  ignore_timeout_errors: tell('ignore_timeout_errors', 'Trouble with looking is told once, after some checks; "trouble" says when.'),
  ignore_too_many_redirects: tell(
    'ignore_too_many_redirects',
    'Trouble with looking is told once, after some checks; "trouble" says when.',
  ),
  init_script: needed('init_script', 'Its script is not run; make a workflow that does what it did.'),
  initialization_js: needed('initialization_js', 'Its script is not run; make a workflow that does what it did.'),
  initialization_url: needed('initialization_url', 'It opens another page first; make a workflow that does, and watch that.'),
  is_markdown: nothing,
  max_tries: (value, draft) => {
    const tries = Number(value);
    if (Number.isInteger(tries) && tries > 0) draft.set('trouble', { after: Math.min(1000, tries) });
  },
  method: (_value, draft, job) => {
    const method = methodIn(job);
    if (method === undefined || method === 'GET' || isSaid(job['data'])) return;
    if (method === 'POST' || method === 'PUT') draft.set('method', method);
    else draft.lose('method', `A monitor sends no ${method.slice(0, 20)}.`);
  },
  monospace: nothing,
  no_redirects: tell('no_redirects', 'Redirects are followed.'),
  note: tell('note', 'Notes are not kept.'),
  proxy: tell('proxy', 'Its proxy is not taken over; name one in the settings, and then as "proxy".'),
  ssl_no_verify: tell('ssl_no_verify', 'Certificates are always verified.'),
  suppress_error_ended: tell('suppress_error_ended', 'That trouble is over is told once, where the trouble was.'),
  suppress_errors: tell('suppress_errors', 'Trouble with looking is told once, after some checks; "trouble" says when.'),
  suppress_repeated_errors: nothing,
  switches: tell('switches', 'The browser is that of the agent.'),
  timeout: tell('timeout', 'How long a page may take is the same for all.'),
  treat_new_as_changed: tell('treat_new_as_changed', 'The first check is what others are compared with, and tells nothing.'),
  user_data_dir: needed('user_data_dir', 'Its profile of a browser is not used; log in with a persona.'),
  user_visible_url: tell('user_visible_url', 'Notices lead to the page that is watched.'),
  useragent: (value, draft) => {
    if (typeof value === 'string' && value !== '') draft.set('headers', { ...draft.spec.headers, 'User-Agent': value });
  },
  wait_for: waiting,
  wait_for_function: needed('wait_for_function', 'It waits for a script; wait for an element with "wait_for_selector".'),
  wait_for_navigation: tell('wait_for_navigation', 'It is waited until the page stands still.'),
  wait_for_selector: waiting,
  wait_for_timeout: (value, draft) => {
    const seconds = Number(value);
    if (seconds > 0) draft.waitMs(seconds * 1000, 'wait_for_timeout');
  },
  wait_for_url: tell('wait_for_url', 'It is waited until the page stands still.'),
  wait_until: tell('wait_until', 'It is waited until the page stands still.'),
};

/** Names that are read, or told. */
export const OPTIONS: ReadonlySet<string> = new Set(Object.keys(READS));

export function readOption(name: string, value: unknown, job: Members, draft: Draft): void {
  READS[name]?.(value, draft, job);
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
}

function waiting(value: unknown, draft: Draft): void {
  const selector = isMembers(value) ? value['selector'] : value;
  if (typeof selector === 'string' && selector !== '') draft.waitFor(selector);
}

function methodIn(job: Members): string | undefined {
  return typeof job['method'] === 'string' ? job['method'].toUpperCase() : undefined;
}

function headersIn(job: Members): Readonly<Record<string, string>> {
  const { headers } = job;
  if (!isMembers(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function formOf(value: unknown): string {
  if (!isMembers(value)) return String(value);
  return new URLSearchParams(Object.entries(value).map(([name, one]) => [name, String(one)] as [string, string])).toString();
}

/** `404`, `4xx` and lists of them, also in a text between commas. */
function statusesOf(value: unknown): readonly number[] {
  const parts = (Array.isArray(value) ? value : String(value ?? '').split(',')).map((part) => String(part).trim().toLowerCase());
  const statuses = parts.flatMap((part) => {
    if (/^[1-5]\d\d$/.test(part)) return [Number(part)];
    return /^[45]xx$/.test(part) ? REGISTERED[part[0] as '4' | '5'] : [];
  });
  return [...new Set(statuses)].slice(0, 100);
}

/** Statuses that are in use (IANA registry of status codes). */
const REGISTERED: Readonly<Record<'4' | '5', readonly number[]>> = {
  4: Array.from({ length: 52 }, (_, i) => 400 + i),
  5: Array.from({ length: 12 }, (_, i) => 500 + i),
};

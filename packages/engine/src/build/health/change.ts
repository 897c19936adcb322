// What has changed of a site where a function no longer does what was proved: in a word, and in a sentence with what was seen.
import { decodeBody } from '../../html/encoding/decode.ts';
import { detectObstacle } from '../../html/signs/challenge.ts';
import type { ObstacleKind } from '../../html/signs/challenge.ts';
import { readPageSigns } from '../../html/signs/page-signs.ts';
import { PageError } from '../../errors.ts';
import type { ViewReader } from '../../page/view-work.ts';
import type { CallEnd, CalledPage } from '../asking/call-steps.ts';
import { unlessUnread } from '../asking/unless-unread.ts';
import type { BuiltFunction } from '../functions/built-function.ts';
import type { ProofCalls } from '../proof/calls.ts';
import { PROOF_BOUNDS } from '../proof/generated/bounds.ts';
import { wordShare } from '../proof/measure.ts';
import type { ProbeRole } from '../proof/certificate.ts';
import { draftNamesOf, isStillShown, valuesOf } from './sample-values.ts';

/**
 * What has changed. `login`, `captcha`, `blocked`, `robots`: something stands in front of the page. `unreachable`, `server_error`, `page_gone`:
 * no page comes. `markup_renamed`: what the rows held is still shown, under other classes or elements. `list_empty`: it is not shown any more.
 * `field_renamed`, `field_gone`: the same of fields alone. `input_ignored`: other words are answered alike. `rows_changed`: the rows are of
 * another kind. `pages_changed`: the second page is not one. `call_failed`: the steps do not come to their end.
 */
export type HealthChangeKind =
  | 'login'
  | 'captcha'
  | 'blocked'
  | 'robots'
  | 'unreachable'
  | 'server_error'
  | 'page_gone'
  | 'markup_renamed'
  | 'list_empty'
  | 'field_renamed'
  | 'field_gone'
  | 'input_ignored'
  | 'rows_changed'
  | 'pages_changed'
  | 'call_failed';

/** What is not as it was proved. */
export interface HealthChange {
  readonly kind: HealthChangeKind;
  /** A sentence for people. */
  readonly message: string;
  /** Of the fields that it is about, as the function names them. */
  readonly fields?: readonly string[];
}

/** What a proof that was made again is broken by: a rule that is broken, a call that failed, or fields that are gone. */
export type Broken =
  | { readonly kind: 'call'; readonly role: ProbeRole }
  | { readonly kind: 'rows' }
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
  | { readonly kind: 'rule'; readonly rule: string; readonly reason: string };

/** What a change is read from. */
export interface ChangeSight {
  readonly built: BuiltFunction;
  readonly calls: Pick<ProofCalls, 'ends' | 'rows' | 'probes'>;
  readonly views: ViewReader;
}

/** What is behind `broken`; undefined where nothing is. Throws PageError `aborted`. */
export async function changeOf(broken: Broken | undefined, sight: ChangeSight, signal: AbortSignal): Promise<HealthChange | undefined> {
  switch (broken?.kind) {
    case undefined:
      return undefined;
    case 'call':
      return await changeOfCall(sight.calls.ends[broken.role], sight, signal);
    case 'rows':
      return await changeOfRows(sight, signal);
    case 'fields':
      return changeOfFields(broken.fields, sight);
    case 'rule':
      return { kind: KIND_OF_RULE[broken.rule] ?? 'rows_changed', message: broken.reason };
  }
}

const KIND_OF_RULE: Readonly<Record<string, HealthChange['kind']>> = {
  second_differs: 'input_ignored',
  negative_differs: 'input_ignored',
  negative_fewer: 'input_ignored',
  negative_none: 'input_ignored',
  word_in_rows: 'input_ignored',
  word_tells: 'input_ignored',
  page_2_differs: 'pages_changed',
  page_2_shape: 'pages_changed',
  page_2_word: 'pages_changed',
};

const KIND_OF_OBSTACLE: Readonly<Partial<Record<ObstacleKind, HealthChange['kind']>>> = {
  challenge: 'captcha',
  captcha: 'captcha',
  login_wall: 'login',
  blocked: 'blocked',
};
const KIND_OF_CODE: Readonly<Record<string, HealthChange['kind']>> = {
  captcha: 'captcha',
  blocked: 'blocked',
  rate_limited: 'blocked',
  robots: 'robots',
  server_error: 'server_error',
  http_status: 'page_gone',
  dns: 'unreachable',
  connect: 'unreachable',
  tls: 'unreachable',
  timeout: 'unreachable',
  truncated: 'unreachable',
  bad_response: 'unreachable',
};

async function changeOfCall(end: CallEnd | undefined, sight: ChangeSight, signal: AbortSignal): Promise<HealthChange> {
  const page = end?.pages.at(-1);
  const wall = page && wallOf(page, sight);
  if (wall) return wall;
  const { failure } = end ?? {};
  const kindOfFailure = failure && KIND_OF_CODE[failure.code];
  // The page of a record without what the record must have fails its call.
  if (failure && page && !kindOfFailure && sight.built.candidate.reading.from === 'page') return await changeOfRows(sight, signal);
  if (failure) return { kind: kindOfFailure ?? 'call_failed', message: failure.message };
  if (!page) return { kind: 'call_failed', message: 'No page came.' };
  const kind = page.status >= 500 ? 'server_error' : page.status === 404 || page.status === 410 ? 'page_gone' : 'blocked';
  return { kind, message: `${page.url} answered ${page.status}.` };
}

/** A page came, without the rows that it had. */
async function changeOfRows(sight: ChangeSight, signal: AbortSignal): Promise<HealthChange> {
  const { calls, built } = sight;
  const page = calls.ends.recorded?.pages[0];
  if (!page) return await changeOfCall(calls.ends.recorded, sight, signal);
  const wall = wallOf(page, sight);
  if (wall) return wall;
  const rows = calls.rows.recorded?.length ?? 0;
  const told = `${page.url} gives ${rows} rows`;
  const { reading } = built.candidate;
  if ('path' in reading) return { kind: 'list_empty', message: `${told}: the answer has no longer a list at ${reading.path}.` };
  if ((reading.from === 'html' && (await hasOtherList(page, sight, signal))) || isStillShown(valuesOf(built.sample), textOf(page)))
    return { kind: 'markup_renamed', message: `${told}, though the page still shows them: its classes or elements have other names.` };
  return { kind: 'list_empty', message: `${told}, and none are shown.` };
}

function changeOfFields(fields: readonly string[], { built, calls }: ChangeSight): HealthChange {
  const named = draftNamesOf(fields, built);
  const page = calls.ends.recorded?.pages[0];
  const text = page ? textOf(page) : '';
  const isShown = (name: string) => isStillShown(valuesOf(built.sample, name), text);
  const list = named.map((name) => `"${name}"`).join(', ');
  return named.length > 0 && named.every(isShown)
    ? {
        kind: 'field_renamed',
        fields: named,
        message: `The rows have no ${list}, though the page still shows such values: it has another name or place.`,
      }
    : { kind: 'field_gone', fields: named, message: `The rows have no ${list} any more.` };
}

/** What stands in front of a page. */
function wallOf(page: CalledPage, { built }: ChangeSight): HealthChange | undefined {
  const { url, status, contentType } = page;
  const html = htmlOf(page);
  const headers = contentType === undefined ? [] : [['content-type', contentType] as const];
  const asked = built.certificate.probes.find(({ role }) => role === 'recorded')?.answer?.url ?? url;
  const obstacle = detectObstacle({ requestedUrl: asked, url, status, headers, html });
  const kind = obstacle && KIND_OF_OBSTACLE[obstacle.kind];
  if (kind) return { kind, message: `${url} ${WALL_WORDS[kind] ?? 'refuses the call'} (${obstacle.evidence.join(', ')}).` };
  // What had no rows and asks for a password is a login, whatever it says.
  if (html !== '' && readPageSigns(html).passwords > 0) return { kind: 'login', message: `${url} ${WALL_WORDS.login} (password field).` };
  return undefined;
}

const WALL_WORDS = {
  login: 'asks to log in where the rows were',
  captcha: 'asks to show that a person is asking; nothing of that is solved',
  blocked: 'refuses the call',
} as Readonly<Record<string, string>>;

/** Whether the page has a list of which the function does not know, and that speaks of what was asked for. */
async function hasOtherList(page: CalledPage, { built, calls, views }: ChangeSight, signal: AbortSignal): Promise<boolean> {
  const { url, body, contentType, status } = page;
  const request = { source: { url, body, contentType }, status, headers: [], ask: { kind: 'list' as const } };
  const read = await unlessUnread(() => views.run('reading', request, signal));
  const rows = read instanceof PageError ? [] : (read.result.rows?.rows ?? []);
  if (rows.length < PROOF_BOUNDS.rowsMin) return false;
  const word = calls.probes.find(({ role }) => role === 'recorded')?.word;
  if (word !== undefined && built.certificate.isSeen) return wordShare(rows, word) >= PROOF_BOUNDS.wordShareMin;
  return isStillShown(valuesOf(built.sample), JSON.stringify(rows));
}

function htmlOf({ body, contentType }: CalledPage): string {
  return contentType !== undefined && !/html|xml/.test(contentType) ? '' : decodeBody(body, contentType).html;
}

function textOf(page: CalledPage): string {
  const html = htmlOf(page);
  return html === '' ? new TextDecoder().decode(page.body) : readPageSigns(html).text;
}

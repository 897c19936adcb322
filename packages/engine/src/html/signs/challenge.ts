// Tells a page from what stands in front of it: bot checks, captchas, log-in walls, refusals, and nothing at all.
import { PageError } from '../../errors.ts';
import type { PageErrorCode } from '../../errors.ts';
import { BLOCK_PHRASES, CAPTCHA_MARKS, CHECK_MARKS, HUMAN_PHRASES, LOGIN_PATH, LOGIN_PHRASES } from './obstacle-signs.ts';
import { readPageSigns } from './page-signs.ts';
import type { PageSigns } from './page-signs.ts';

/** What can stand there instead of content. */
export type ObstacleKind = 'challenge' | 'captcha' | 'login_wall' | 'blocked' | 'empty';

/** What stands in front of the content, and how that was recognised. */
export interface Obstacle {
  readonly kind: ObstacleKind;
  /** The signs that together decided, each in a few words; at least one. */
  readonly evidence: readonly string[];
}

/** What of a fetched page is looked at. */
export interface SeenPage {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly html: string;
  /** With both, a redirect to a log-in page is recognised as a wall. */
  readonly requestedUrl?: string;
  readonly url?: string;
}

/** A bot check is a short page; whoever writes about one writes more than this. */
const THIN_CHARACTERS = 1_500;
/** Below this, a page without other content is nothing but the message. */
const BARE_CHARACTERS = 600;

/** What bot checks answer with; other errors are errors of the site. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429, 430, 503, 520, 521, 999]);

/** What stands in front of the content, or undefined for a page; a page that is merely about such things is a page. `given` are its signs. */
export function detectObstacle(page: SeenPage, given?: PageSigns): Obstacle | undefined {
  const announced = fromHeaders(page);
  if (announced) return announced;
  if (!isHtml(page)) return page.status === 401 || page.status === 403 ? fromStatus(page.status) : undefined;
  const signs = given ?? readPageSigns(page.html);
  return findCheck(page, signs) ?? findLoginWall(page, signs) ?? findRefusal(page, signs) ?? findAbsence(page, signs);
}

/** The error of a page that must not be kept as data. */
export function obstacleError({ kind, evidence }: Obstacle, page: { readonly url: string; readonly status: number }): PageError {
  const { code, sentence } = OBSTACLE_ERRORS[kind];
  return new PageError(code, `${page.url} ${sentence} (${evidence.join(', ')}). Nothing was kept.`, { url: page.url, status: page.status });
}

/** What helps against a log-in, unless somebody is there already who should be logged in. */
const AS_PERSONA = 'read it as a persona (`weft persona add`)';
/** `message` of an obstacle, as it is told whoever asked for `url` as a persona: one that is there need not be made. */
export function toldPersona(message: string, personaId: number, url: string): string {
  const advice = `persona ${personaId} is not logged in there: let it log in once (\`weft persona login ${personaId} ${url}\`)`;
  return message.replace(AS_PERSONA, () => advice);
}

const BY_HAND = 'save the page in your own browser and read the file with `weft parse`';
const OBSTACLE_ERRORS: Readonly<Record<ObstacleKind, { readonly code: PageErrorCode; readonly sentence: string }>> = {
  challenge: { code: 'captcha', sentence: `checks whether a person is asking; ${BY_HAND}` },
  captcha: { code: 'captcha', sentence: `asks to solve a captcha; ${BY_HAND}` },
  login_wall: { code: 'blocked', sentence: `asks to log in; ${AS_PERSONA}, or ${BY_HAND}` },
  blocked: { code: 'blocked', sentence: 'refuses the request' },
  empty: { code: 'page_unreadable', sentence: 'has no content' },
};

/** Some bot checks say themselves, in a documented header, that this is one. */
function fromHeaders({ status, headers }: SeenPage): Obstacle | undefined {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1].toLowerCase();
  if (valueOf('cf-mitigated') === 'challenge') return { kind: 'challenge', evidence: ['header cf-mitigated'] };
  const action = valueOf('x-amzn-waf-action');
  if (action === 'captcha' || action === 'challenge') return { kind: action, evidence: ['header x-amzn-waf-action'] };
  if (status === 403 && valueOf('x-datadome') !== undefined) return { kind: 'challenge', evidence: ['status 403', 'header x-datadome'] };
  return undefined;
}

/** Whether the answer says that it is HTML, or looks like it and says nothing. */
export function isHtml({ headers, html }: SeenPage): boolean {
  const type = headers.find(([name]) => name === 'content-type')?.[1].toLowerCase();
  return type === undefined ? html.trimStart().startsWith('<') || html.trim() === '' : type.includes('html');
}

function findCheck({ status }: SeenPage, signs: PageSigns): Obstacle | undefined {
  if (signs.text.length > THIN_CHARACTERS) return undefined;
  const phrase = HUMAN_PHRASES.exec(`${signs.heading} ${signs.text.toLowerCase()} ${signs.noscript}`)?.[0];
  const isRefused = REFUSING_STATUSES.has(status);
  const mark = CHECK_MARKS.exec(signs.markup)?.[0];
  const captcha = CAPTCHA_MARKS.exec(signs.markup)?.[0];
  const evidence = [
    ...(isRefused ? [`status ${status}`] : []),
    ...(phrase === undefined ? [] : [`phrase "${phrase}"`]),
    ...(mark === undefined ? [] : [`mark "${mark.slice(0, 40)}"`]),
    ...(captcha === undefined ? [] : ['captcha']),
  ];
  // A contact form has a captcha too, but then it has its own fields; one field may be the captcha's answer.
  const isCaptcha = captcha !== undefined && signs.fields <= 1 && signs.passwords === 0 && evidence.length >= 2;
  if (isCaptcha) return { kind: 'captcha', evidence };
  const isBare = signs.text.length < BARE_CHARACTERS && signs.links <= 5 && signs.fields === 0 && signs.media <= 5;
  const isAsked = phrase !== undefined && (isRefused || (isBare && HUMAN_PHRASES.test(signs.heading)));
  const isCheck = isAsked || (mark !== undefined && (isRefused || phrase !== undefined || isBare));
  return isCheck ? { kind: 'challenge', evidence } : undefined;
}

function findLoginWall(page: SeenPage, signs: PageSigns): Obstacle | undefined {
  if (page.status === 401) return fromStatus(401);
  if (signs.text.length > THIN_CHARACTERS || isLoginPath(page.requestedUrl)) return undefined;
  const phrase = LOGIN_PHRASES.exec(`${signs.heading} ${signs.text.toLowerCase()}`)?.[0];
  const isLedAway = isLoginRedirect(page);
  const evidence = [
    ...(isLedAway ? ['redirect to a log-in page'] : []),
    ...(signs.passwords > 0 ? ['password field'] : []),
    ...(phrase === undefined ? [] : [`phrase "${phrase}"`]),
  ];
  const isBare = phrase !== undefined && signs.text.length < BARE_CHARACTERS && signs.links <= 10;
  return evidence.length >= 2 || isBare ? { kind: 'login_wall', evidence } : undefined;
}

function isLoginRedirect({ requestedUrl, url }: SeenPage): boolean {
  return requestedUrl !== undefined && url !== requestedUrl && isLoginPath(url);
}

/** A log-in page that is asked for by its own address is a page. */
function isLoginPath(url: string | undefined): boolean {
  const parsed = URL.parse(url ?? '');
  return parsed !== null && LOGIN_PATH.test(parsed.hostname + parsed.pathname);
}

function findRefusal({ status }: SeenPage, signs: PageSigns): Obstacle | undefined {
  if (status === 403 || status === 451) return fromStatus(status);
  if (signs.text.length > THIN_CHARACTERS) return undefined;
  const phrase = BLOCK_PHRASES.exec(status >= 400 ? `${signs.heading} ${signs.text.toLowerCase()}` : signs.heading)?.[0];
  const isBare = signs.text.length < BARE_CHARACTERS && signs.links <= 5;
  if (phrase === undefined || status === 404 || !(status >= 400 || isBare)) return undefined;
  return { kind: 'blocked', evidence: [...(status >= 400 ? [`status ${status}`] : []), `phrase "${phrase}"`] };
}

function fromStatus(status: number): Obstacle {
  return { kind: status === 401 ? 'login_wall' : 'blocked', evidence: [`status ${status}`] };
}

function findAbsence({ status }: SeenPage, signs: PageSigns): Obstacle | undefined {
  const isEmpty = status < 300 && signs.text === '' && signs.media === 0 && signs.scripts === 0;
  return isEmpty ? { kind: 'empty', evidence: ['no text, no media, no scripts'] } : undefined;
}

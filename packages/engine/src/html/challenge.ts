// Tells a page from what stands in front of it: bot checks, captchas, log-in walls, refusals, and shells without content.
import { readPageSigns } from './page-signs.ts';
import type { PageSigns } from './page-signs.ts';

/** `js_shell` is a page that needs a browser to have content; the other kinds are no content at all. */
export type ObstacleKind = 'challenge' | 'captcha' | 'login_wall' | 'blocked' | 'empty' | 'js_shell';

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
/** Below this, what a script-driven page shows without scripts is a frame, not content. */
const SHELL_CHARACTERS = 250;

const HUMAN_PHRASES =
  /checking (?:if )?(?:your browser|the site connection)|verif(?:y|ying) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)|are you (?:a )?(?:human|robot)|just a moment|(?:confirm|prove|make sure|making sure) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)|i(?:'m| am) not a robot|security (?:check|verification)|unusual (?:traffic|activity)|automated (?:access|requests|queries|traffic)|enable javascript and cookies to continue|ddos protection|press (?:&|&amp;|and) hold|complete the (?:captcha|challenge|puzzle)|solve (?:the|this) (?:captcha|puzzle)|ich bin kein roboter|dass sie ein mensch sind|vous (?:êtes|etes) (?:un )?humain|pas un robot|no (?:soy|eres) un robot|não (?:sou|é) um robô|вы не робот|проверка браузера|我不是机器人|安全验证|人机验证|私はロボットではありません/;
const BLOCK_PHRASES =
  /access (?:to this (?:page|site|resource) )?(?:has been |is |was )?denied|you(?:'ve| have) been (?:blocked|banned)|(?:request|connection) (?:was |has been |is )?(?:blocked|rejected|unsuccessful|denied)|your ip(?: address)? (?:has been|is|was) (?:temporarily )?(?:blocked|banned|blacklisted)|\b403\b.{0,5}forbidden|not available in your (?:country|region)|you don't have permission to access|zugriff verweigert|accès refusé|acceso denegado|acesso negado|доступ (?:запрещ[её]н|ограничен)|访问被拒绝|アクセスが拒否/;
const LOGIN_PHRASES =
  /(?:log|sign) ?in (?:or (?:register|sign up|create an account) )?to (?:continue|view|see|access|read|proceed)|please (?:log|sign) ?in\b|you (?:must|need to) (?:be logged in|be signed in|log ?in|sign ?in)|log ?in required|authentication required|(?:subscribe|register|create an account) to (?:continue|view|read|see)|members only|bitte (?:melden sie sich|loggen sie sich|einloggen)|connectez-vous pour|inicia sesión para|faça login para|войдите,? чтобы|необходимо (?:войти|авторизоваться)|请(?:先)?登录|ログインしてください/;

/** Marks of widely used bot checks, present while they check and absent from the page behind them. */
const CHECK_MARKS =
  /_cf_chl_opt|cf-browser-verification|cf-challenge-running|captcha-delivery\.com|_incapsula_resource|px-captcha|gokuprops|awswafintegration|sucuri_cloudproxy_js|sec-if-cpt-container|bm-verify|kpsdk|ddos-guard\/js-challenge|\/\.within\.website\/x\/cmd\/anubis|slowaes/i;
const CAPTCHA_MARKS =
  /g-recaptcha|recaptcha\/(?:api|enterprise)|hcaptcha\.com\/1\/api|h-captcha|cf-turnstile|turnstile\/v0\/api|arkoselabs|funcaptcha|geetest|data-sitekey|<img\b[^>]{0,300}captcha|name\s*=\s*["']?captcha/i;
const MOUNT_POINTS =
  /<(?:div|main|section)\b[^>]{0,200}\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app|app-root|react-root|application)["'\s>]|<app-root\b|ng-app\b|data-reactroot/i;
const NEEDS_SCRIPT = /javascript/;
const LOGIN_PATH =
  /(?:^|[/._-])(?:log-?in|sign-?in|signon|sso|auth|authenticate|account\/login|session\/new|connexion|anmelden)(?:[/._?-]|$)/i;

/** What stands in front of the content, or undefined for a page; a page that is merely about such things is a page. */
export function detectObstacle(page: SeenPage): Obstacle | undefined {
  const announced = fromHeaders(page);
  if (announced) return announced;
  if (!isHtml(page)) return page.status === 401 || page.status === 403 ? fromStatus(page.status) : undefined;
  const signs = readPageSigns(page.html);
  return findCheck(page, signs) ?? findLoginWall(page, signs) ?? findRefusal(page, signs) ?? findAbsence(page, signs);
}

/** Some bot checks say themselves, in a documented header, that this is one. */
function fromHeaders({ status, headers }: SeenPage): Obstacle | undefined {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1].toLowerCase();
  if (valueOf('cf-mitigated') === 'challenge') return { kind: 'challenge', evidence: ['header cf-mitigated'] };
  const action = valueOf('x-amzn-waf-action');
  if (action === 'captcha' || action === 'challenge') return { kind: action, evidence: ['header x-amzn-waf-action'] };
  if (status === 403 && valueOf('x-datadome') !== undefined) return { kind: 'challenge', evidence: ['status 403', 'header x-datadome'] };
  return undefined;
}

function isHtml({ headers, html }: SeenPage): boolean {
  const type = headers.find(([name]) => name === 'content-type')?.[1].toLowerCase();
  return type === undefined ? html.trimStart().startsWith('<') || html.trim() === '' : type.includes('html');
}

function findCheck({ status }: SeenPage, signs: PageSigns): Obstacle | undefined {
  if (signs.text.length > THIN_CHARACTERS) return undefined;
  const phrase = HUMAN_PHRASES.exec(`${signs.heading} ${signs.text.toLowerCase()} ${signs.noscript}`)?.[0];
  const isRefused = status >= 400 && status !== 404 && status !== 410;
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
  if (status >= 300) return undefined;
  if (signs.text === '' && signs.media === 0 && signs.scripts === 0) return { kind: 'empty', evidence: ['no text, no media, no scripts'] };
  // A short <noscript> says what is missing; a long one is the content, for readers without scripts.
  const shown = signs.text.length - (signs.noscript.length < SHELL_CHARACTERS ? signs.noscript.length : 0);
  const isFrameset = /<frame\b/i.test(signs.markup);
  if (signs.scripts === 0 || isFrameset || shown >= SHELL_CHARACTERS || signs.links > 10 || signs.fields > 1) return undefined;
  const evidence = [
    `${Math.max(shown, 0)} characters of text, ${signs.scripts} scripts`,
    ...(MOUNT_POINTS.test(signs.markup) ? ['mount point'] : []),
    ...(NEEDS_SCRIPT.test(signs.noscript) ? ['asks for JavaScript'] : []),
  ];
  const isBlank = shown <= 50 && signs.media <= 2;
  return evidence.length >= 2 || isBlank ? { kind: 'js_shell', evidence } : undefined;
}

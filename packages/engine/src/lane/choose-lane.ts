// Decides from an answer whether it is the page, a shell that only a browser can fill, or something that stands in front of it. Pure.
import { PageError } from '../errors.ts';
import { decodeBody } from '../html/encoding/decode.ts';
import { detectObstacle, isHtml, obstacleError } from '../html/signs/challenge.ts';
import type { SeenPage } from '../html/signs/challenge.ts';
import { isPlainPage } from '../html/signs/plain-page.ts';
import { readPageSigns } from '../html/signs/page-signs.ts';
import { readShellSigns } from '../html/signs/shell-signs.ts';
import type { ShellSigns } from '../html/signs/shell-signs.ts';
import { parseTree } from '../html/tree.ts';
import type { BrowserOptions, FetchRequest, Page } from '../ports.ts';
import { isShell } from './shell.ts';

/** What to do with an answer: keep it, open it in a browser, or refuse it. */
export type LaneDecision =
  | { readonly kind: 'keep' }
  | {
      readonly kind: 'render';
      readonly reason: RenderReason;
      readonly evidence: readonly string[];
      /** Whether the answer is worth keeping where no browser can open it. */
      readonly hasContent: boolean;
    }
  | { readonly kind: 'refuse'; readonly error: PageError };

/** `js_shell`: scripts, and the content that they would bring is missing. `unfilled_template`: its text still shows the holes of a template. */
export type RenderReason = 'js_shell' | 'unfilled_template';

/** Which lane a request begins with, and why. */
export interface FirstLane {
  readonly lane: 'http' | 'browser';
  /** `asked`: by name. `options`: it asks for what only a browser has. `static`: HTTP, until the page shows that it needs more. */
  readonly reason: 'asked' | 'options' | 'static';
}

/** More text than this, and what scripts may add is a part of the page. */
const FRAME_CHARACTERS = 1_500;
/** Less than this outside of menus and footers is no page yet: the bound below which the browser lane waits for a page's timers. */
const CONTENT_CHARACTERS = 250;
/** In a tag that is one: a page about templates shows them as text. */
const TEMPLATE_MARKS = /<[a-z][^<>]{0,300}\s(?:ng-(?:app|repeat|controller|bind)|v-(?:for|if|cloak|text)|x-(?:data|text)|data-ng-app)\b/i;
/** What any of those marks has in it: most pages have none, and are not searched tag by tag. */
const TEMPLATE_WORD = /\s(?:data-ng-|ng-|v-|x-)[a-z]/i;
/** Three holes: one may be an example that the page shows. */
const TEMPLATE_HOLES = 3;

/** The lane for `request` before anything was fetched. Only GET goes to a browser. */
export function chooseFirstLane(request: FetchRequest): FirstLane {
  if (request.lane === 'http' || (request.method ?? 'GET') !== 'GET')
    return { lane: 'http', reason: request.lane === 'http' ? 'asked' : 'static' };
  if (request.lane === 'browser') return { lane: 'browser', reason: 'asked' };
  return needsBrowser(request.browser) ? { lane: 'browser', reason: 'options' } : { lane: 'http', reason: 'static' };
}

/** What to do with `page`, as the HTTP lane brought it. */
export function decideLane(page: SeenPage & { readonly url: string }): LaneDecision {
  const signs = isHtml(page) ? readPageSigns(page.html) : undefined;
  const obstacle = detectObstacle(page, signs);
  if (obstacle) return { kind: 'refuse', error: obstacleError(obstacle, page) };
  if (page.status >= 300 || !signs || !/<script\b/i.test(page.html)) return { kind: 'keep' };
  const { text, markup } = signs;
  if (text.length < FRAME_CHARACTERS) {
    const shell = shellSignsOf(page);
    if (shell && isShell(shell))
      return { kind: 'render', reason: 'js_shell', evidence: evidenceOf(shell), hasContent: shell.characters >= CONTENT_CHARACTERS };
  }
  const isTemplate = TEMPLATE_WORD.test(markup) && TEMPLATE_MARKS.test(markup);
  const holes = isTemplate ? (text.match(/\{\{[^{}\n]{1,80}\}\}/g)?.length ?? 0) : 0;
  if (holes < TEMPLATE_HOLES) return { kind: 'keep' };
  const hasContent = text.length >= CONTENT_CHARACTERS;
  return { kind: 'render', reason: 'unfilled_template', evidence: [`${holes} unfilled places`], hasContent };
}

/** Undefined for a page that is not to be parsed, and for frames, which no script fills. */
function shellSignsOf({ html, url }: { readonly html: string; readonly url: string }): ShellSigns | undefined {
  try {
    const tree = parseTree(html, url);
    return tree.body.name === 'frameset' ? undefined : readShellSigns(tree);
  } catch (error) {
    if (error instanceof PageError) return undefined;
    throw error;
  }
}

function evidenceOf(signs: ShellSigns): readonly string[] {
  return [
    `${signs.characters} characters of text outside of menus and footers, ${signs.scripts} scripts`,
    ...(signs.emptyPlaces + signs.emptyMains > 0 ? ['an empty place'] : []),
    ...(signs.waits > 0 ? ['a sign that it loads'] : []),
    ...(signs.asksForScripts ? ['asks for JavaScript'] : []),
  ];
}

/** Why `page` must not be kept as data; undefined for a page. For answers of the HTTP lane, which the fetcher does not judge. */
export function refusalOf(page: Page): PageError | undefined {
  return isPlainPage(page) ? undefined : refuseObstacle(seenPage(page));
}

/** An answer as it is judged: its body read as text. */
export function seenPage(page: Page): SeenPage & { readonly url: string } {
  const { status, headers, requestedUrl, url } = page;
  return { status, headers, requestedUrl, url, html: decodeBody(page.body, page.contentType).html };
}

/** The error of a page that must not be kept, whatever lane brought it. */
export function refuseObstacle(page: SeenPage & { readonly url: string }): PageError | undefined {
  const obstacle = detectObstacle(page);
  return obstacle && obstacleError(obstacle, page);
}

function needsBrowser(options: BrowserOptions = {}): boolean {
  return (
    options.screenshot !== undefined ||
    options.pdf === true ||
    options.waitForSelector !== undefined ||
    options.waitMs !== undefined ||
    options.waitFor !== undefined
  );
}

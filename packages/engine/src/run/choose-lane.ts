// Decides from an answer whether it is the page, a shell that only a browser can fill, or something that stands in front of it. Pure.
import type { PageError } from '../errors.ts';
import { detectObstacle, obstacleError } from '../html/challenge.ts';
import type { SeenPage } from '../html/challenge.ts';
import { readPageSigns } from '../html/page-signs.ts';
import type { BrowserOptions, FetchRequest } from '../ports.ts';

/** What to do with an answer: keep it, open it in a browser, or refuse it. */
export type LaneDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'render'; readonly reason: RenderReason; readonly evidence: readonly string[] }
  | { readonly kind: 'refuse'; readonly error: PageError };

/**
 * `js_shell`: scripts, and next to no content. `empty_mount`: some content, but the place where scripts put the page is empty.
 * `unfilled_template`: its text still shows the holes of a template.
 */
export type RenderReason = 'js_shell' | 'empty_mount' | 'unfilled_template';

/** Which lane a request begins with, and why. */
export interface FirstLane {
  readonly lane: 'http' | 'browser';
  /** `asked`: by name. `options`: it asks for what only a browser has. `static`: HTTP, until the page shows that it needs more. */
  readonly reason: 'asked' | 'options' | 'static';
}

/** More text than this around an empty place, and the place is a detail of the page. */
const FRAME_CHARACTERS = 1_500;
const MARKUP_MAX = 400_000;

/** Elements into which scripts put a page, by tag and attributes. Bounded, so that hostile markup costs no more than its length. */
const CONTAINER = /<(div|main|section|article|app-root)\b([^<>]{0,400})>/gi;
const MOUNT_NAME =
  /(?:^|\s)id\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app|app-root|react-root|application)(?:["'\s]|$)/i;
/** Behind a container's tag: nothing but white space and a comment before its end. */
const NOTHING_INSIDE = /^\s{0,200}(?:<!--[^>]{0,200}-->\s{0,200})?<\/(?:div|main|section|article|app-root)\b/i;
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
  const obstacle = detectObstacle(page);
  if (obstacle) {
    const error = obstacleError(obstacle, page);
    return error ? { kind: 'refuse', error } : { kind: 'render', reason: 'js_shell', evidence: obstacle.evidence };
  }
  if (page.status >= 300 || !/<script\b/i.test(page.html)) return { kind: 'keep' };
  const markup = page.html.slice(0, MARKUP_MAX);
  const isMountEmpty = hasEmptyMount(markup);
  const isTemplate = TEMPLATE_WORD.test(markup) && TEMPLATE_MARKS.test(markup);
  if (!isMountEmpty && !isTemplate) return { kind: 'keep' };
  const { text } = readPageSigns(page.html);
  if (isMountEmpty && text.length < FRAME_CHARACTERS) {
    return { kind: 'render', reason: 'empty_mount', evidence: [`${text.length} characters of text around an empty mount point`] };
  }
  const holes = text.match(/\{\{[^{}\n]{1,80}\}\}/g)?.length ?? 0;
  if (holes >= TEMPLATE_HOLES && isTemplate) {
    return { kind: 'render', reason: 'unfilled_template', evidence: [`${holes} unfilled places`] };
  }
  return { kind: 'keep' };
}

function hasEmptyMount(markup: string): boolean {
  return [...markup.matchAll(CONTAINER)].some((match) => {
    const [tag, name, attributes = ''] = match;
    if (name?.toLowerCase() !== 'app-root' && !MOUNT_NAME.test(attributes)) return false;
    const behind = match.index + tag.length;
    return NOTHING_INSIDE.test(markup.slice(behind, behind + 700));
  });
}

/** The error of a page that must not be kept, whatever lane brought it; a shell that stays one is what the site shows. */
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

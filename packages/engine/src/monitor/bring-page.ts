// Brings what a monitor watches: its page, at the pace of its host and as its robots.txt allows, or what a workflow gives.
import type { PixelBox } from '@weft/contract';
import { PageError } from '../errors.ts';
import { isPageStatus, refuseStatus } from '../lane/page-status.ts';
import { HOST_PATIENCE_MS } from '../crawl/hosts/host-pace.ts';
import { pacedFetcher } from '../crawl/hosts/paced-fetcher.ts';
import { ReachMemory, rememberReach } from '../crawl/hosts/reach-memory.ts';
import { askUntilAnswered, requestPage } from '../crawl/loop/page-request.ts';
import type { DocumentSource } from '../page/document.ts';
import { actingIn } from '../ports.ts';
import type { FetchRequest, Lane, Page } from '../ports.ts';
import { hidingInPictures } from '../mask/hide-in-pictures.ts';
import { maskingFetcher } from '../mask/mask-page.ts';
import { decideRobots } from '../robots/decide.ts';
import { PICTURE_BYTES_MAX } from './bring-pictures.ts';
import type { AskForPicture } from './bring-pictures.ts';
import type { UnreadFile } from '../robots/rules.ts';
import type { CheckPorts, CheckSubject, PageToCheck } from './check-ports.ts';
import { fillIn } from './secret-references.ts';
import { isQuiet } from './verdict/same.ts';

/** What came. */
export interface BroughtPage {
  readonly source: DocumentSource;
  readonly requestedUrl: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Page['headers'];
  readonly lane: Lane;
  /** A PNG, where the browser was asked for one. */
  readonly picture: Uint8Array | undefined;
  /** Where in it the first ten matches are of the selectors that it was asked for with. */
  readonly boxes: readonly PixelBox[];
  /** The site said that nothing has changed: the body is empty. */
  readonly fromCache: boolean;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** Asks for a picture that it shows; undefined where that can't be asked for again. */
  readonly askForPicture: AskForPicture | undefined;
  /** Sentences for the trace. */
  readonly reasons: readonly string[];
}

/** Throws PageError for what is no page, `robots` for one that robots.txt forbids. */
export async function bringPage(subject: CheckSubject, ports: CheckPorts, signal: AbortSignal): Promise<BroughtPage> {
  const { source: asked } = subject;
  if (asked.kind === 'page') return await askForPage(asked, subject, ports, signal);
  const { runId, requestedUrl, url, status, body, contentType, xhr, lane } = await ports.runWorkflow(asked, signal);
  refuse({ url, status, headers: [] }, ports.clock.now());
  const what = asked.gives === 'rows' ? 'brought rows' : `ended on ${url} (${status}, ${lane} lane)`;
  const reasons = [`Run ${runId} of the workflow ${what}: ${body.byteLength} bytes.`];
  const source = { url, body, contentType, ...(xhr ? { xhr } : {}) };
  const unconfirmed = { fromCache: false, etag: undefined, lastModified: undefined };
  const none = { ...unconfirmed, picture: undefined, boxes: [], askForPicture: undefined };
  return { source, requestedUrl, status, headers: [], lane, ...none, reasons };
}

/** What comes back of it holds nothing of what was sent in secret. */
async function askForPage(source: PageToCheck, subject: CheckSubject, ports: CheckPorts, signal: AbortSignal): Promise<BroughtPage> {
  const { clock, network } = ports;
  const targets = source.request.privateTargets ?? [];
  const asking = { fetcher: pacedFetcher(ports, clock.steadyMs() + HOST_PATIENCE_MS), robots: ports.robotsFor(targets) };
  const { fetcher, robots } = rememberReach(asking, targets, new ReachMemory());
  const { url } = source.request;
  if (source.respectRobots) await obeyRobots(url, robots, ports, signal);
  const actor = source.personaId === undefined ? undefined : await ports.actAs(source.personaId);
  const own = actor?.values() ?? { secrets: [], names: [] };
  const filled = fillIn(source.request, new URL(url).origin, ports.secretFor);
  const secrets = [...own.secrets, ...filled.secrets];
  const { browser } = source.request;
  const asActor = {
    ...(actor ? actingIn(actor.acting) : {}),
    ...source.request,
    ...filled.request,
    ...(actor ? { cookies: actor.cookies } : {}),
    ...(browser ? { browser: hidingInPictures(browser, [...own.names, ...secrets]) } : {}),
  };
  const request: FetchRequest = { ...asActor, ...validatorsOf(subject) };
  const masked = maskingFetcher(fetcher, secrets, ports.views);
  const { page } = await askUntilAnswered(() => requestPage<never>(request, undefined, { fetcher: masked, clock }, signal), clock, signal);
  network.answered({ origin: new URL(url).origin, privateTargets: targets });
  if (!source.acceptStatuses.includes(page.status) && !page.fromCache) refuse(page, clock.now());
  return broughtFrom(page, async (picture) => {
    if (source.respectRobots) await obeyRobots(picture, robots, ports, signal);
    return await masked.fetch(pictureRequest(picture, page, asActor), signal);
  });
}

/** Asked for as the page was; what is said to its site alone goes to no other, and a public page leads to no private address (D31). */
function pictureRequest(url: string, page: Page, asked: Omit<FetchRequest, 'validators'>): FetchRequest {
  const { headers = {}, browser: _browser, body: _body, privateTargets, beforeRedirect, ...rest } = asked;
  const isOfSite = URL.parse(url)?.origin === new URL(page.url).origin;
  const own = isOfSite ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const) : [];
  return {
    ...rest,
    url,
    lane: 'http',
    method: 'GET',
    headers: { ...Object.fromEntries(own), accept: ACCEPTED_PICTURES },
    bodyBytesMax: PICTURE_BYTES_MAX,
    ...(isOfSite && beforeRedirect ? { beforeRedirect } : {}),
    ...(page.reach === 'private' && privateTargets ? { privateTargets } : {}),
  };
}

/** Sites that have a picture in several forms are asked for one whose pixels can be looked at. */
const ACCEPTED_PICTURES = 'image/png,image/jpeg;q=0.9,image/*;q=0.5,*/*;q=0.1';

async function obeyRobots(
  url: string,
  robots: ReturnType<CheckPorts['robotsFor']>,
  { agent }: CheckPorts,
  signal: AbortSignal,
): Promise<void> {
  const rules = await robots.rulesFor(new URL(url).origin, signal);
  const unread: UnreadFile | undefined = rules.unasked ?? rules.unread;
  if (unread) throw new PageError(unread.code, unread.message, { url, next: 'drop', ...statusOf(unread) });
  const { allowed, rule, line } = decideRobots(rules, agent, url);
  if (allowed) return;
  const where = line === undefined ? '' : `, line ${line}`;
  const sentence = `The robots.txt of ${new URL(url).origin} forbids ${url} (${rule ?? rules.note ?? 'all'}${where}). Set "respect_robots": false for a site that you may automate.`;
  throw new PageError('robots', sentence, { url });
}

function statusOf({ status }: UnreadFile): Pick<UnreadFile, 'status'> {
  return status === undefined ? {} : { status };
}

/** A copy is confirmed only where nothing of it would be judged anew. */
function validatorsOf({ lastPage, known, source, version }: CheckSubject): Pick<FetchRequest, 'validators'> {
  if (!lastPage || source.kind !== 'page' || lastPage.lane === 'browser' || lastPage.version !== version) return {};
  if (lastPage.hasPictures === true || !isQuiet(known)) return {};
  const { etag, lastModified } = lastPage;
  const validators = { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
  return Object.keys(validators).length > 0 ? { validators } : {};
}

function refuse(page: Pick<Page, 'url' | 'status' | 'headers'>, nowMs: number): void {
  if (isPageStatus(page.status)) return;
  const refusal = refuseStatus(page, nowMs);
  if (refusal) throw refusal;
}

function broughtFrom(page: Page, askForPicture: AskForPicture): BroughtPage {
  const { url, body, contentType, xhr, status, lane, laneReason, fromCache, screenshot, boxes = [], optionsIgnored } = page;
  const header = (wanted: string) => page.headers.find(([name]) => name === wanted)?.[1];
  const how = fromCache
    ? 'The site says that nothing has changed (304).'
    : `${status}, ${body.byteLength} bytes in the ${lane} lane (${laneReason}).`;
  const ignored = optionsIgnored.length > 0 ? [`The ${lane} lane could not honour ${optionsIgnored.join(', ')}.`] : [];
  const redirected = page.redirects.length > 0 ? [`Redirected to ${url}.`] : [];
  return {
    source: { url, body, contentType, ...(xhr ? { xhr } : {}) },
    requestedUrl: page.requestedUrl,
    status,
    headers: page.headers,
    lane,
    picture: screenshot,
    boxes,
    fromCache,
    etag: header('etag'),
    lastModified: header('last-modified'),
    askForPicture,
    reasons: [how, ...redirected, ...ignored],
  };
}

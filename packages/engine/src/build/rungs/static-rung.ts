// The first rung: a crawl by plain requests, and searches that are tried the same way.
import { PageError } from '../../errors.ts';
import { SiteAsking } from '../asking/site-asking.ts';
import type { DocumentSource } from '../../page/document.ts';
import { findDetails } from '../details/find-details.ts';
import { asksForOne } from '../details/thing.ts';
import type { DetailSearch } from '../details/find-details.ts';
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { findEndpoints, titlesAnswered } from '../evidence/endpoints.ts';
import { readHarEvidence } from '../evidence/har-evidence.ts';
import type { HarEvidence } from '../evidence/har-evidence.ts';
import { hasSharedWord, rareWords, searchWords } from '../evidence/words.ts';
import type { Ids } from '../evidence/ids.ts';
import { withoutFrames } from '../evidence/frame-lists.ts';
import type { PageEvidence } from '../evidence/read-evidence.ts';
import { findSearchForms } from '../evidence/search-forms.ts';
import { sentencesOf, titlesOf } from '../evidence/titles.ts';
import { walkSite } from '../evidence/site-walk.ts';
import type { Walked } from '../evidence/site-walk.ts';
import { trySearches } from '../evidence/try-searches.ts';
import { EMPTY_CATALOGUE } from '../evidence/catalogue.ts';
import type { BuildOptions } from '../options.ts';
import type { BuildPorts } from '../ports.ts';
import type { RungFinding } from '../rung.ts';
import { Collection } from './collection.ts';

/** What goes on from rung to rung. */
export interface RungContext {
  readonly buildId: string;
  readonly ids: Ids;
  /** Names of candidates that are taken. */
  readonly names: Set<string>;
}

/** Of its budget this share is for walking; the rest is for searches. */
const WALK_SHARE = 0.6;
/** Lists that score less, beside the best of the site, are about something else: comments below what is written. */
const ABOUT_SHARE_MIN = 0.6;
const PRICE = 1;

/** Climbs the static rung. Throws PageError `aborted`. */
export async function climbStatic(
  options: BuildOptions,
  ports: BuildPorts,
  context: RungContext,
  signal: AbortSignal,
): Promise<RungFinding> {
  const asking = new SiteAsking(options, ports, { requestsMax: options.limits.pagesMax, price: PRICE });
  const permission = await asking.permissionFor(options.url, signal);
  if (!permission.allowed) return refused(permission.rule);
  const sources = new Map<string, DocumentSource>();
  const walked = await walk(options, asking, context, sources, signal);
  const har = options.har === undefined ? undefined : readHarEvidence(options.har, options.url, ports.clock.now());
  const archived = har ? await lookAtPages(har, ports, signal) : [];
  const collection = new Collection({ objective: options.objective, lane: 'http', rung: 'static', ...context }, () => ports.clock.now());
  if (har) addArchive(har, archived, collection, context);
  const pages = withoutFrames([...walked.pages, ...archived]);
  collection.addPages(pages);
  const readDetails = async () => collection.addDetails(await findDetails(detailSearch(pages, sources, options, asking, signal), signal));
  // What is left of the budget is for what the objective asks for first.
  if (asksForOne(options.objective)) await readDetails();
  await addSearches(pages, options, asking, collection, context, signal);
  if (!asksForOne(options.objective)) await readDetails();
  return findingOf({ ...walked, pages }, collection, asking);
}

/** Details are looked for among what was walked, and asked for as the rest of the rung is. */
function detailSearch(
  pages: readonly PageEvidence[],
  sources: ReadonlyMap<string, DocumentSource>,
  { url: start }: BuildOptions,
  asking: SiteAsking,
  signal: AbortSignal,
): DetailSearch {
  return { start, pages, sources, views: asking.ports.views, bring: async (url) => await asking.bring(url, signal) };
}

/** The pages of an archive, read as those of a walk are; those that can't be read are left out. */
async function lookAtPages({ pages }: HarEvidence, { views }: BuildPorts, signal: AbortSignal): Promise<readonly PageEvidence[]> {
  const found: PageEvidence[] = [];
  for (const { url, status, contentType, body } of pages) {
    try {
      const request = { source: { url, body, contentType }, status, headers: [], isRendered: true };
      found.push((await views.run('evidence', request, signal)).result);
    } catch (error) {
      if (!(error instanceof PageError) || error.next === 'stop') throw error;
    }
  }
  return found;
}

/** What an archive was answered with JSON, by the words that were searched for in it. */
function addArchive({ requests, words }: HarEvidence, pages: readonly PageEvidence[], collection: Collection, { ids }: RungContext): void {
  const titles = titlesAnswered(requests);
  const known = words.filter((word) => requests.some(({ url, body }) => decodeLoosely(url + (body ?? '')).includes(word)));
  const searched = [...known, ...searchWords(titles, known).slice(0, 4)];
  const endpoints = findEndpoints(requests, {
    ids,
    words: known.length > 0 ? searched : [],
    tokens: pages.flatMap(({ tokens }) => tokens),
  });
  collection.addEndpoints(endpoints, pages, undefined, 'har');
}

/** A target that robots rules refuse is asked for by neither crawl rung. */
export function refused(rule: string | undefined): RungFinding {
  return {
    catalogue: EMPTY_CATALOGUE,
    counts: { pages: 0, requests: 0, shells: 0 },
    isRefused: true,
    ...(rule === undefined ? {} : { robotsRule: rule }),
  };
}

/** What a crawl rung brings back. */
export function findingOf({ pages, failures }: Walked, collection: Collection, asking: SiteAsking): RungFinding {
  const [failure] = failures;
  return {
    catalogue: collection.catalogue(),
    counts: { pages: pages.length, requests: asking.requests, shells: pages.filter(({ isShell }) => isShell).length },
    isRefused: pages.length === 0 && failure?.error.code === 'robots',
    ...(asking.stopped === undefined ? {} : { stopped: asking.stopped }),
    ...(pages.length === 0 && failure ? { failure: failure.error.message } : {}),
  };
}

async function walk(
  options: BuildOptions,
  asking: SiteAsking,
  { buildId }: RungContext,
  sources: Map<string, DocumentSource>,
  signal: AbortSignal,
): Promise<Walked> {
  const { url: start, objective, limits } = options;
  const { tell, views } = asking.ports;
  const bring = async (url: string): Promise<PageEvidence> => {
    const page = await asking.bring(url, signal);
    const { result } = await views.run('evidence', { source: page, status: page.status, headers: page.headers, isRendered: false }, signal);
    await tell({ type: 'page', buildId, url, status: page.status });
    requireContent(result);
    sources.set(url, page);
    return result;
  };
  const pagesMax = Math.max(1, Math.floor(limits.pagesMax * WALK_SHARE));
  return await walkSite({ start, objective, pagesMax }, bring);
}

/** Throws PageError for what stands in front of a page, and for an answer that refuses. */
export function requireContent({ url, status, obstacle, kind }: PageEvidence): void {
  if (obstacle === 'captcha' || obstacle === 'challenge')
    throw new PageError('captcha', `${url} asks to show that a person is asking (${obstacle}), and nothing of that is solved.`, {
      url,
      status,
    });
  if (status >= 400) throw new PageError('http_status', `${url} answered ${status}.`, { url, status });
  if (obstacle !== undefined) throw new PageError('blocked', `${url} shows something else in front of its page: ${obstacle}.`, { url });
  if (kind === 'other') throw new PageError('unsupported_type', `${url} is no page and no JSON.`, { url });
}

/** What the rows of the lists are called that the site is most about. */
function titlesOfBest(pages: readonly PageEvidence[]): readonly string[] {
  const lists = pages.flatMap(({ lists: [list] }) => (list ? [list] : []));
  const best = Math.max(...lists.map(({ score }) => score));
  const about = lists.filter(({ score }) => score >= best * ABOUT_SHARE_MIN);
  const titles = [...new Set(about.flatMap(titlesOf))];
  // Names that share no word would each be answered with one row; what is said of them has words in common.
  return hasSharedWord(titles) ? titles : rareWords([...new Set(about.flatMap(sentencesOf))]);
}

async function addSearches(
  pages: readonly PageEvidence[],
  { objective }: BuildOptions,
  asking: SiteAsking,
  collection: Collection,
  { ids }: RungContext,
  signal: AbortSignal,
): Promise<void> {
  const { searches, others } = findSearchForms(pages);
  for (const { form, pageUrl, reason } of others) collection.addForm(form, pageUrl, reason);
  const rows = titlesOfBest(pages);
  const texts = pages.filter(({ isUnlisted }) => !isUnlisted).map(({ text }) => text);
  const sayUnused = collection.addForm.bind(collection);
  collection.addSearches(await trySearches(searches, { rows, texts, objective, lane: 'http' }, asking, ids, sayUnused, signal));
}

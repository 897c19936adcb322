// Settles an address with the page that answered, or with the copy of it that was kept before.
import type { Page } from '../../ports.ts';
import type { RobotsDecision } from '../../robots/decide.ts';
import type { PageCopy } from '../crawl-ports.ts';
import type { CrawlMemory } from '../learn/crawl-memory.ts';
import type { LinkEnd } from '../learn/empty-links.ts';
import type { Skip, UrlOffer } from '../ledger.ts';
import type { PageLinks } from '../links/page-links.ts';
import { hasText, judgePage } from './page-judge.ts';
import type { Judgement, Refusal } from './page-judge.ts';
import { pageTurns } from '../links/paging-links.ts';
import { pageWords, sumOfWords } from '../links/page-words.ts';
import { isUnlistedPage } from '../learn/unlisted-views.ts';
import { isPageStatus, statusCode } from '../../lane/page-status.ts';
import { isPageType, isPlainText, scanPage } from '../links/scan-page.ts';
import { verdictOf } from './redirect-trail.ts';
import type { KeptVerdict, LeasedUrl, Settlement, SkippedVerdict, Verdict } from '../frontier-store.ts';
import type { VisitContext } from '../loop/visit-context.ts';

/** The settlement of `leased` by the page that came for it; `robots` is what the rules say where they are only reported. */
export async function settlePage<Result>(
  page: Page,
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
): Promise<Settlement<Result>> {
  const { memory, ports } = context;
  const { status } = page;
  const isPage = isPageStatus(status);
  const texts: number[] = [];
  const seedLinks = isPage && leased.source === 'seed' ? scanPage(page, context.linkMemo, texts) : undefined;
  if (seedLinks) context.admission.addSeedAnswer(page.url, targetsOf(seedLinks));
  const away = isPage ? leadsAway(page, leased, context) : undefined;
  if (away) return { id: leased.id, verdict: skipped(away, status), offers: [] };
  if (!isPage) {
    memory.traps.observeEnd(leased.url, leased.parent, 'refused');
    memory.barren.observeNothing(leased.url);
    const verdict = { outcome: 'failed', reason: statusCode(status), rule: `HTTP ${status}`, status } as const;
    return settled(page.url, verdict, leased, [], context);
  }
  if (!isPageType(page.contentType, leased.source === 'seed')) {
    observeFile(leased.url, memory);
    return settled(page.url, skipped({ reason: 'content_type', rule: page.contentType }, status), leased, [], context);
  }
  const links = seedLinks ?? scanPage(page, context.linkMemo, texts);
  const judgement = await judge(page.url, links, leased, context);
  const { refusal, sameContent, forget } = judgement;
  // What a page calls itself is no proof: only content that was compared speaks for or against a class of addresses.
  if (refusal?.skip.reason !== 'canonical') {
    const targets = targetsOf(links);
    const words = () => pageWords(page.body);
    const wordSum = () => sumOfWords(page.body);
    const { canonical, robots: toRobots } = links;
    const { url, parent } = leased;
    memory.traps.observe({ url, duplicateOf: sameContent, canonical, robots: toRobots, parent, links: targets, words, wordSum });
    memory.traps.observeEnd(url, parent, endOf(page, links, leased, refusal));
  }
  if (page.url === leased.url) noteAnswer(page, leased, links, !refusal, memory);
  const isOwnText = page.url === leased.url && texts.length > 0;
  if (refusal?.skip.reason === 'canonical') context.held.hold(leased.url, page);
  if (refusal) {
    if (isOwnText) memory.barren.observe({ url: page.url, texts, links: [], isCopy: true });
    return refused(page.url, refusal, status, links, leased, context);
  }
  memory.files.observe(leased.url, true);
  const result = await ports.sink.save(page, links, { ...leased, url: judgement.keptAs }).catch((error: unknown) => {
    forget();
    throw error;
  });
  const turns = pageTurns(page.url, links);
  const rule = robots && !robots.allowed ? robots.rule : sameContent && `same text as ${sameContent}`;
  const kept = { outcome: page.fromCache ? 'reused' : 'fetched', status, result, rule } as const;
  const settlement = settleKept(page.url, kept, judgement, links, turns, leased, context);
  // What is left out leads nowhere, however new its address is.
  const leads = settlement.offers.flatMap(({ url, skip }) => (skip ? [] : [url]));
  if (isOwnText) memory.barren.observe({ url: page.url, texts, links: leads });
  return settlement;
}

/** The settlement of `leased` by a copy that still holds: reused, unless the crawl has this page under another address already. */
export async function settleCopy<Result>(
  copy: PageCopy<Result>,
  leased: LeasedUrl,
  context: VisitContext<Result>,
): Promise<Settlement<Result>> {
  const { finalUrl, links, status, result } = copy;
  if (leased.source === 'seed') context.admission.addSeedAnswer(finalUrl, targetsOf(links));
  const judgement = await judge(finalUrl, links, leased, context);
  if (judgement.refusal) return refused(finalUrl, judgement.refusal, status, links, leased, context);
  const kept = { outcome: 'reused', status, result, rule: undefined } as const;
  return settleKept(finalUrl, kept, judgement, links, pageTurns(finalUrl, links), leased, context);
}

/** A page that is kept: under the address that answered, or under the canonical one where that was found to make no difference. */
function settleKept<Result>(
  answeredAt: string,
  kept: Pick<KeptVerdict<Result>, 'outcome' | 'status' | 'result' | 'rule'>,
  { keptAs }: Judgement,
  links: PageLinks,
  turns: readonly string[],
  leased: LeasedUrl,
  context: VisitContext<Result>,
): Settlement<Result> {
  const { admission, ports } = context;
  const { contentHash, sketch } = links;
  const verdict = { ...kept, finalUrl: answeredAt, contentHash, sketch };
  const offers = offersOf(answeredAt, links, turns, leased, context);
  const finding = { source: 'canonical', depth: leased.depth, parent: leased.url } as const;
  const isCanonical = keptAs !== leased.url && keptAs !== answeredAt;
  const offer = isCanonical ? admission.offerFor({ ...finding, url: keptAs }, ports.clock.now()) : undefined;
  if (offer) {
    const skip = { reason: 'canonical', rule: `kept as ${offer.url}` } as const;
    return { id: leased.id, verdict: skipped(skip, kept.status), owner: { offer: { ...offer, skip: undefined }, verdict }, offers };
  }
  return keptAs === leased.url ? { id: leased.id, verdict, offers } : settled(answeredAt, verdict, leased, offers, context);
}

function settled<Result>(
  answeredAt: string,
  verdict: Verdict<Result>,
  leased: LeasedUrl,
  offers: readonly UrlOffer[],
  { admission, ports }: VisitContext<Result>,
): Settlement<Result> {
  return { id: leased.id, offers, ...verdictOf(answeredAt, verdict, leased, admission, ports.clock.now()) };
}

function targetsOf({ links }: PageLinks): readonly string[] {
  return links.map((link) => link.url);
}

function judge<Result>(finalUrl: string, links: PageLinks, leased: LeasedUrl, context: VisitContext<Result>): Promise<Judgement> {
  const { admission, memory, recent, waits, ports } = context;
  const lookups = { store: ports.store, recent, admission, waits, twins: memory.twins };
  return judgePage(finalUrl, links, leased, lookups, ports.clock.now());
}

function endOf({ url }: Page, { robots }: PageLinks, leased: LeasedUrl, refusal: Refusal | undefined): LinkEnd {
  if (robots !== undefined && isUnlistedPage(robots)) return url === leased.url ? 'unlisted' : 'moved';
  return refusal ? 'moved' : 'page';
}

function noteAnswer(page: Page, { url, parent }: LeasedUrl, links: PageLinks, isKept: boolean, { parameters, texts }: CrawlMemory): void {
  const { contentHash, sketch, textBytes } = links;
  if (isPlainText(page.contentType)) texts.observeText(url, textBytes, parent);
  else texts.observePage(url, textBytes);
  if (hasText(links)) parameters.observe({ url, contentHash, sketch, isKept });
}

/** One script may hand out every file of a site: its addresses are known by their parameters. */
function observeFile(url: string, { files, traps }: CrawlMemory): void {
  files.observe(url, false);
  traps.observeNothing(url);
}

/** Why an answer is no page of this crawl: where it was redirected to. */
function leadsAway<Result>(page: Page, leased: LeasedUrl, context: VisitContext<Result>): Skip | undefined {
  const { admission, options, ports } = context;
  if (page.url === leased.url) return undefined;
  const finding = { url: page.url, source: leased.source, depth: leased.depth, parent: leased.url };
  const skip = admission.findSkip(finding, ports.clock.now());
  if (skip) return { reason: skip.reason, rule: `redirects to ${page.url}${skip.rule === undefined ? '' : `: ${skip.rule}`}` };
  const robots = options.robots === 'enforce' ? context.robotsOf(page.url) : undefined;
  return robots && !robots.allowed ? { reason: 'robots', rule: `redirects to ${page.url}: ${robots.rule}` } : undefined;
}

function skipped(skip: Skip, status: number): SkippedVerdict {
  return { outcome: 'skipped', skip, status, contentHash: undefined, aliasOf: undefined };
}

/** A page that the crawl has already: its canonical address is offered, and what only this address of a known page leads to. */
function refused<Result>(
  answeredAt: string,
  { skip, aliasOf, other, sketch, leadsElsewhere = false }: Refusal,
  status: number,
  links: PageLinks,
  leased: LeasedUrl,
  context: VisitContext<Result>,
): Settlement<Result> {
  const finding = { url: other, source: 'canonical', depth: leased.depth, parent: leased.url } as const;
  const offer = aliasOf === undefined ? undefined : context.admission.offerFor(finding, context.ports.clock.now());
  const verdict = { ...skipped(skip, status), contentHash: links.contentHash, sketch, aliasOf };
  if (skip.reason === 'redirect') return { id: leased.id, verdict, offers: [] };
  const isFollowed = leadsElsewhere && context.duplicates.take(leased.url, other, leased.parent);
  const offers = isFollowed ? offersOf(answeredAt, links, pageTurns(answeredAt, links), leased, context) : [];
  return settled(answeredAt, verdict, leased, offer ? [offer, ...offers] : offers, context);
}

/** What a kept page adds to the frontier; `turns` are its links to other pages of the same list. */
function offersOf<Result>(
  finalUrl: string,
  links: PageLinks,
  turns: readonly string[],
  leased: LeasedUrl,
  { found, options, ports }: VisitContext<Result>,
): readonly UrlOffer[] {
  return options.sitemap === 'only' ? [] : found.offersFor(links, turns, finalUrl, leased.depth, ports.clock.now());
}

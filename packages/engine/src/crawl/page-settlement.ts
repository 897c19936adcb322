// Settles an address with the page that answered, or with the copy of it that was kept before.
import type { Page } from '../ports.ts';
import type { RobotsDecision } from '../robots/decide.ts';
import type { PageCopy } from './crawl-ports.ts';
import type { Skip, UrlOffer } from './ledger.ts';
import type { PageLinks } from './page-links.ts';
import { judgePage } from './page-judge.ts';
import type { Judgement, Refusal } from './page-judge.ts';
import { pageTurns } from './page-turns.ts';
import { pageWords } from './page-words.ts';
import { isReadableType, scanPage } from './scan-page.ts';
import type { LeasedUrl, Settlement } from './store.ts';
import type { VisitContext } from './visit-context.ts';

/** The settlement of `leased` by the page that came for it; `robots` is what the rules say where they are only reported. */
export async function settlePage<Result>(
  page: Page,
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
): Promise<Settlement<Result>> {
  const { memory, ports } = context;
  const { status } = page;
  const skip = status < 300 ? skipFor(page, leased, context) : undefined;
  if (skip) return skipped(leased, skip, status);
  if (status >= 300)
    return { id: leased.id, verdict: { outcome: 'failed', reason: 'http_status', rule: `HTTP ${status}`, status }, offers: [] };
  const links = scanPage(page, context.linkMemo);
  const { refusal, sameContent, forget } = await judge(page.url, links, leased, context);
  // What a page calls itself is no proof: only content that was compared speaks for or against a class of addresses.
  if (refusal?.skip.reason !== 'canonical') {
    const targets = links.links.map((link) => link.url);
    const words = () => pageWords(page.body);
    memory.traps.observe({ url: leased.url, duplicateOf: sameContent, canonical: links.canonical, links: targets, words });
  }
  if (refusal) return refused(leased, refusal, status, links, context);
  const result = await ports.sink.save(page, links, leased).catch((error: unknown) => {
    forget();
    throw error;
  });
  const turns = ports.paginationLinks?.(page, links) ?? pageTurns(page.url, links);
  return {
    id: leased.id,
    verdict: {
      outcome: page.fromCache ? 'reused' : 'fetched',
      status,
      finalUrl: page.url,
      contentHash: links.contentHash,
      result,
      rule: robots && !robots.allowed ? robots.rule : undefined,
    },
    offers: offersOf(page.url, links, turns, leased, context),
  };
}

/** The settlement of `leased` by a copy that still holds: reused, unless the crawl has this page under another address already. */
export async function settleCopy<Result>(
  copy: PageCopy<Result>,
  leased: LeasedUrl,
  context: VisitContext<Result>,
): Promise<Settlement<Result>> {
  const { finalUrl, links, status, result } = copy;
  if (leased.source === 'seed' && finalUrl !== leased.url) context.admission.addRoot(finalUrl);
  const { refusal } = await judge(finalUrl, links, leased, context);
  if (refusal) return refused(leased, refusal, status, links, context);
  return {
    id: leased.id,
    verdict: { outcome: 'reused', status, finalUrl, contentHash: links.contentHash, result, rule: undefined },
    offers: offersOf(finalUrl, links, pageTurns(finalUrl, links), leased, context),
  };
}

function judge<Result>(finalUrl: string, links: PageLinks, leased: LeasedUrl, context: VisitContext<Result>): Promise<Judgement> {
  const { admission, memory, recent, ports } = context;
  return judgePage(finalUrl, links, leased, { store: ports.store, recent, admission, twins: memory.twins }, ports.clock.now());
}

/** Why an answer is no page of this crawl: where it was redirected to, or what it is. */
function skipFor<Result>(page: Page, leased: LeasedUrl, context: VisitContext<Result>): Skip | undefined {
  const { admission, options, ports } = context;
  if (page.url !== leased.url) {
    if (leased.source === 'seed') admission.addRoot(page.url);
    const finding = { url: page.url, source: leased.source, depth: leased.depth, parent: leased.url };
    const skip = admission.findSkip(finding, ports.clock.now());
    if (skip) return { reason: skip.reason, rule: `redirects to ${page.url}${skip.rule === undefined ? '' : `: ${skip.rule}`}` };
    const robots = options.robots === 'enforce' ? context.robotsOf(page.url) : undefined;
    if (robots && !robots.allowed) return { reason: 'robots', rule: `redirects to ${page.url}: ${robots.rule}` };
  }
  return isReadableType(page.contentType) ? undefined : { reason: 'content_type', rule: page.contentType };
}

function skipped<Result>(leased: LeasedUrl, skip: Skip, status: number): Settlement<Result> {
  return { id: leased.id, verdict: { outcome: 'skipped', skip, status, contentHash: undefined, aliasOf: undefined }, offers: [] };
}

/** The links of a page that the crawl already has lead nowhere new: only its canonical address is offered. */
function refused<Result>(
  leased: LeasedUrl,
  { skip, aliasOf, other }: Refusal,
  status: number,
  links: PageLinks,
  { admission, ports }: VisitContext<Result>,
): Settlement<Result> {
  const finding = { url: other, source: 'canonical', depth: leased.depth, parent: leased.url } as const;
  const offer = aliasOf === undefined ? undefined : admission.offerFor(finding, ports.clock.now());
  const verdict = { outcome: 'skipped', skip, status, contentHash: links.contentHash, aliasOf } as const;
  return { id: leased.id, verdict, offers: offer ? [offer] : [] };
}

/** What a kept page adds to the frontier; `turns` are its links to other pages of the same list. */
function offersOf<Result>(
  finalUrl: string,
  links: PageLinks,
  turns: readonly string[],
  leased: LeasedUrl,
  { found, options, ports, admission }: VisitContext<Result>,
): readonly UrlOffer[] {
  const nowMs = ports.clock.now();
  const offers: UrlOffer[] = [];
  if (finalUrl !== leased.url) {
    const moved = admission.offerFor({ url: finalUrl, source: 'redirect', depth: leased.depth, parent: leased.url }, nowMs);
    if (moved) offers.push({ ...moved, skip: { reason: 'duplicate', rule: `answered for ${leased.url}` } });
  }
  if (options.sitemap === 'only') return offers;
  return [...offers, ...found.offersFor(links, turns, finalUrl, leased.depth, nowMs)];
}

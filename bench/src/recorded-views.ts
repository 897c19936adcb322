// What a crawl asked a site for, kept so that it can be gone through once more with other numbers in a rule.
import { Admission } from '../../packages/engine/src/crawl/admission.ts';
import { BarrenViews } from '../../packages/engine/src/crawl/learn/barren-views.ts';
import type { BarrenLimits } from '../../packages/engine/src/crawl/learn/barren-views.ts';
import { crawlOptions } from '../../packages/engine/src/crawl/options.ts';
import type { PageLink } from '../../packages/engine/src/crawl/links/page-links.ts';
import { scanLinks } from '../../packages/engine/src/crawl/links/scan-links.ts';

/** One answer. */
export interface RecordedVisit {
  readonly url: string;
  /** The page of the truth that it shows, where it shows one. */
  readonly page: string | undefined;
  /** For an HTML page, a number for each of its texts; undefined for all else. */
  readonly texts: readonly number[] | undefined;
  readonly links: readonly string[];
  /** Whether an earlier one has the same text. */
  readonly isCopy: boolean;
  /** Whether there was no page at the address. */
  readonly isGone: boolean;
}

/** A site as it was crawled, in the order in which it was asked. */
export interface RecordedSite {
  readonly name: string;
  readonly visits: readonly RecordedVisit[];
}

/** What a rule comes to on one site. */
export interface ViewsScore {
  readonly asked: number;
  /** Pages that nothing asked for shows. */
  readonly missed: number;
}

/** Keeps answers in their order. */
export class SiteRecorder {
  readonly visits: RecordedVisit[] = [];
  private readonly contents = new Set<string>();
  private readonly admission: Admission;
  private readonly nowMs: number;

  /** `start` is where the crawl began, at `nowMs`. */
  constructor(start: string, nowMs: number) {
    this.admission = new Admission(crawlOptions({ seeds: [start], agent: 'bench', crawlEntireDomain: true }));
    this.nowMs = nowMs;
  }

  /** Notes an answer; `html` is undefined where it is no page, `page` where it shows none of the truth. */
  add(url: string, status: number, html: Uint8Array | undefined, page: string | undefined): void {
    const texts: number[] = [];
    const read = html && status === 200 ? scanLinks(html, url, { texts }) : undefined;
    const isCopy = read !== undefined && this.contents.has(read.contentHash);
    if (read) this.contents.add(read.contentHash);
    const isAsked = (link: PageLink) =>
      this.admission.findSkip({ url: link.url, source: 'link', depth: 1, parent: url, link }, this.nowMs) === undefined;
    const links = (read?.links ?? []).filter(isAsked).map((link) => link.url);
    this.visits.push({ url, page, texts: read && texts, links, isCopy, isGone: status >= 400 });
  }
}

/** Goes through a site with these numbers. What is left out is not read, and so neither are its words and links known. */
export function replayViews({ visits }: RecordedSite, limits: BarrenLimits): ViewsScore {
  const views = new BarrenViews({}, limits);
  const shown = new Set<string>();
  let asked = 0;
  for (const { url, page, texts, links, isCopy, isGone } of visits) {
    if (views.find(url) !== undefined) continue;
    asked++;
    if (page !== undefined) shown.add(page);
    if (texts) views.observe({ url, texts, links, isCopy });
    else if (isGone) views.observeNothing(url);
  }
  const pages = new Set(visits.flatMap(({ page }) => (page === undefined ? [] : [page])));
  return { asked, missed: pages.size - shown.size };
}

/** The numbers among `all` that miss least on `sites`, and of those the ones that ask least; of equal ones the first. */
export function fitViews(sites: readonly RecordedSite[], all: readonly BarrenLimits[]): BarrenLimits {
  const worth = all.map((limits) => {
    const scores = sites.map((site) => replayViews(site, limits));
    const sum = (of: (score: ViewsScore) => number) => scores.reduce((total, score) => total + of(score), 0);
    return { limits, missed: sum(({ missed }) => missed), asked: sum(({ asked }) => asked) };
  });
  const [best] = worth.toSorted((a, b) => a.missed - b.missed || a.asked - b.asked);
  if (!best) throw new Error('Nothing to choose from.');
  return best.limits;
}

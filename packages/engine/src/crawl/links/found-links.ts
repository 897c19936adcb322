// Turns the links of a page into offers, leaving out what was offered a moment ago.
import type { Admission, Finding } from '../admission.ts';
import type { UrlOffer } from '../ledger.ts';
import { listedFiles } from './listing.ts';
import type { PageLinks } from './page-links.ts';
import { UrlDepths } from '../loop/url-depths.ts';

/** Offers of a crawl. Most links of a site are its menus: what is remembered here never reaches the store a second time. */
export class FoundLinks {
  private readonly admission: Admission;
  private readonly depths = new UrlDepths();

  constructor(admission: Admission) {
    this.admission = admission;
  }

  /** The offers for the links of the page `parent`, which was `depth` links away from a seed; `turns` are its pagination links. */
  offersFor(links: PageLinks, turns: readonly string[], parent: string, depth: number, nowMs: number): readonly UrlOffer[] {
    const turned = new Set(turns);
    const offers: UrlOffer[] = [];
    // A port may find turns that are no plain links, such as those of a form.
    for (const url of turned) this.add(offers, { url, source: 'pagination', parent, depth }, nowMs);
    const forms = ownForms(parent, links);
    const files = listedFiles(parent, links);
    const isNoFollowPage = /\b(?:nofollow|none)\b/i.test(links.robots ?? '');
    for (const link of links.links) {
      // Some pages call themselves their own version for small screens.
      const isItself = (link.kind === 'version' || link.kind === 'data') && (link.url === parent || link.url === links.canonical);
      if (isItself || turned.has(link.url) || !this.isNew(link.url, depth + 1, link.act)) continue;
      const kind = files.has(link.url) ? 'file' : forms.has(link.url) ? 'data' : link.kind;
      const said = isNoFollowPage || kind !== link.kind ? { ...link, kind, isNoFollow: isNoFollowPage || link.isNoFollow } : link;
      this.offer(offers, { url: link.url, source: 'link', parent, depth: depth + 1, link: said }, nowMs);
    }
    return offers;
  }

  /** The offers for one address, unless it was offered at this depth or a smaller one; what its link says that it does is always told. */
  add(offers: UrlOffer[], finding: Finding, nowMs: number): void {
    if (this.isNew(finding.url, finding.depth, finding.link?.act)) this.offer(offers, finding, nowMs);
  }

  /** Asked before anything is made of a link: nearly all links of a page are those of the page before. */
  private isNew(url: string, depth: number, act: string | undefined): boolean {
    return this.depths.lower(url, depth) || act !== undefined;
  }

  private offer(offers: UrlOffer[], finding: Finding, nowMs: number): void {
    if (finding.source === 'seed') {
      const offer = this.admission.offerFor(finding, nowMs);
      if (offer) offers.push(offer);
      return;
    }
    const made = this.admission.offersFor(finding, nowMs);
    offers.push(...made);
    if (made.some(({ skip }) => skip?.reason === 'trap')) offers.push(...this.plainFor(finding, nowMs));
  }

  /**
   * The offers for the address without its parameters, where addresses with them show what others show: a page that is only linked with the
   * way back to its list is there without it.
   */
  plainFor(finding: Finding, nowMs: number): readonly UrlOffer[] {
    const plain = this.admission.plainOf(finding.url);
    if (plain === undefined || !this.isNew(plain, finding.depth, undefined)) return [];
    return this.admission.offersFor({ ...finding, url: plain }, nowMs);
  }
}

/** Endings under which programs hand out what a page shows, for other programs and for paper: Rails and all that is made like it. */
const FORM = /^\.(atom|rss|xml|json|jsonld|csv|tsv|ics|ical|vcf|yml|yaml|rdf|ttl|pdf|txt|md|html|odt|docx|xlsx|ods)(?=$|\?)/i;
const FEED = /^(?:atom|rss)$/i;

/**
 * The addresses among `links` that are the page itself in other forms, `/issues.csv` beside `/issues`: a feed, or one of several endings. A
 * single one could be a file of that name.
 */
function ownForms(parent: string, { links }: PageLinks): ReadonlySet<string> {
  const own = parent.split(/[?#]/, 1)[0] ?? '';
  if (own.endsWith('/')) return NO_FORMS;
  const stem = `${own}.`;
  const forms = new Map<string, string>();
  for (const { url } of links) {
    const ending = url.startsWith(stem) ? FORM.exec(url.slice(own.length))?.[1] : undefined;
    if (ending !== undefined) forms.set(url, ending.toLowerCase());
  }
  if (forms.size === 0) return NO_FORMS;
  const isSeveral = new Set(forms.values()).size > 1;
  return new Set([...forms].flatMap(([url, ending]) => (isSeveral || FEED.test(ending) ? [url] : [])));
}

const NO_FORMS: ReadonlySet<string> = new Set();

// Turns the links of a page into offers, leaving out what was offered a moment ago.
import type { Admission } from './admission.ts';
import type { UrlOffer, UrlSource } from './ledger.ts';
import type { PageLinks } from './page-links.ts';
import { UrlDepths } from './url-depths.ts';

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
    for (const url of turned) this.add(offers, url, 'pagination', parent, depth, nowMs);
    for (const link of links.links) if (!turned.has(link.url)) this.add(offers, link.url, 'link', parent, depth + 1, nowMs);
    return offers;
  }

  /** The offer for one address, unless it was offered at this depth or a smaller one. */
  add(offers: UrlOffer[], url: string, source: UrlSource, parent: string | undefined, depth: number, nowMs: number): void {
    if (!this.depths.lower(url, depth)) return;
    const offer = this.admission.offerFor({ url, source, depth, parent }, nowMs);
    if (offer) offers.push(offer);
  }
}

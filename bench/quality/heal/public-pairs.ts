// Pages of the public sets, redesigned by chance: two a site at most, the same each time.
import { createHash } from 'node:crypto';
import { seeded } from '../boosting.ts';
import { hostKey, splitOf } from '../dataset.ts';
import type { Split } from '../dataset.ts';
import { loadRawPages } from '../raw-pages.ts';
import type { RawPage } from '../raw-pages.ts';
import { redesignedPair } from './heal-cases.ts';
import type { Fate, PagePair } from './heal-cases.ts';
import { REDESIGNS } from './mutate.ts';

const PER_SITE = 2;
const FATES: readonly Fate[] = ['kept', 'changed', 'removed'];

/** The pairs of at most `pagesMax` pages of one half of the sites, three for each: values kept, values changed, elements removed; none where the sets are absent. */
export function* publicPairs(pagesMax: number, split: Split): Generator<PagePair> {
  for (const { page, number } of choosePages(pagesMax, split)) {
    const html = page.html();
    for (const fate of FATES) {
      const random = seeded(number + FATES.indexOf(fate) * 7919);
      const how = REDESIGNS[number % REDESIGNS.length] as (typeof REDESIGNS)[number];
      const pair = redesignedPair(html, page.url, hostKey(page.url), how, fate, random);
      if (pair && pair.watched.length > 0) yield pair;
    }
  }
}

function choosePages(pagesMax: number, split: Split): readonly { readonly page: RawPage; readonly number: number }[] {
  const numbered = loadRawPages()
    .filter(({ url }) => splitOf(hostKey(url)) === split)
    .map((page) => ({ page, number: createHash('sha256').update(`heal-v1:${page.url}`).digest().readUInt32BE(0) }))
    .toSorted((a, b) => a.number - b.number);
  const perSite = new Map<string, number>();
  const chosen = numbered.filter(({ page }) => {
    const site = hostKey(page.url);
    perSite.set(site, (perSite.get(site) ?? 0) + 1);
    return (perSite.get(site) ?? 0) <= PER_SITE;
  });
  return chosen.slice(0, pagesMax);
}

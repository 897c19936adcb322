// Says what held a crawl that ended with next to nothing, and which option opens it.
import type { CrawlCounts, CrawlHold, RunStatus } from '@weft/contract';
import { isSettled } from '@weft/contract';
import { nearestPattern } from '@weft/engine';
import type { StoredCrawlOptions } from '@weft/engine';
import type { CrawlStore } from './store.ts';

/** What of a crawl decides whether anything is said. */
interface EndedCrawl {
  readonly id: number;
  readonly status: RunStatus;
  readonly counts: CrawlCounts;
  readonly options: StoredCrawlOptions;
}

/** Who keeps more pages has seen a part of the site, and finds the rest in the ledger. */
const PAGES_MAX = 3;
/** Addresses that are looked at for a pattern that would have let them in. */
const LOOKED_AT = 500;

/** The rules that can be opened, by the reason of their skips. */
const OPENERS: Readonly<
  Record<string, { readonly says: string; readonly option: CrawlHold['option']; readonly value: CrawlHold['value'] }>
> = {
  outside_path: { says: 'outside the folder of the start', option: 'crawl_entire_domain', value: true },
  subdomain: { says: 'on other hosts of the domain', option: 'allow_subdomains', value: true },
  off_site: { says: 'on other sites', option: 'allow_external_links', value: true },
  not_included: { says: 'matched by no pattern of include_paths', option: 'include_paths', value: undefined },
  excluded: { says: 'matched by a pattern of exclude_paths', option: 'exclude_paths', value: undefined },
  robots: { says: 'forbidden by robots.txt', option: 'respect_robots', value: false },
  depth: { says: 'further from the start than max_depth', option: 'max_depth', value: undefined },
};

/** The rules that kept out more than was kept, the largest first; empty for a crawl that goes on, and for one that brought more. */
export function findHolds({ id, status, counts, options }: EndedCrawl, store: Pick<CrawlStore, 'reasons' | 'ledger'>): CrawlHold[] {
  const kept = counts.fetched + counts.reused;
  if (!isSettled(status) || options.limit === 1 || kept > PAGES_MAX) return [];
  return store.reasons(id).flatMap(({ outcome, reason, count }) => {
    const opener = outcome === 'skipped' && reason !== null ? OPENERS[reason] : undefined;
    // Most pages link to other sites; only one that leads nowhere else is held by that.
    if (!opener || reason === null || count <= kept || (reason === 'off_site' && kept > 1)) return [];
    const lines = store.ledger(id, { outcome: 'skipped', reason }, 0, reason === 'not_included' ? LOOKED_AT : 1);
    const urls = lines.map(({ url }) => url);
    const value = reason === 'not_included' ? meantBy(options.include_paths ?? [], urls) : opener.value;
    const first = lines[0];
    return [
      {
        reason,
        count,
        says: `${count} ${count === 1 ? 'address' : 'addresses'} ${opener.says}`,
        option: opener.option,
        ...(value === undefined ? {} : { value }),
        ...(first?.rule === null || first?.rule === undefined ? {} : { rule: first.rule }),
        example: first?.url ?? options.url,
      },
    ];
  });
}

/** The patterns with those that let nothing in replaced by what may have been meant; undefined where nothing better is known. */
function meantBy(patterns: readonly string[], urls: readonly string[]): string[] | undefined {
  const meant = patterns.map((pattern) => nearestPattern(pattern, urls) ?? pattern);
  return meant.some((pattern, i) => pattern !== patterns[i]) ? meant : undefined;
}

// Decides at the last moment, by what was learnt since an address was taken in, that it need not be asked for.
import type { CrawlMemory } from '../learn/crawl-memory.ts';
import type { HostWork } from '../hosts/host-work.ts';
import type { Skip } from '../ledger.ts';
import type { CrawlOptions } from '../options.ts';
import type { LeasedUrl } from '../frontier-store.ts';

/** Why `leased` is not fetched: its host's robots rules, a trap it lies in, a twin it would only repeat; undefined when it is. */
export function findLateSkip(leased: LeasedUrl, work: HostWork, options: CrawlOptions, memory: CrawlMemory): Skip | undefined {
  const robots = options.robots === 'enforce' ? work.decideRobots(leased.url) : undefined;
  if (robots && !robots.allowed) {
    const place = robots.line === undefined ? '' : `robots.txt line ${robots.line}: `;
    return { reason: 'robots', rule: `${place}${robots.rule}` };
  }
  if (leased.source === 'seed') return undefined;
  const file = memory.files.find(leased.url);
  if (file !== undefined) return { reason: 'file_type', rule: file };
  const trap = memory.traps.find(leased.url, options.allViews);
  if (trap) return { reason: 'trap', rule: `${trap.trap}: ${trap.rule}` };
  // What a sitemap lists or a list turns to is asked for, whatever others of its make brought.
  const view = leased.source === 'link' && !options.allViews ? memory.barren.find(leased.url) : undefined;
  if (view !== undefined) return { reason: 'trap', rule: `view: ${view}` };
  const text = memory.texts.find(leased.url);
  if (text !== undefined) return { reason: 'alternate', rule: text };
  const rule = (leased.twin && memory.twins.findReason(leased.url, leased.twin.url)) ?? memory.parameters.find(leased.url);
  return rule === undefined ? undefined : { reason: 'duplicate', rule };
}

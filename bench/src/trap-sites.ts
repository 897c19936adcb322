// Generated sites with endless spaces, and a crawl of them without a network.
import { TRAP_LIMITS, TrapMemory } from '../../packages/engine/src/crawl/learn/trap-memory.ts';
import type { TrapLimits } from '../../packages/engine/src/crawl/learn/trap-memory.ts';
import { pageWords, sumOfWords } from '../../packages/engine/src/crawl/links/page-words.ts';
import { scanLinks } from '../../packages/engine/src/crawl/links/scan-links.ts';
import { findUrlTrap } from '../../packages/engine/src/url/traps.ts';
import type { Answer } from '../../tests/sites/crawl-sites.ts';
import { TRAP_SITE_PAGES, trapSiteAnswers } from '../../tests/sites/crawl-sites.ts';
import { FRONT_CONTROLLERS } from '../../tests/sites/front-controllers.ts';

/** One site: where a crawl begins, what it must find, and what it answers. */
export interface TrapSite {
  readonly name: string;
  readonly start: string;
  readonly contents: readonly string[];
  answer(url: URL): Answer;
}

/** A page that was asked for; its content is empty where it is a trap or another view of one. */
export interface TrapVisit {
  readonly url: string;
  readonly body: Uint8Array;
  readonly content: string;
}

/** What a crawl of a site came to. */
export interface TrapWalk {
  readonly missed: number;
  readonly wasted: number;
  readonly requests: number;
  readonly visits: readonly TrapVisit[];
}

/** Where they stand. */
export const ORIGIN = 'https://site.test';
const REQUESTS_MAX = 5_000;
/** When they are crawled. */
export const NOW = Date.UTC(2026, 10, 20);

/** Six programs behind one or few scripts, and three looks of a site with a calendar, echoes and sessions. */
export const TRAP_SITES: readonly TrapSite[] = sites();

function sites(): readonly TrapSite[] {
  const looks = [
    { hasCanonical: true, showsAddresses: false, calendar: 'path', echo: 'longer' },
    { hasCanonical: true, showsAddresses: true, calendar: 'query', echo: 'repeated' },
    { hasCanonical: false, showsAddresses: false, calendar: 'query', echo: 'nested' },
  ] as const;
  const traps = looks.map((look) => {
    const answer = trapSiteAnswers(look);
    return {
      name: `traps ${JSON.stringify(look)}`,
      start: '/',
      contents: TRAP_SITE_PAGES,
      answer: (url: URL) => named(url.pathname, answer(url)),
    };
  });
  return [...FRONT_CONTROLLERS, ...traps];
}

/** The page with its own path as its content, where that is a real one. */
function named(path: string, answer: Answer): Answer {
  const content = TRAP_SITE_PAGES.includes(path) || /^\/files\/(?:readme-\d)?$/.test(path) ? path : '';
  return typeof answer === 'string' ? { status: 200, headers: { 'x-content': content }, body: answer } : answer;
}

/** A crawl without a network: breadth first, everything that neither form nor memory calls a trap. */
export function walkTrapSite(site: TrapSite, limits: TrapLimits = TRAP_LIMITS): TrapWalk {
  const traps = new TrapMemory(undefined, limits);
  const queue = [ORIGIN + site.start];
  const known = new Set(queue);
  const hashes = new Map<string, string>();
  const shown = new Set<string>();
  const visits: TrapVisit[] = [];
  let requests = 0;
  for (const url of queue) {
    if (requests >= REQUESTS_MAX) break;
    if (findUrlTrap(url, NOW) ?? traps.find(url)) continue;
    requests++;
    const answer = site.answer(new URL(url));
    if (typeof answer !== 'object') continue;
    const { body: said = '' } = answer;
    const body = typeof said === 'string' ? new TextEncoder().encode(said) : said;
    const content = answer.headers?.['x-content'] ?? '';
    shown.add(content);
    visits.push({ url, body, content });
    const { links, contentHash, canonical } = scanLinks(body, url);
    const duplicateOf = hashes.get(contentHash);
    const targets = links.map((link) => link.url);
    traps.observe({ url, duplicateOf, canonical, links: targets, words: () => pageWords(body), wordSum: () => sumOfWords(body) });
    if (duplicateOf !== undefined) continue;
    hashes.set(contentHash, url);
    for (const target of canonical === undefined ? targets : [...targets.filter(() => canonical === url), canonical]) {
      if (known.has(target)) continue;
      known.add(target);
      queue.push(target);
    }
  }
  shown.delete('');
  return { missed: site.contents.filter((content) => !shown.has(content)).length, wasted: requests - shown.size, requests, visits };
}

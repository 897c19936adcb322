// What the numbers in the rules against endless spaces cost and save: pages missed and requests wasted on generated sites, with the
// numbers that are in force and with their neighbours.
import { TRAP_LIMITS, TrapMemory } from '../../../packages/engine/src/crawl/learn/trap-memory.ts';
import type { TrapLimits } from '../../../packages/engine/src/crawl/learn/trap-memory.ts';
import { pageWords, sumOfWords } from '../../../packages/engine/src/crawl/links/page-words.ts';
import { scanLinks } from '../../../packages/engine/src/crawl/links/scan-links.ts';
import { findUrlTrap } from '../../../packages/engine/src/url/traps.ts';
import type { Answer } from '../../../tests/sites/crawl-sites.ts';
import { TRAP_SITE_PAGES, trapSiteAnswers } from '../../../tests/sites/crawl-sites.ts';
import { FRONT_CONTROLLERS } from '../../../tests/sites/front-controllers.ts';
import type { BenchRow } from '../row.ts';

interface Site {
  readonly name: string;
  readonly start: string;
  readonly contents: readonly string[];
  answer(url: URL): Answer;
}

interface Walk {
  readonly missed: number;
  readonly wasted: number;
  readonly requests: number;
}

const ORIGIN = 'https://site.test';
const REQUESTS_MAX = 5_000;
const NOW = Date.UTC(2026, 10, 20);

/** Pages missed and share of requests wasted over all sites, one pair of rows for each set of numbers. */
export async function bench(): Promise<BenchRow[]> {
  return variants().flatMap(([name, limits]) => {
    const walks = sites().map((site) => ({ site, walk: walkSite(site, limits) }));
    const sum = (of: (walk: Walk) => number) => walks.reduce((total, { walk }) => total + of(walk), 0);
    const worst = walks.toSorted((a, b) => b.walk.wasted / b.walk.requests - a.walk.wasted / a.walk.requests)[0];
    return [
      { name: `${name}: pages missed`, value: sum((walk) => walk.missed), unit: 'pages', target: '0' },
      {
        name: `${name}: requests wasted`,
        value: (100 * sum((walk) => walk.wasted)) / sum((walk) => walk.requests),
        unit: '%',
        target: '< 20',
      },
      ...(worst
        ? [{ name: `  most at ${worst.site.name}`, value: (100 * worst.walk.wasted) / worst.walk.requests, unit: '%', target: '< 20' }]
        : []),
    ];
  });
}

function sites(): readonly Site[] {
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
function walkSite(site: Site, limits: TrapLimits): Walk {
  const traps = new TrapMemory(undefined, limits);
  const queue = [ORIGIN + site.start];
  const known = new Set(queue);
  const hashes = new Map<string, string>();
  const shown = new Set<string>();
  let requests = 0;
  for (const url of queue) {
    if (requests >= REQUESTS_MAX) break;
    if (findUrlTrap(url, NOW) ?? traps.find(url)) continue;
    requests++;
    const answer = site.answer(new URL(url));
    if (typeof answer !== 'object') continue;
    const body = new TextEncoder().encode(answer.body ?? '');
    shown.add(answer.headers?.['x-content'] ?? '');
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
  return { missed: site.contents.filter((content) => !shown.has(content)).length, wasted: requests - shown.size, requests };
}

/** The numbers in force, and each of them smaller and larger. */
function variants(): readonly (readonly [name: string, limits: TrapLimits])[] {
  const { duplicatesMax, barrenMax } = TRAP_LIMITS;
  const duplicates = (query: number, parameters: number) => ({ ...TRAP_LIMITS, duplicatesMax: { ...duplicatesMax, query, parameters } });
  const barren = (echo: number, calendar: number) => ({ ...TRAP_LIMITS, barrenMax: { ...barrenMax, echo, calendar } });
  return [
    ['in force', TRAP_LIMITS],
    ...(
      [
        [1, 2],
        [2, 3],
        [5, 8],
        [8, 12],
      ] as const
    ).map(([query, parameters]) => [`query ${query}, parameters ${parameters}`, duplicates(query, parameters)] as const),
    ...[1, 2, 3, 6, 8].map((echo) => [`echo ${echo}`, barren(echo, barrenMax.calendar ?? 0)] as const),
    ...[3, 6, 15].map((calendar) => [`calendar ${calendar}`, barren(barrenMax.echo ?? 0, calendar)] as const),
    ...[1, 3, 30].map(
      (duplicatesPerDistinct) =>
        [`${duplicatesPerDistinct} duplicates for each distinct page`, { ...TRAP_LIMITS, duplicatesPerDistinct }] as const,
    ),
  ];
}
